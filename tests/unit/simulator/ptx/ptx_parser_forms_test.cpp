// SPDX-License-Identifier: MIT
// Every form of operand, literal, declaration and header that the PTX parser accepts, in tables of text and meaning.
#include <gtest/gtest.h>

#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

#include "ptx_parser_helpers.h"

namespace cudasim::ptx {
namespace {

TEST(PtxOperands, Kinds) {
  EXPECT_EQ(parse_source("%r1").kind, Kind::reg);
  EXPECT_EQ(parse_source("_").kind, Kind::sink);
  const Operand special = parse_source("%tid.x");
  EXPECT_EQ(special.kind, Kind::special);
  EXPECT_EQ(special.name, "%tid.x");
  const Operand symbol = parse_source("sym-8+2");
  EXPECT_EQ(symbol.kind, Kind::name);
  EXPECT_EQ(symbol.name, "sym");
  EXPECT_EQ(symbol.offset, -6);
  const Operand parameter = parse_source("k_param_0");
  EXPECT_EQ(parameter.name, "k_param_0");
  const Operand negated = parse_source("!%p1");
  EXPECT_EQ(negated.kind, Kind::reg);
  EXPECT_TRUE(negated.negated);
  const Operand vector = parse_source("{%r1, _, -1, {%f1, %f2}}");
  EXPECT_EQ(vector.kind, Kind::vector);
  ASSERT_EQ(vector.elements.size(), 4u);
  EXPECT_EQ(vector.elements[1].kind, Kind::sink);
  EXPECT_EQ(vector.elements[2].bits, ~0ull);
  EXPECT_EQ(vector.elements[3].elements.size(), 2u);
  const Operand pair = parse_source("_|%p1");
  EXPECT_EQ(pair.kind, Kind::pair);
  ASSERT_EQ(pair.elements.size(), 2u);
  EXPECT_EQ(pair.elements[0].kind, Kind::sink);
}

TEST(PtxOperands, FloatingPointLiterals) {
  struct Case {
    const char* text;
    Kind kind;
    std::uint64_t bits;
  };
  const Case cases[] = {
      {"0f3F800000", Kind::f32_bits, 0x3f800000},
      {"0Fff800000", Kind::f32_bits, 0xff800000},
      {"-0f3F800000", Kind::f32_bits, 0xbf800000},
      {"0d3FF8000000000000", Kind::f64_bits, 0x3ff8000000000000},
      {"-0D7ff0000000000000", Kind::f64_bits, 0xfff0000000000000},
      {"1.5", Kind::f64_bits, 0x3ff8000000000000},
      {"-15e-1", Kind::f64_bits, 0xbff8000000000000},
      {"150.E-2", Kind::f64_bits, 0x3ff8000000000000},
      {".5", Kind::f64_bits, 0x3fe0000000000000},
  };
  for (const auto& c : cases) {
    const Operand operand = parse_source(c.text);
    EXPECT_EQ(operand.kind, c.kind) << c.text;
    EXPECT_EQ(operand.bits, c.bits) << c.text;
  }
}

TEST(PtxOperands, IntegerExpressions) {
  struct Case {
    const char* text;
    std::int64_t value;
  };
  const Case cases[] = {
      {"0", 0},
      {"-1", -1},
      {"0x1F", 31},
      {"0X1fU", 31},
      {"017", 15},
      {"0b101", 5},
      {"42U", 42},
      {"18446744073709551615", -1},
      {"-9223372036854775808", INT64_MIN},
      {"WARP_SZ", 32},
      {"WARP_SZ - 1", 31},
      {"2+3*4", 14},
      {"(2+3)*4", 20},
      {"10-4-3", 3},
      {"7/2", 3},
      {"-7/2", -3},
      {"-7%3", -1},
      {"7 % 3", 1},
      {"-1/2U", INT64_MAX},
      {"1<<4|3", 19},
      {"6&3^1", 3},
      {"-8>>1", -4},
      {"0xFFFFFFFFFFFFFFF8>>60", 15},
      {"1<<64", 0},
      {"-1>>200", -1},
      {"~0", -1},
      {"!0", 1},
      {"!5", 0},
      {"-(-(3))", 3},
      {"+7", 7},
      {"(.s64)-8>>1", -4},
      {"(u64)-8>>60", 15},
      {"-9223372036854775808 / -1", INT64_MIN},
      {"5 % -1", 0},
  };
  for (const auto& c : cases) {
    const Operand operand = parse_source(c.text);
    EXPECT_EQ(operand.kind, Kind::integer) << c.text;
    EXPECT_EQ(static_cast<std::int64_t>(operand.bits), c.value) << c.text;
  }
}

TEST(PtxOperands, Addresses) {
  struct Case {
    const char* text;
    Kind base;
    const char* name;
    std::int64_t offset;
  };
  const Case cases[] = {
      {"[%rd1]", Kind::reg, "%rd1", 0},      {"[%rd1+4]", Kind::reg, "%rd1", 4},
      {"[%rd1+-4]", Kind::reg, "%rd1", -4},  {"[%r1 - 8]", Kind::reg, "%r1", -8},
      {"[%rd1+2*8]", Kind::reg, "%rd1", 16}, {"[sym]", Kind::name, "sym", 0},
      {"[sym+8]", Kind::name, "sym", 8},     {"[k_param_0+0x10]", Kind::name, "k_param_0", 16},
      {"[16]", Kind::integer, "", 0},        {"[%rd1+18446744073709551612]", Kind::reg, "%rd1", -4},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.text);
    const Function function = parse_body(std::string("ld.u32 %r0, ") + c.text + ";");
    const Operand& address = function.instructions.at(0).operands.at(1);
    ASSERT_EQ(address.kind, Kind::address);
    ASSERT_EQ(address.elements.size(), 1u);
    EXPECT_EQ(address.elements[0].kind, c.base);
    EXPECT_EQ(name_of(function, address.elements[0]), c.name);
    EXPECT_EQ(address.offset, c.offset);
    EXPECT_EQ(address.elements[0].offset, 0);
  }
  EXPECT_EQ(parse_source("[16]").elements.at(0).bits, 16u);
  EXPECT_EQ(parse_source("[map, {%r1, %r2}]").elements.size(), 2u);
}

TEST(PtxInstructions, OpcodesGuardsAndSpaces) {
  const Function function =
      parse_body(".file 7 \"x\"\n@%p1 ld.param .u64 %rd1, [k_param_0]; @!%p2 exit; ;\n\nret; add\n.s32\n%r1,%r1,1;");
  ASSERT_EQ(function.instructions.size(), 4u);
  EXPECT_EQ(function.instructions[0].opcode, "ld.param.u64");
  EXPECT_EQ(register_name(function, function.instructions[0].guard), "%p1");
  EXPECT_FALSE(function.instructions[0].guard_negated);
  EXPECT_TRUE(function.instructions[1].guard_negated);
  EXPECT_EQ(function.instructions[2].guard, -1);
  EXPECT_EQ(function.instructions[3].opcode, "add.s32");
  EXPECT_EQ(function.instructions[3].ptx_line, function.instructions[2].ptx_line);
}

TEST(PtxLexis, CommentsStringsAndTrailingZeros) {
  std::string text = header + "/* a ; \n \" */ .file 1 \"a\\\"b\\\\c // d\"\n// .version\n.pragma \"x\", \"y\";";
  text.append(3, '\0');
  const Module module = parse(text);
  ASSERT_NE(module.file_name(1), nullptr);
  EXPECT_EQ(*module.file_name(1), "a\"b\\c // d");
}

TEST(PtxVariables, SizesAndAlignments) {
  struct Case {
    const char* text;
    Space space;
    Type type;
    std::uint64_t count, size;
    std::uint32_t align;
    bool is_array;
  };
  const Case cases[] = {
      {".global .u32 x;", Space::global, Type::u32, 1, 4, 4, false},
      {".visible .const .align 16 .b8 x[40];", Space::constant, Type::b8, 40, 40, 16, true},
      {".global .f64 x[2][3];", Space::global, Type::f64, 6, 48, 8, true},
      {".global .v4 .f32 x;", Space::global, Type::f32, 4, 16, 16, false},
      {".extern .shared .align 16 .b8 x[];", Space::shared, Type::b8, 0, 0, 16, true},
      {".weak .global .u16 x[] = {1, 2, 3};", Space::global, Type::u16, 3, 6, 2, true},
      {".global .u16 x[][2] = {{1}, {2}, {3}};", Space::global, Type::u16, 6, 12, 2, true},
      {".global .b8 x[281474976710656];", Space::global, Type::b8, 1ull << 48, 1ull << 48, 1, true},
      {".common .global .b128 x[2*WARP_SZ];", Space::global, Type::b128, 64, 1024, 16, true},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.text);
    const Variable variable = parse_variable(c.text);
    EXPECT_EQ(variable.name, "x");
    EXPECT_EQ(variable.space, c.space);
    EXPECT_EQ(variable.type, c.type);
    EXPECT_EQ(variable.element_count, c.count);
    EXPECT_EQ(variable.size_bytes, c.size);
    EXPECT_EQ(variable.align, c.align);
    EXPECT_EQ(variable.is_array, c.is_array);
  }
  EXPECT_TRUE(parse_variable(".global .attribute(.managed) .align 4 .u32 x = 3;").is_managed);
  EXPECT_FALSE(parse_variable(".global .align 4 .u32 x = 3;").is_managed);
}

TEST(PtxVariables, NumbersAsInitialisers) {
  using Bits = std::vector<std::uint64_t>;
  EXPECT_EQ(bits_of(parse_variable(".global .u32 x = 5;")), (Bits{5}));
  EXPECT_EQ(bits_of(parse_variable(".global .s16 x = -1;")), (Bits{0xffff}));
  EXPECT_EQ(bits_of(parse_variable(".global .u64 x = -1;")), (Bits{~0ull}));
  EXPECT_EQ(bits_of(parse_variable(".global .f32 x[4] = {1.0, 0f40000000, 0d4008000000000000, -4};")),
            (Bits{0x3f800000, 0x40000000, 0x40400000, 0xc0800000}));
  EXPECT_EQ(bits_of(parse_variable(".global .f64 x[2] = {-1.5, 0f3f800000};")),
            (Bits{0xbff8000000000000, 0x3ff0000000000000}));
  EXPECT_EQ(bits_of(parse_variable(".global .b32 x = 0f3f800000;")), (Bits{0x3f800000}));
  EXPECT_EQ(bits_of(parse_variable(".global .b8 x[9] = {1, 2, 3};")), (Bits{1, 2, 3})) << "the rest is zero";
  EXPECT_EQ(bits_of(parse_variable(".global .u8 x[3][2] = {{1}, {2, 3}, {}};")), (Bits{1, 0, 2, 3, 0, 0}));
  EXPECT_EQ(bits_of(parse_variable(".global .u8 x[2][2] = {1, 2, 3};")), (Bits{1, 2, 3}));
  EXPECT_EQ(bits_of(parse_variable(".global .u32 x = (1 << 4) + 0x3;")), (Bits{19}));
}

TEST(PtxVariables, AddressesAsInitialisers) {
  const Variable variable = parse_variable(
      ".global .u64 x[8] = {$str$1, y+4, generic(y), generic(y)+8, generic(y+2)-1, 2, 0XFF00(generic(y)), 0xFF(y+1)};");
  struct Expected {
    const char* symbol;
    std::uint64_t bits, mask;
    bool generic;
  };
  const Expected expected[] = {{"$str$1", 0, ~0ull, false}, {"y", 4, ~0ull, false}, {"y", 0, ~0ull, true},
                               {"y", 8, ~0ull, true},       {"y", 1, ~0ull, true},  {"", 2, ~0ull, false},
                               {"y", 0, 0xff00, true},      {"y", 1, 0xff, false}};
  ASSERT_EQ(variable.initialisers.size(), std::size(expected));
  for (std::size_t i = 0; i < std::size(expected); ++i) {
    SCOPED_TRACE(i);
    EXPECT_EQ(variable.initialisers[i].symbol, expected[i].symbol);
    EXPECT_EQ(variable.initialisers[i].bits, expected[i].bits);
    EXPECT_EQ(variable.initialisers[i].mask, expected[i].mask);
    EXPECT_EQ(variable.initialisers[i].generic, expected[i].generic);
  }
}

TEST(PtxVariables, ADefinitionReplacesADeclaration) {
  const Module module = parse(header + ".extern .global .u32 x; .global .u32 y, x = 7; .extern .global .u32 y;");
  ASSERT_EQ(module.variables.size(), 2u);
  EXPECT_EQ(module.variables[0].name, "x");
  EXPECT_FALSE(module.variables[0].is_extern);
  EXPECT_EQ(bits_of(module.variables[0]), (std::vector<std::uint64_t>{7}));
  EXPECT_FALSE(module.variables[1].is_extern);
  EXPECT_TRUE(parse_variable(".extern .global .u32 x;").is_extern);
}

TEST(PtxFunctions, HeadersAndDirectives) {
  const Module module =
      parse(header +
            ".entry a .maxntid 64 .maxnreg 32 .pragma \"z\"; .future_directive 1, 2 .other(.x, 3) { exit; }\n"
            ".weak .entry b(.param .align 4 .b8 s[40], .param .u64 .ptr .align 1 p) .reqntid 8, 4, 2 { }\n"
            ".func (.reg .f32 r, .param .b32 q) c (.reg .b32 x) .noreturn .abi_preserve 3 { mov.b32 x, 1; }\n"
            ".func d .noreturn;\n");
  ASSERT_EQ(module.functions.size(), 4u);
  const auto& a = module.functions[0];
  EXPECT_EQ(a.max_threads[0], 64u);
  EXPECT_EQ(a.max_threads[2], 1u);
  EXPECT_EQ(a.instructions.size(), 1u);
  const auto& b = module.functions[1];
  EXPECT_EQ(b.required_threads[1], 4u);
  EXPECT_EQ(b.parameters.at(0).size_bytes, 40u);
  EXPECT_EQ(b.parameters.at(0).align, 4u);
  EXPECT_EQ(b.parameters.at(1).align, 8u);
  const auto& c = module.functions[2];
  EXPECT_FALSE(c.is_entry);
  EXPECT_EQ(c.returns.at(0).space, Space::reg);
  EXPECT_EQ(c.returns.at(1).space, Space::param);
  EXPECT_EQ(register_name(c, c.instructions.at(0).operands.at(0).reg), "x");
  EXPECT_TRUE(module.functions[3].is_declaration);
}

TEST(PtxTypes, NamesAndSizes) {
  struct Case {
    const char* text;
    Type type;
    unsigned size;
  };
  const Case cases[] = {
      {"pred", Type::pred, 0}, {"b8", Type::b8, 1},         {"b16", Type::b16, 2},  {"b32", Type::b32, 4},
      {"b64", Type::b64, 8},   {"b128", Type::b128, 16},    {"u8", Type::u8, 1},    {"u16", Type::u16, 2},
      {"u32", Type::u32, 4},   {"u64", Type::u64, 8},       {"s8", Type::s8, 1},    {"s16", Type::s16, 2},
      {"s32", Type::s32, 4},   {"s64", Type::s64, 8},       {"f16", Type::f16, 2},  {"f16x2", Type::f16x2, 4},
      {"bf16", Type::bf16, 2}, {"bf16x2", Type::bf16x2, 4}, {"f32", Type::f32, 4},  {"f64", Type::f64, 8},
      {"", Type::none, 0},     {"u33", Type::none, 0},      {"u32 ", Type::none, 0}};
  for (const auto& c : cases) {
    EXPECT_EQ(type_from_text(c.text), c.type) << c.text;
    EXPECT_EQ(size_of(c.type), c.size) << c.text;
  }
}

}  // namespace
}  // namespace cudasim::ptx
