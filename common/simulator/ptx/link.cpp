// SPDX-License-Identifier: MIT
#include "ptx/link.h"

#include <iterator>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace cudasim::ptx {
namespace {

using NewNames = std::unordered_map<std::string, std::string>;

bool defines(const Variable& variable) { return !variable.is_extern; }
bool defines(const Function& function) { return !function.is_declaration; }

void replace(std::string& name, const NewNames& names) {
  const auto known = names.find(name);
  if (known != names.end()) name = known->second;
}

void replace(Operand& operand, const NewNames& in_function, const NewNames& in_module) {
  if (operand.kind == Operand::Kind::name)
    replace(operand.name, in_function.count(operand.name) ? in_function : in_module);
  for (auto& element : operand.elements) replace(element, in_function, in_module);
}

class Linker {
 public:
  explicit Linker(std::vector<Module> modules) : modules_(std::move(modules)) {}

  Module link() {
    Module linked;
    linked.version = modules_.front().version;
    linked.target = modules_.front().target;
    find_shared_names();
    std::vector<NewNames> new_names;
    for (std::size_t m = 0; m < modules_.size(); ++m) new_names.push_back(rename_own(modules_[m], own_names_[m]));
    for (std::size_t m = 0; m < modules_.size(); ++m) {
      Module& module = modules_[m];
      linked.debug = linked.debug || module.debug;
      move_locations(module, linked);
      for (auto& function : module.functions) rename_inside(function, new_names[m]);
      for (auto& variable : module.variables) {
        for (auto& value : variable.initialisers) replace(value.symbol, new_names[m]);
        add(std::move(variable), linked.variables, variables_);
      }
      for (auto& function : module.functions) add(std::move(function), linked.functions, functions_);
    }
    return linked;
  }

 private:
  /// Those that modules share are taken before any module's own.
  void find_shared_names() {
    for (const auto& module : modules_) {
      std::unordered_set<std::string> own;
      const auto find_own = [&](const auto& symbol) {
        if (defines(symbol) && symbol.linkage == Linkage::local) own.insert(symbol.name);
      };
      const auto take_others = [&](const auto& symbol) {
        if (own.count(symbol.name) == 0) taken_.insert(symbol.name);
      };
      for (const auto& variable : module.variables) find_own(variable);
      for (const auto& function : module.functions) find_own(function);
      for (const auto& variable : module.variables) take_others(variable);
      for (const auto& function : module.functions) take_others(function);
      own_names_.push_back(std::move(own));
    }
  }

  /// `name`, or where it is taken `name#module2`, which PTX itself cannot spell.
  std::string take(const std::string& name) {
    std::string free = name;
    for (unsigned n = 2; !taken_.insert(free).second; ++n) free = name + "#module" + std::to_string(n);
    return free;
  }

  NewNames rename_own(Module& module, const std::unordered_set<std::string>& own) {
    for (const auto& function : module.functions) {
      // The host looks a kernel up by its name.
      if (function.is_entry && own.count(function.name) != 0 && taken_.count(function.name) != 0)
        defined_twice(function.name);
    }
    NewNames names;
    for (const auto& name : own) {
      std::string free = take(name);
      if (free != name) names[name] = std::move(free);
    }
    for (auto& variable : module.variables) replace(variable.name, names);
    for (auto& function : module.functions) replace(function.name, names);
    return names;
  }

  /// A function's variables must not have the name of one of module scope, nor .shared ones that of any other
  /// (Function).
  void rename_inside(Function& function, const NewNames& in_module) {
    NewNames in_function;
    for (auto& variable : function.variables) {
      if (variable.space != Space::shared && taken_.count(variable.name) == 0) continue;
      std::string free = take(variable.name);
      if (free != variable.name) in_function[variable.name] = free;
      variable.name = std::move(free);
    }
    if (in_function.empty() && in_module.empty()) return;
    for (auto& instruction : function.instructions)
      for (auto& operand : instruction.operands) replace(operand, in_function, in_module);
  }

  /// Files are numbered anew, and indices of locations go on where those of the modules before end.
  static void move_locations(Module& module, Module& linked) {
    std::unordered_map<std::int32_t, std::int32_t> keys;
    for (auto& [key, name] : module.files) {
      keys.emplace(key, static_cast<std::int32_t>(linked.files.size()));
      linked.files.emplace_back(static_cast<std::int32_t>(linked.files.size()), std::move(name));
    }
    const auto first = static_cast<std::int32_t>(linked.locations.size());
    for (auto& location : module.locations) {
      const auto file = keys.find(location.file);
      location.file = file == keys.end() ? -1 : file->second;
      if (location.inlined_at >= 0) location.inlined_at += first;
      linked.locations.push_back(std::move(location));
    }
    for (auto& function : module.functions)
      for (auto& instruction : function.instructions)
        if (instruction.location >= 0) instruction.location += first;
  }

  /// A name stands once among the `linked`: its definition, or else its first declaration.
  template <typename Symbol>
  static void add(Symbol symbol, std::vector<Symbol>& linked, std::unordered_map<std::string, std::size_t>& places) {
    const auto [known, is_new] = places.emplace(symbol.name, linked.size());
    if (is_new) return linked.push_back(std::move(symbol));
    Symbol& earlier = linked[known->second];
    if (!defines(symbol)) return;
    if (!defines(earlier) || (earlier.linkage == Linkage::weak && symbol.linkage == Linkage::visible)) {
      earlier = std::move(symbol);
    } else if (symbol.linkage != Linkage::weak) {
      defined_twice(symbol.name);
    }
  }

  [[noreturn]] static void defined_twice(const std::string& name) {
    throw LinkError("'" + name + "' is defined in two of the files that are linked together");
  }

  std::vector<Module> modules_;
  std::vector<std::unordered_set<std::string>> own_names_;  // of each module: what no other one may mean
  std::unordered_set<std::string> taken_;
  std::unordered_map<std::string, std::size_t> variables_, functions_;  // where they stand in what is linked
};

}  // namespace

Module link(std::vector<Module> modules) {
  return modules.size() == 1 ? std::move(modules.front()) : Linker(std::move(modules)).link();
}

}  // namespace cudasim::ptx
