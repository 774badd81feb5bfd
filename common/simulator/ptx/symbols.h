// SPDX-License-Identifier: MIT
// Names inside one function. `{}` opens a scope whose names hide outer ones, and nvcc uses the same few names in the
// scope of every call. The decoder therefore gets each name in a form that is unique in the function.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ptx/module.h"

namespace cudasim::ptx {

/// Registers and variables, which must be declared before they are used. Keys are views into the PTX text.
class SymbolTable {
 public:
  struct Symbol {
    enum class Kind : std::uint8_t { reg, family, variable } kind = Kind::reg;
    std::uint32_t depth = 0;
    std::int32_t reg = -1;    ///< of a family (`%r<9>`): the first
    std::uint32_t count = 1;  ///< of a family
    std::string unique_name;  ///< of a variable
  };

  void open_scope() { scopes_.emplace_back(); }
  void close_scope();
  std::uint32_t depth() const { return static_cast<std::uint32_t>(scopes_.size()); }

  /// False when the innermost scope has the name already. A family and a name may be spelled alike.
  bool declare(std::string_view name, Symbol symbol);

  /// The register that `name` means here, or -1.
  std::int32_t find_register(std::string_view name) const;
  /// The unique name of the variable that `name` means here, or nullptr.
  const std::string* find_variable(std::string_view name) const;

 private:
  using Table = std::unordered_map<std::string_view, std::vector<Symbol>>;  // innermost declaration last
  static const Symbol* innermost(const Table& table, std::string_view name);
  const Symbol* find_family(std::string_view name, std::uint32_t& number) const;

  struct Declared {
    std::string_view name;
    bool is_family;
  };
  Table names_, families_;
  std::vector<std::vector<Declared>> scopes_;
};

/// Labels, jump tables and prototypes, which may be used before they are declared. References wait for the end of their
/// scope, and then for the end of the scope around it.
class LabelTable {
 public:
  explicit LabelTable(Function& function) : function_(function) {}

  /// Where a name stands that may mean a label.
  struct Reference {
    std::string_view name;
    std::uint32_t owner = 0;     ///< index into instructions or branch_targets
    std::uint32_t position = 0;  ///< index into its operands or labels
    std::uint32_t line = 0;
    bool in_table = false;    ///< owner is a jump table
    bool must_exist = false;  ///< only a label can be meant
  };

  void open_scope() { scopes_.emplace_back(); }
  void close_scope();
  /// The unique form of `name`, or an empty string when this scope has it already.
  std::string declare(std::string_view name);
  void refer(const Reference& reference) { scopes_.back().references.push_back(reference); }

  /// After the last scope is closed: a reference that needs a label and found none, or nullptr.
  const Reference* missing() const { return missing_.empty() ? nullptr : missing_.data(); }

 private:
  struct Scope {
    std::unordered_map<std::string_view, std::string> labels;
    std::vector<Reference> references;
  };
  Function& function_;
  std::vector<Scope> scopes_;
  std::unordered_map<std::string_view, unsigned> uses_;
  std::vector<Reference> missing_;
};

/// `name` the first time, then `name#2`, `name#3`: `#` cannot occur in a name of PTX.
std::string make_unique_name(std::string_view name, std::unordered_map<std::string_view, unsigned>& uses);

}  // namespace cudasim::ptx
