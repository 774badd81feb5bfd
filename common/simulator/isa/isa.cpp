// SPDX-License-Identifier: MIT
// The table as a whole: finding an instruction's row, the vector level of this CPU, and names for messages.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/levels.h"
#include "isa/families.h"

namespace cudasim {
namespace {

// ---- families ------------------------------------------------------------------------------------------------------

struct Family {
  const char* name;
  InstructionDefinitions (*rows[3])();  // by level; nullptr at a level that this build has not
};
#define CUDASIM_PURE_FAMILY(name) {#name, CUDASIM_AT_LEVELS(name##_rows)},
#define CUDASIM_MACHINE_FAMILY(name) {#name, {name##_rows, name##_rows, name##_rows}},
const Family families[] = {CUDASIM_PURE_FAMILIES(CUDASIM_PURE_FAMILY) CUDASIM_MACHINE_FAMILIES(CUDASIM_MACHINE_FAMILY)};

// ---- patterns ------------------------------------------------------------------------------------------------------

/// One step of a pattern: a literal token, or a group of alternatives.
struct Step {
  std::vector<std::string_view> alternatives;  // without the leading dot
  bool optional = false;
  int group = -1;  // -1: a literal
};

void split_tokens(std::string_view text, std::vector<std::string_view>& tokens) {
  while (!text.empty()) {
    if (text.front() == '.') text.remove_prefix(1);
    const auto end = std::min(text.find('.'), text.size());
    tokens.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
}

/// Calls `visit(text, group)` for each part of a pattern, until it returns false. A part is literal text (group -1), or
/// what is between the brackets of a group.
template <class Visit>
void for_each_part(std::string_view pattern, Visit visit) {
  for (int group = 0; !pattern.empty();) {
    const bool literal = pattern.front() != '<' && pattern.front() != '[';
    const auto end = literal ? std::min(pattern.find_first_of("<["), pattern.size()) : pattern.find_first_of(">]");
    if (!visit(literal ? pattern.substr(0, end) : pattern.substr(1, end - 1), literal ? -1 : group++)) return;
    pattern.remove_prefix(literal ? end : end + 1);
  }
}

std::string_view alternative(std::string_view group, int index) {
  for (; index > 0; --index) group.remove_prefix(group.find('|') + 1);
  return group.substr(0, group.find('|'));
}

/// "mul.wide<.u16|.s16>" to literal mul, literal wide, group 0.
std::vector<Step> parse_pattern(const char* pattern) {
  std::vector<Step> steps;
  for_each_part(pattern, [&](std::string_view text, int group) {
    if (group < 0) {
      std::vector<std::string_view> literals;
      split_tokens(text, literals);
      for (const auto literal : literals) steps.push_back({{literal}, false, -1});
      return true;
    }
    Step step;
    step.group = group;
    step.optional = text.data()[-1] == '[';
    while (!text.empty()) {
      const auto bar = std::min(text.find('|'), text.size());
      step.alternatives.push_back(text.substr(1, bar - 1));
      text.remove_prefix(std::min(bar + 1, text.size()));
    }
    steps.push_back(step);
    return true;
  });
  return steps;
}

using Tokens = std::vector<std::string_view>;

/// Matches steps from `step` on against tokens from `token` on; an optional group is first tried as present.
bool match_from(const std::vector<Step>& steps, std::size_t step, const Tokens& tokens, std::size_t token,
                Match& match) {
  if (step == steps.size()) return token == tokens.size();
  const Step& s = steps[step];
  if (token < tokens.size()) {
    const auto it = std::find(s.alternatives.begin(), s.alternatives.end(), tokens[token]);
    if (it != s.alternatives.end()) {
      if (s.group >= 0) match.choice[s.group] = static_cast<std::int8_t>(it - s.alternatives.begin());
      if (match_from(steps, step + 1, tokens, token + 1, match)) return true;
      if (s.group >= 0) match.choice[s.group] = -1;
    }
  }
  return s.optional && match_from(steps, step + 1, tokens, token, match);
}

/// Matches tokens from `token` on against the steps not in `used`, in any order; only types keep their order.
bool match_reordered(const std::vector<Step>& steps, std::uint32_t used, int last_type, const Tokens& tokens,
                     std::size_t token, Match& match) {
  if (token == tokens.size()) {
    for (std::size_t i = 0; i < steps.size(); ++i) {
      if ((used >> i & 1) == 0 && !steps[i].optional) return false;
    }
    return true;
  }
  const bool is_type = ptx::type_from_text(tokens[token]) != ptx::Type::none;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Step& s = steps[i];
    if ((used >> i & 1) != 0 || (is_type && static_cast<int>(i) < last_type)) continue;
    const auto it = std::find(s.alternatives.begin(), s.alternatives.end(), tokens[token]);
    if (it == s.alternatives.end()) continue;
    if (s.group >= 0) match.choice[s.group] = static_cast<std::int8_t>(it - s.alternatives.begin());
    const int type_step = is_type ? static_cast<int>(i) : last_type;
    if (match_reordered(steps, used | std::uint32_t{1} << i, type_step, tokens, token + 1, match)) return true;
    if (s.group >= 0) match.choice[s.group] = -1;
  }
  return false;
}

// ---- operands ------------------------------------------------------------------------------------------------------

bool fits(const RowOperand& expected, const ptx::Operand& operand) {
  using K = ptx::Operand::Kind;
  using Shape = RowOperand::Shape;
  const bool single = expected.shape == Shape::single;
  switch (operand.kind) {
    case K::vector:
      return expected.shape == Shape::vector && operand.elements.size() == expected.count;
    case K::pair:
      return expected.shape == Shape::pair;
    case K::reg:
      return single;
    case K::sink:
      return single && expected.written;
    case K::integer:
    case K::f32_bits:
    case K::f64_bits:
    case K::name:
    case K::special:
      return single && !expected.written;
    case K::address:
    case K::list:
      return false;
  }
  return false;
}

bool is_register(const ptx::Operand& operand) {
  using K = ptx::Operand::Kind;
  return operand.kind == K::reg || operand.kind == K::vector || operand.kind == K::pair || operand.kind == K::sink;
}

bool fits(const std::vector<RowOperand>& expected, const std::vector<ptx::Operand>& operands) {
  std::size_t next = 0;
  for (const RowOperand& e : expected) {
    if (e.shape == RowOperand::Shape::carry) continue;  // not in the text of an instruction
    if (next < operands.size() ? !fits(e, operands[next]) : !e.optional) return false;
    next += next < operands.size() ? 1u : 0u;
  }
  return next == operands.size();
}

// ---- index ---------------------------------------------------------------------------------------------------------

struct Entry {
  std::size_t family, row;
  std::vector<Step> steps;
  std::vector<RowOperand> operands;
};

bool fits(const Entry& entry, const InstructionDefinition& row, const ptx::Instruction& instruction) {
  const auto& operands = instruction.operands;
  if (is_pure(row)) return fits(entry.operands, operands);
  return !writes_first_operand(row) || (!operands.empty() && is_register(operands.front()));
}

using Index = std::unordered_map<std::string_view, std::vector<Entry>>;

/// Rows by the first token of their opcode, in the order of the table. Levels differ in meanings only. Never destroyed:
/// static objects of a program launch kernels from their destructors.
const Index& entries() {
  static const Index& index = *new Index([] {
    Index result;
    for (std::size_t f = 0; f < family_count(); ++f) {
      const InstructionDefinitions rows = all_rows(best_level(), f);
      for (std::size_t r = 0; r < rows.count; ++r) {
        Entry entry{f, r, parse_pattern(rows.begin[r].pattern), parse_operands(rows.begin[r].operands)};
        const auto name = entry.steps.front().alternatives.front();
        result[name].push_back(std::move(entry));
      }
    }
    return result;
  }());
  return index;
}

/// The number of edits between two names, for messages.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0 : 1)});
      diagonal = above;
    }
  }
  return row[b.size()];
}

/// The distance of an opcode from a pattern: its tokens that the pattern has not, and those that it lacks.
std::size_t distance(const Tokens& tokens, const std::vector<Step>& steps) {
  std::size_t away = 0;
  const auto has = [&](const Step& step, std::string_view token) {
    return std::find(step.alternatives.begin(), step.alternatives.end(), token) != step.alternatives.end();
  };
  for (std::size_t t = 1; t < tokens.size(); ++t) {
    if (std::none_of(steps.begin() + 1, steps.end(), [&](const Step& step) { return has(step, tokens[t]); })) ++away;
  }
  for (std::size_t i = 1; i < steps.size(); ++i) {
    const bool found = std::any_of(tokens.begin(), tokens.end(), [&](auto token) { return has(steps[i], token); });
    if (!steps[i].optional && !found) ++away;
  }
  return away;
}

constexpr Level kLevels[] = {Level::baseline, Level::avx2, Level::avx512};
constexpr const char* kLevelNames[] = {"baseline", "avx2", "avx512"};

bool is_built(Level level) { return families[0].rows[static_cast<std::size_t>(level)] != nullptr; }

bool cpu_has(Level level) {
#if defined(__x86_64__)
  __builtin_cpu_init();
  const bool has_avx2 =
      __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
  const bool has_avx512 = has_avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                          __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
                          __builtin_cpu_supports("avx512vl");
  if (level == Level::avx512) return has_avx512;
  if (level == Level::avx2) return has_avx2;
#endif
  return level == Level::baseline;
}

/// "avx2, avx512"
std::string names_of_levels(bool (*is_meant)(Level)) {
  std::string names;
  for (const Level level : kLevels) {
    if (is_meant(level)) names += (names.empty() ? "" : ", ") + std::string(level_name(level));
  }
  return names;
}

}  // namespace

const char* level_name(Level level) { return kLevelNames[static_cast<std::size_t>(level)]; }

bool can_run(Level level) { return is_built(level) && cpu_has(level); }

std::string why_no_level(const char* wanted) {
  const std::string usable = names_of_levels(can_run);
  if (usable.empty()) {
    return "this simulator was built for CPUs with " + names_of_levels(is_built) +
           ", which this one has not: run CMake again in its build folder and build it again";
  }
  if (wanted == nullptr || *wanted == 0) return "";
  for (const Level level : kLevels) {
    if (std::strcmp(wanted, level_name(level)) == 0 && can_run(level)) return "";
  }
  return "CUDASIM_LEVEL=" + std::string(wanted) + " is none of the vector levels that this CPU and this build have (" +
         usable + "); CMake's CUDASIM_LEVELS=all builds every one";
}

Level best_level() {
  static const Level level = [] {
    const char* const wanted = std::getenv("CUDASIM_LEVEL");
    Level best = *std::find_if(std::begin(kLevels), std::end(kLevels), is_built);
    for (const Level candidate : kLevels) {
      if (!can_run(candidate)) continue;
      best = candidate;
      if (wanted != nullptr && std::strcmp(wanted, level_name(candidate)) == 0) break;
    }
    return best;
  }();
  return level;
}

std::size_t family_count() { return sizeof families / sizeof families[0]; }
const char* family_name(std::size_t family) { return families[family].name; }
InstructionDefinitions all_rows(Level level, std::size_t family) {
  return families[family].rows[static_cast<std::size_t>(level)]();
}

Found find_row(const ptx::Instruction& instruction, Level level) {
  Tokens tokens;
  split_tokens(instruction.opcode, tokens);
  if (tokens.empty()) return {};
  const auto it = entries().find(tokens.front());
  if (it == entries().end()) return {};
  // First the manual's order of modifiers, then any order. ptxas accepts any, and inline assembly in use relies on it
  // (atom.add.release.gpu.u32 in cooperative groups).
  for (const bool in_order : {true, false}) {
    for (const Entry& entry : it->second) {
      const InstructionDefinition& row = all_rows(level, entry.family).begin[entry.row];
      if (!fits(entry, row, instruction)) continue;
      Match match;
      const bool found = in_order ? match_from(entry.steps, 0, tokens, 0, match)
                                  : match_reordered(entry.steps, 1, 0, tokens, 1, match);
      if (found) return {&row, match, &entry.operands, tokens_of(row, match)};
    }
  }
  return {};
}

bool Found::has(std::string_view wanted) const {
  return std::find(tokens.begin(), tokens.end(), wanted) != tokens.end();
}

std::vector<RowOperand> parse_operands(std::string_view text) {
  using Shape = RowOperand::Shape;
  std::vector<RowOperand> operands;
  while (!text.empty()) {
    const auto end = std::min(text.find(' '), text.size());
    std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    RowOperand operand;
    if (word == "*" || word == "cc") {
      operand.shape = word == "*" ? Shape::rest : Shape::carry;
      operands.push_back(operand);
      continue;
    }
    if (word.front() == '[') {
      operand.optional = true;
      word = word.substr(1, word.size() - 2);
    }
    const auto colon = std::min(word.find(':'), word.size());
    operand.type = word.substr(std::min(colon + 1, word.size()));
    operand.shape = word.front() == '{'                        ? Shape::vector
                    : word.find('|') != std::string_view::npos ? Shape::pair
                                                               : Shape::single;
    for (const char letter : word.substr(0, colon)) {
      if (letter >= 'a' && letter <= 'f') operand.slots[operand.count++] = letter;
    }
    operand.written = operand.slots[0] == 'd';
    operands.push_back(operand);
  }
  return operands;
}

/// `d`, a vector that begins with it and a pair are all written.
bool writes_first_operand(const InstructionDefinition& row) {
  return row.operands[row.operands[0] == '{' ? 1 : 0] == 'd';
}

std::string_view token(const InstructionDefinition& row, const Match& match, unsigned group) {
  std::string_view found;
  if (group >= Match::kMaxGroups || match.choice[group] < 0) return found;
  for_each_part(row.pattern, [&](std::string_view text, int at) {
    if (at == static_cast<int>(group)) found = alternative(text, match.choice[group]);
    return found.empty();
  });
  return found;
}

std::vector<std::string_view> tokens_of(const InstructionDefinition& row, const Match& match) {
  std::vector<std::string_view> tokens;
  for_each_part(row.pattern, [&](std::string_view text, int group) {
    if (group < 0) {
      split_tokens(text, tokens);
    } else if (match.choice[group] >= 0) {
      tokens.push_back(alternative(text, match.choice[group]).substr(1));
    }
    return true;
  });
  return tokens;
}

std::string nearest_patterns(std::string_view opcode) {
  constexpr std::size_t kShown = 3;
  Tokens tokens;
  split_tokens(opcode, tokens);
  if (tokens.empty()) return "";
  std::vector<std::pair<std::size_t, const char*>> candidates;
  for (const auto& [name, list] : entries()) {
    const std::size_t edits = distance(tokens.front(), name);
    if (edits > 1) continue;
    for (const Entry& entry : list) {
      const char* const pattern = all_rows(best_level(), entry.family).begin[entry.row].pattern;
      candidates.emplace_back(100 * edits + distance(tokens, entry.steps), pattern);
    }
  }
  std::sort(candidates.begin(), candidates.end(), [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first < b.first : std::strcmp(a.second, b.second) < 0;
  });
  candidates.erase(std::unique(candidates.begin(), candidates.end(),
                               [](const auto& a, const auto& b) { return std::strcmp(a.second, b.second) == 0; }),
                   candidates.end());
  std::string text;
  for (std::size_t i = 0; i < std::min(candidates.size(), kShown); ++i) {
    text += (i == 0 ? "; known forms: " : ", ") + std::string(candidates[i].second);
  }
  return text;
}

}  // namespace cudasim
