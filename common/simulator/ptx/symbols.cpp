// SPDX-License-Identifier: MIT
// Every look-up is one or a few hash look-ups, at any depth of scopes: a name leads to its declarations.
#include "ptx/symbols.h"

#include <algorithm>

namespace cudasim::ptx {

std::string make_unique_name(std::string_view name, std::unordered_map<std::string_view, unsigned>& uses) {
  const unsigned use = ++uses[name];
  std::string unique(name);
  if (use > 1) unique += "#" + std::to_string(use);
  return unique;
}

bool SymbolTable::declare(std::string_view name, Symbol symbol) {
  const bool is_family = symbol.kind == Symbol::Kind::family;
  auto& declarations = (is_family ? families_ : names_)[name];
  if (!declarations.empty() && declarations.back().depth == depth()) return false;
  symbol.depth = depth();
  declarations.push_back(std::move(symbol));
  scopes_.back().push_back({name, is_family});
  return true;
}

void SymbolTable::close_scope() {
  for (const auto& declared : scopes_.back()) (declared.is_family ? families_ : names_)[declared.name].pop_back();
  scopes_.pop_back();
}

const SymbolTable::Symbol* SymbolTable::innermost(const Table& table, std::string_view name) {
  const auto found = table.find(name);
  return found == table.end() || found->second.empty() ? nullptr : &found->second.back();
}

/// `%r12` is number 12 of `%r<20>`, or number 2 of `%r1<5>`. The innermost family that is long enough counts.
const SymbolTable::Symbol* SymbolTable::find_family(std::string_view name, std::uint32_t& number) const {
  constexpr std::size_t kMostDigits = 7;
  const Symbol* best = nullptr;
  std::uint32_t value = 0, power = 1;
  for (std::size_t digits = 1; digits <= kMostDigits && digits < name.size(); ++digits, power *= 10) {
    const char digit = name[name.size() - digits];
    if (digit < '0' || digit > '9') break;
    value += static_cast<std::uint32_t>(digit - '0') * power;
    if (digit == '0' && digits > 1) continue;  // %r01 is not %r1
    const auto found = families_.find(name.substr(0, name.size() - digits));
    if (found == families_.end()) continue;
    for (auto family = found->second.rbegin(); family != found->second.rend(); ++family) {
      if (value >= family->count) continue;  // an outer family of this name may be longer
      if (best == nullptr || family->depth > best->depth) {
        best = &*family;
        number = value;
      }
      break;
    }
  }
  return best;
}

std::int32_t SymbolTable::find_register(std::string_view name) const {
  const Symbol* exact = innermost(names_, name);
  std::uint32_t number = 0;
  const Symbol* family = find_family(name, number);
  if (family != nullptr && (exact == nullptr || family->depth > exact->depth)) {
    return family->reg + static_cast<std::int32_t>(number);
  }
  return exact != nullptr && exact->kind == Symbol::Kind::reg ? exact->reg : -1;
}

const std::string* SymbolTable::find_variable(std::string_view name) const {
  const Symbol* exact = innermost(names_, name);
  return exact != nullptr && exact->kind == Symbol::Kind::variable ? &exact->unique_name : nullptr;
}

std::string LabelTable::declare(std::string_view name) {
  auto& labels = scopes_.back().labels;
  if (labels.count(name) != 0) return {};
  return labels.emplace(name, make_unique_name(name, uses_)).first->second;
}

void LabelTable::close_scope() {
  Scope scope = std::move(scopes_.back());
  scopes_.pop_back();
  for (const auto& reference : scope.references) {
    const auto label = scope.labels.find(reference.name);
    if (label == scope.labels.end()) {
      if (!scopes_.empty()) {
        scopes_.back().references.push_back(reference);
      } else if (reference.must_exist) {
        missing_.push_back(reference);
      }
    } else if (reference.in_table) {
      function_.branch_targets[reference.owner].labels[reference.position] = label->second;
    } else {
      function_.instructions[reference.owner].operands[reference.position].name = label->second;
    }
  }
}

}  // namespace cudasim::ptx
