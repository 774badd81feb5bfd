// SPDX-License-Identifier: MIT
#include "ptx/module.h"

#include <array>

namespace cudasim::ptx {
namespace {

struct TypeRow {
  std::string_view text;
  Type type;
  unsigned size_bytes;
};

constexpr std::array<TypeRow, 21> kTypeRows = {{
    {"", Type::none, 0},       {"pred", Type::pred, 0}, {"b8", Type::b8, 1},         {"b16", Type::b16, 2},
    {"b32", Type::b32, 4},     {"b64", Type::b64, 8},   {"b128", Type::b128, 16},    {"u8", Type::u8, 1},
    {"u16", Type::u16, 2},     {"u32", Type::u32, 4},   {"u64", Type::u64, 8},       {"s8", Type::s8, 1},
    {"s16", Type::s16, 2},     {"s32", Type::s32, 4},   {"s64", Type::s64, 8},       {"f16", Type::f16, 2},
    {"f16x2", Type::f16x2, 4}, {"bf16", Type::bf16, 2}, {"bf16x2", Type::bf16x2, 4}, {"f32", Type::f32, 4},
    {"f64", Type::f64, 8},
}};

constexpr bool rows_stand_at_their_type() {
  for (std::size_t i = 0; i < kTypeRows.size(); ++i) {
    if (kTypeRows[i].type != static_cast<Type>(i)) return false;
  }
  return static_cast<std::size_t>(Type::f64) + 1 == kTypeRows.size();
}
static_assert(rows_stand_at_their_type());

}  // namespace

unsigned size_of(Type type) { return kTypeRows[static_cast<std::size_t>(type)].size_bytes; }

Type type_from_text(std::string_view text) {
  for (const auto& row : kTypeRows) {
    if (row.text == text) return row.type;
  }
  return Type::none;
}

const std::string* Module::file_name(std::int32_t key) const {
  for (const auto& [file_key, name] : files) {
    if (file_key == key) return &name;
  }
  return nullptr;
}

const Function* Module::find_function(const std::string& name) const {
  const Function* declaration = nullptr;
  for (const auto& function : functions) {
    if (function.name != name) continue;
    if (!function.is_declaration) return &function;
    if (declaration == nullptr) declaration = &function;
  }
  return declaration;
}

}  // namespace cudasim::ptx
