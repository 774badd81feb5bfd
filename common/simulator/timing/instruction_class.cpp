// SPDX-License-Identifier: MIT
#include "timing/instruction_class.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

namespace cudasim {
namespace {

using Class = InstructionClass;
using Tokens = std::vector<std::string_view>;

constexpr const char* kNames[] = {"fp32_fma",     "fp32",     "fp64",       "half",    "integer",   "integer_multiply",
                                  "wide_integer", "division", "conversion", "special", "predicate", "move",
                                  "control",      "memory",   "shuffle",    "barrier", "tensor",    "other"};
static_assert(sizeof kNames / sizeof kNames[0] == kInstructionClasses, "a class has no name here");

/// Opcodes of one class, whatever their type.
constexpr std::pair<std::string_view, Class> kByName[] = {
    {"ld", Class::memory},
    {"st", Class::memory},
    {"ldu", Class::memory},
    {"atom", Class::memory},
    {"red", Class::memory},
    {"prefetch", Class::memory},
    {"prefetchu", Class::memory},
    {"tex", Class::memory},
    {"ldmatrix", Class::memory},
    {"stmatrix", Class::memory},
    {"isspacep", Class::predicate},
    {"testp", Class::predicate},
    {"selp", Class::predicate},
    {"slct", Class::predicate},
    {"mov", Class::move},
    {"cvta", Class::move},
    {"bra", Class::control},
    {"brx", Class::control},
    {"call", Class::control},
    {"ret", Class::control},
    {"exit", Class::control},
    {"trap", Class::control},
    {"brkpt", Class::control},
    {"nanosleep", Class::control},
    {"pmevent", Class::control},
    {"griddepcontrol", Class::control},
    {"discard", Class::control},
    {"applypriority", Class::control},
    {"shfl", Class::shuffle},
    {"vote", Class::shuffle},
    {"match", Class::shuffle},
    {"redux", Class::shuffle},
    {"activemask", Class::shuffle},
    {"elect", Class::shuffle},
    {"movmatrix", Class::shuffle},
    {"barrier", Class::barrier},
    {"membar", Class::barrier},
    {"fence", Class::barrier},
    {"mbarrier", Class::barrier},
    {"mma", Class::tensor},
    {"sin", Class::special},
    {"cos", Class::special},
    {"ex2", Class::special},
    {"lg2", Class::special},
    {"rsqrt", Class::special},
    {"tanh", Class::special},
    {"popc", Class::special},
    {"clz", Class::special},
    {"bfind", Class::special},
    {"brev", Class::special},
    {"fns", Class::special},
    {"div", Class::division},
    {"rem", Class::division},
    {"mul24", Class::integer_multiply},
    {"mad24", Class::integer_multiply},
    {"dp4a", Class::integer_multiply},
    {"dp2a", Class::integer_multiply},
};

/// Opcodes whose class follows from their type.
constexpr std::string_view kArithmetic[] = {
    "add", "sub", "addc", "subc", "mul", "mad", "madc", "fma", "min", "max", "neg", "abs", "and", "or", "xor", "not",
    "cnot", "shl", "shr", "shf", "lop3", "prmt", "sad", "bfe", "bfi", "bmsk", "szext", "copysign", "set", "setp",
    // One machine instruction, or a few: the estimate counts one.
    "vadd2", "vadd4", "vsub2", "vsub4", "vavrg2", "vavrg4", "vabsdiff2", "vabsdiff4", "vmin2", "vmin4", "vmax2",
    "vmax4", "vset2", "vset4", "vadd", "vsub", "vabsdiff", "vmin", "vmax", "vset", "vshl", "vshr"};

bool has(const Tokens& tokens, std::string_view wanted) {
  return std::find(tokens.begin(), tokens.end(), wanted) != tokens.end();
}

template <std::size_t count>
bool is_one_of(std::string_view name, const std::string_view (&names)[count]) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

/// The last type of an opcode: that of its operands.
ptx::Type type_of(const Tokens& tokens) {
  for (auto token = tokens.rbegin(); token != tokens.rend(); ++token) {
    const ptx::Type type = ptx::type_from_text(*token);
    if (type != ptx::Type::none) return type;
  }
  return ptx::Type::none;
}

bool is_float(ptx::Type type) {
  using T = ptx::Type;
  return type == T::f16 || type == T::f16x2 || type == T::bf16 || type == T::bf16x2 || type == T::f32 || type == T::f64;
}

Class class_of_arithmetic(const Tokens& tokens) {
  const std::string_view name = tokens.front();
  const ptx::Type type = type_of(tokens);
  if (type == ptx::Type::f64) return Class::fp64;
  if (is_float(type) && type != ptx::Type::f32) return Class::half;
  if (type == ptx::Type::pred) return Class::predicate;
  if (type != ptx::Type::f32 && size_of(type) == 8) return Class::wide_integer;
  if (name == "set" || name == "setp") return Class::predicate;
  if (type == ptx::Type::f32) return name == "fma" || name == "mad" ? Class::fp32_fma : Class::fp32;
  const bool multiplies = name == "mul" || name == "mad" || name == "madc";
  return multiplies ? Class::integer_multiply : Class::integer;
}

/// Between whole numbers it is a move of registers, or cuts bits off.
Class class_of_conversion(const Tokens& tokens) {
  std::size_t widest = 0;
  for (const std::string_view token : tokens) {
    const ptx::Type type = ptx::type_from_text(token);
    if (is_float(type)) return Class::conversion;
    if (type == ptx::Type::none && (token.front() == 'e' || token.substr(0, 2) == "tf")) return Class::conversion;
    if (type != ptx::Type::none) widest = std::max<std::size_t>(widest, size_of(type));
  }
  return widest == 8 ? Class::move : Class::integer;
}

}  // namespace

const char* name_of(InstructionClass one) { return kNames[static_cast<std::size_t>(one)]; }

InstructionClass class_of(const InstructionOrigin& origin) {
  if (origin.row == nullptr) return Class::other;
  const Tokens tokens = tokens_of(*origin.row, origin.match);
  const std::string_view name = tokens.front();
  if (name == "ld" && has(tokens, "param")) return Class::move;
  if (name == "bar") return has(tokens, "warp") ? Class::control : Class::barrier;
  if (name == "wmma") return has(tokens, "mma") ? Class::tensor : Class::memory;
  if (name == "cp") return has(tokens, "shared") || has(tokens, "shared::cta") ? Class::memory : Class::control;
  if (name == "cvt") return class_of_conversion(tokens);
  if (name == "rcp" || name == "sqrt") return has(tokens, "approx") ? Class::special : Class::division;
  if (is_one_of(name, kArithmetic)) return class_of_arithmetic(tokens);
  for (const auto& [each, its_class] : kByName) {
    if (name == each) return name == "mov" && type_of(tokens) == ptx::Type::pred ? Class::predicate : its_class;
  }
  return Class::other;
}

std::uint64_t parts_of(const InstructionOrigin& origin) {
  if (origin.row == nullptr) return 1;
  constexpr std::string_view kInTwoParts[] = {"popc", "clz", "bfind", "brev", "mul", "mad"};
  const Tokens tokens = tokens_of(*origin.row, origin.match);
  const ptx::Type type = type_of(tokens);
  const bool is_wide = size_of(type) == 8 && !is_float(type) && !has(tokens, "wide");
  return is_wide && is_one_of(tokens.front(), kInTwoParts) ? 2 : 1;
}

std::string tensor_shape(const InstructionOrigin& origin) {
  std::string shape;
  std::vector<std::string_view> types;
  for (const std::string_view token : tokens_of(*origin.row, origin.match)) {
    if (token.size() > 1 && token[0] == 'm' && token[1] >= '0' && token[1] <= '9') shape = token;
    if (ptx::type_from_text(token) != ptx::Type::none || token == "tf32") types.push_back(token);
  }
  // wmma names the types of the sums alone where the factors are halves.
  return shape + "." + std::string(types.size() >= 4 ? types[1] : "f16");
}

std::string opcode_of(const InstructionOrigin& origin) {
  std::string opcode;
  for (const std::string_view token : tokens_of(*origin.row, origin.match))
    opcode += (opcode.empty() ? "" : ".") + std::string(token);
  return opcode;
}

}  // namespace cudasim
