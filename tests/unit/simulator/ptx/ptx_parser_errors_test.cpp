// SPDX-License-Identifier: MIT
// The PTX parser reads untrusted text. These tests say what it refuses, with what words and at which line. Nothing
// makes it crash, read outside the text or take much more memory than the text does (the sanitizer builds see to the
// second).
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <random>
#include <string>
#include <string_view>

#include "ptx_parser_helpers.h"
#include "ptx_samples.h"

namespace cudasim::ptx {
namespace {

struct Refused {
  std::string text;
  int line;
  std::string message;  ///< a part of what() must read so
};

void expect_refused(const Refused& expected) {
  SCOPED_TRACE(expected.text.substr(0, 300));
  try {
    parse(expected.text);
    ADD_FAILURE() << "was accepted";
  } catch (const SyntaxError& error) {
    EXPECT_EQ(error.line, expected.line) << error.what();
    EXPECT_NE(std::string(error.what()).find(expected.message), std::string::npos) << error.what();
    EXPECT_EQ(std::string(error.what()).find("PTX line " + std::to_string(expected.line) + ": "), 0u) << error.what();
  }
}

/// `body` begins on line 5.
Refused in_body(const std::string& body, int line, const std::string& message) {
  return {header + ".entry k(.param .u64 a) { .reg .pred %p<4>; .reg .b32 %r<9>; .reg .b64 %rd<9>;\n" + body + "\n}\n",
          line, message};
}

/// `text` begins on line 4.
Refused in_module(const std::string& text, int line, const std::string& message) {
  return {header + text, line, message};
}

std::string repeat(const std::string& text, int times) {
  std::string result;
  for (int i = 0; i < times; ++i) result += text;
  return result;
}

TEST(PtxErrors, Instructions) {
  const Refused cases[] = {
      in_body("\n\nadd.s32 %r1, %r2, %r3 }", 7, "expected ';' after the operands of 'add.s32', found '}'"),
      in_body("ret }", 5, "expected ';' or an operand after 'ret', found '}'"),
      in_body("add.s32 %r1,;", 5, "expected an operand, found ';'"),
      in_body("add.s32 %r1 %r2;", 5, "expected ';' after the operands of 'add.s32', found '%r2'"),
      in_body("add.s32 %r1, \"x\";", 5, "expected an operand, found the string 'x'"),
      in_body("%r1 = 5;", 5, "expected an instruction, found '%r1'"),
      in_body("5;", 5, "expected an instruction, a declaration, a label or '}' in function 'k', found '5'"),
      in_body("@p exit;", 5, "the predicate 'p' is not declared"),
      in_body("@%p9 exit;", 5, "the predicate '%p9' is not declared"),
      in_body("@%r1 exit;", 5, "'%r1' guards an instruction but is not a predicate"),
      in_body("@ exit;", 5, "the predicate 'exit' is not declared"),
      in_body("@%p1 { exit; }", 5, "expected an instruction, found '{'"),
      in_body("selp.b32 %r1, 1, 2, !%q;", 5, "the predicate '%q' is not declared"),
      in_body("setp.b32 5|%p1, 1, %p1;", 5, "expected a number, found '%p1'"),
      in_body("setp.b32 %p1|5, 1, 2;", 5, "only registers can be paired"),
      in_body("setp.b32 x|%p1, 1, 2;", 5, "only registers can be paired"),
      in_body("ld.u32 %r1, [%rd1;", 5, "expected ']' at the end of an address, found ';'"),
      in_body("ld.u32 %r1, [];", 5, "expected an operand, found ']'"),
      in_body("ld.u32 %r1, [0f00000000];", 5, "an address begins with a register, a name or an integer"),
      in_body("ld.u32 %r1, [!%p1];", 5, "an address cannot be negated"),
      in_body("ld.u32 %r1, a[3];", 5, "expected ';' after the operands of 'ld.u32', found '['"),
      in_body("mov.b64 {}, %rd1;", 5, "expected an operand, found '}'"),
      in_body("mov.b64 {%r1, %r2, %rd1;", 5, "expected '}' at the end of a vector, found ';'"),
      in_body("mov.b32 %r1, x.y;", 5, "expected a register, a variable or a label, found 'x.y'"),
      in_body("bra NOWHERE;", 5, "the label 'NOWHERE' is not declared here"),
      in_body("bra IN;\n{ IN: exit; }", 5, "the label 'IN' is not declared here"),
      in_body("t: .branchtargets A, B; A: brx.idx %r1, t;", 5, "the label 'B' is not declared here"),
      in_body("L: exit;\nL: exit;", 6, "the label 'L' is declared twice in the same scope"),
      in_body("call (%r1) f;", 5, "expected ',' after the return values of a call, found 'f'"),
      in_body("call 5;", 5, "expected the function to call, found '5'"),
      in_body("call %rq, (%r1);", 5, "the register '%rq' is not declared"),
      in_body("call f, (%r1;", 5, "expected ')' at the end of a list, found ';'"),
      in_body("call f, (), (%r1);", 5, "expected a prototype or a list of targets"),
  };
  for (const auto& c : cases) expect_refused(c);
}

TEST(PtxErrors, ConstantsAndLexis) {
  const Refused cases[] = {
      in_body("mov.b32 %r1, 5/0;", 5, "division by zero"),
      in_body("mov.b32 %r1, 5%0;", 5, "division by zero"),
      in_body("mov.b32 %r1, 1.0+2;", 5, "only integers can be combined"),
      in_body("mov.b32 %r1, ~1.0;", 5, "'~' needs an integer"),
      in_body("mov.b32 %r1, (1;", 5, "expected ')' at the end of the constant expression, found ';'"),
      in_body("mov.b32 %r1, (s64)1.0;", 5, "only an integer can be cast"),
      in_body("mov.b32 %r1, -;", 5, "expected a number, found ';'"),
      in_body("mov.b32 %r1, 18446744073709551616;", 5, "'18446744073709551616' does not fit into 64 bits"),
      in_body("mov.b32 %r1, 0x;", 5, "malformed number '0x'"),
      in_body("mov.b32 %r1, 0f3F80000;", 5, "malformed number '0f3F80000'"),
      in_body("mov.b32 %r1, 0f3F8000000;", 5, "malformed number '0f3F8000000'"),
      in_body("mov.b32 %r1, 0d3F800000;", 5, "malformed number '0d3F800000'"),
      in_body("mov.b32 %r1, 0b102;", 5, "malformed number '0b102'"),
      in_body("mov.b32 %r1, 089;", 5, "malformed number '089'"),
      in_body("mov.b32 %r1, 12ab;", 5, "malformed number '12ab'"),
      in_body("mov.b32 %r1, 1e999;", 5, "malformed number '1e999'"),
      in_body("mov.b32 %r1, #;", 5, "unexpected character '#'"),
      in_body(std::string("mov.b32 %r1, \x01;"), 5, "unexpected character 0x01"),
      in_body(std::string("mov.b32 \0%r1, 1;", 16), 5, "unexpected character 0x00"),
      in_body("\n/* open", 6, "never closed"),
      in_body(".pragma \"open;", 5, "not closed on its line"),
  };
  for (const auto& c : cases) expect_refused(c);
}

TEST(PtxErrors, DeclarationsInFunctions) {
  const Refused cases[] = {
      in_body(".reg .b32 %r<3>;", 5, "'%r'<> is declared twice in the same scope"),
      in_body(".reg .b32 x;\n.reg .b64 x;", 6, "'x' is declared twice in the same scope"),
      in_body(".reg .b32 x<2>;\n.reg .b64 x<3>;", 6, "'x'<> is declared twice in the same scope"),
      in_body(".local .b32 x, x;", 5, "'x' is declared twice in the same scope"),
      in_body(".reg .v2 .f32 x;", 5, "vector registers (.reg .v2) are not supported"),
      in_body(".reg .b32 %x<99999999>;", 5, "more than 1000000 registers in the module"),
      in_body(".reg .b32 %x<-1>;", 5, "expected the number of registers, found '-'"),
      in_body(".reg .b32 %x<4;", 5, "expected '>' after the number of registers"),
      in_body(".reg .b32 %tid.x;", 5, "'%tid.x' cannot name a register"),
      in_body(".reg %x;", 5, "expected a type such as .b32 in a declaration, found '%x'"),
      in_body(".reg .b32 %x", 6, "expected ';' after the names of registers, found '}'"),
      in_body(".local .pred x;", 5, "a predicate can only be a register"),
      in_body(".local .align 3 .b8 x;", 5, "an alignment is a power of two, not 3"),
      in_body(".local .b8 x[4;", 5, "expected ']' after the size of an array"),
      in_body(".local .b64 x[-1];", 5, "is too large"),
      in_body(".local .b64 x[16777216][16777216];", 5, "a variable of more than 2^48 bytes"),
      in_body(".shared .u32 x = 4;", 5, "expected ';' after the declaration of a variable, found '='"),
      in_body(".global .u32 x;", 5, "the directive '.global' is not supported inside a function"),
      in_body(".loc 1 2;", 5, "expected the column of .loc"),
      in_body(".loc 1 2 99999999999", 5, "is larger than 2147483647"),
      in_body(".loc 1 2 3, inlined_by 4 5 6", 5,
              "expected 'function_name' or 'inlined_at' in .loc, found 'inlined_by'"),
      in_body(".loc 1 2 3, function_name F, inlined_at 4 5 6\nexit;", 5,
              "'F' of a function's name is not defined in .debug_str"),
      {header + ".entry k() { .loc 1 2 3, function_name F+9, inlined_at 4 5 6 }\n.section .debug_str { F: .b8 65, 0 }",
       4, "the function's name lies outside .debug_str"},
      {header + ".entry k() {\n exit;\n", 6, "found the end of the text"},
  };
  for (const auto& c : cases) expect_refused(c);
}

TEST(PtxErrors, ModuleScope) {
  const Refused cases[] = {
      {"", 1, "expected '.version' at the beginning of a PTX text, found the end of the text"},
      {"\nint main() {}", 2, "expected '.version' at the beginning of a PTX text, found 'int'"},
      {".version 9.0\n", 2, "names no target"},
      {".version 9.0\n.target 75", 2, "expected a target such as sm_75, found '75'"},
      {".version 9.0\n.target sm_75\n.address_size 32", 4 - 1, "only 64-bit addresses are supported"},
      in_module("add.s32 %r1;", 4, "expected a directive at module scope, found 'add.s32'"),
      in_module(".alias f, g;", 4, "the directive '.alias' is not supported at module scope"),
      in_module(".global .texref t;", 4, "textures, samplers and surfaces are not supported: '.texref'"),
      in_module(".global .u32 5;", 4, "expected the name of a variable, found '5'"),
      in_module(".global .u32 a;\n.global .u32 a;", 5, "the variable 'a' is defined twice"),
      in_module(".global .u32 a;\n.func a;", 5, "'a' is both a function and a variable"),
      in_module(".func a;\n.global .u32 a;", 5, "'a' is both a function and a variable"),
      in_module(".func f { ret; }\n.func f { ret; }", 5, "the function 'f' is defined twice"),
      in_module(".entry f { ret; }\n}", 5, "expected a directive at module scope, found '}'"),
      in_module(".entry f(.param .u32 a, .param .u32 a) { ret; }", 4, "the parameter 'a' is declared twice"),
      in_module(".entry f(.u32 a);", 4, "expected '.param' in a list of parameters, found '.u32'"),
      in_module(".entry f(.param .u32 a { }", 4, "expected ')' after the parameters, found '{'"),
      in_module(".entry f .maxntid 1,2,3,4 { }", 4, "a block has three dimensions at most"),
      in_module(".entry f .maxntid { }", 4, "expected a number of threads, found '{'"),
      in_module(".entry f() ret;", 4, "expected '{' or ';' after the header of function 'f', found 'ret'"),
      in_module(".file 1", 4, "expected the name of a file, found the end of the text"),
      in_module(".section .debug_info {\n.b8 1", 5, "expected '}' at the end of a section, found the end of the text"),
      in_module(".section .debug_str { .b8 x }", 4, "expected a number in .debug_str, found 'x'"),
      in_module(".section .debug_info ;", 4, "expected '{' after .section, found ';'"),
  };
  for (const auto& c : cases) expect_refused(c);
}

TEST(PtxErrors, Initialisers) {
  const Refused cases[] = {
      in_module(".global .b8 x[2] = {1, 2, 3};", 4, "more initialisers than elements for 'x'"),
      in_module(".global .b8 x[2][2] = {{1, 2, 3}};", 4, "more initialisers than elements for 'x'"),
      in_module(".global .b8 x[2] = {{1}};", 4, "braces are nested more deeply than 'x' has dimensions"),
      in_module(".global .b8 x[][0] = {1};", 4, "more initialisers than elements for 'x'"),
      in_module(".global .b8 x = {1};", 4, "'x', which is no array"),
      in_module(".global .b8 x[2] = {1, 2;", 4, "expected '}' at the end of an initialiser, found ';'"),
      in_module(".global .b8 x[2] = {1, ;", 4, "expected a variable or function in an initialiser, found ';'"),
      in_module(".global .u64 x = generic(y;", 4, "expected ')' after generic(, found ';'"),
      in_module(".global .u64 x = 0xFF(y;", 4, "expected ')' after a masked address, found ';'"),
      in_module(".global .f32 x = y;", 4, "an address cannot initialise a floating-point number"),
      in_module(".global .u32 x = 1.5;", 4, "a floating-point number cannot initialise an element of this type"),
      in_module(".extern .global .u32 x = 1;", 4, "expected ';' after the declaration of a variable, found '='"),
  };
  for (const auto& c : cases) expect_refused(c);
}

TEST(PtxLimits, MemoryStaysProportionalToTheText) {
  expect_refused(in_module(".global .b8 x[2][99999999] = {{1}, {2}};", 4, "more initialisers than the text is long"));
  expect_refused(in_module(".func f { .reg .b32 %r<600000>; ret; }\n.func g { .reg .b32 %r<600000>; ret; }", 5,
                           "more than 1000000 registers in the module"));
  expect_refused(
      in_module(".func f { .reg .b32 %r<1000000>;\n.reg .b32 x; }", 5, "more than 1000000 registers in the module"));
  const Module module = parse(header + ".global .b8 x[99999999999]; .entry k { .local .b64 y[99999999999]; exit; }");
  EXPECT_EQ(module.variables.at(0).size_bytes, 99999999999u);
  // A name of 60,000 bytes, which each of 1,000 lines would copy: 64 bytes of names are allowed for a byte of text.
  std::string text = header + ".entry k {\n";
  for (int i = 1; i <= 1000; ++i) text += ".loc 1 " + std::to_string(i) + " 1, function_name N, inlined_at 1 1 1\n";
  text += "}\n.section .debug_str { N: .b8 65" + repeat(",65", 59'999) + " }";
  const int copies = static_cast<int>(text.size() * 64 / 60'000);
  expect_refused({text, 5 + copies, "too many long function names"});
  expect_refused(
      in_module(".entry k {\n.loc 1 2 3, function_name N, inlined_at 1 1 1\n}\n.section .debug_str { N: .b8 65" +
                    repeat(",65", 70'000) + " }",
                5, "a function's name of 70001 bytes"));
}

TEST(PtxLimits, Nesting) {
  const int deep = 100'000;
  expect_refused(in_body(repeat("{", deep), 5, "nested more than 200 levels deep"));
  expect_refused(in_body("mov.b32 " + repeat("{", deep), 5, "nested more than 200 levels deep"));
  expect_refused(in_body("mov.b32 " + repeat("[", deep), 5, "nested more than 200 levels deep"));
  expect_refused(in_body("mov.b32 " + repeat("(", deep), 5, "nested more than 200 levels deep"));
  expect_refused(in_body("mov.b32 " + repeat("-", deep), 5, "nested more than 200 levels deep"));
  expect_refused(in_body("mov.b32 " + repeat("((.s64)", deep), 5, "nested more than 200 levels deep"));
  expect_refused(in_body("call f, " + repeat("(", deep), 5, "nested more than 200 levels deep"));
  expect_refused(in_module(".global .b8 x" + repeat("[1]", deep) + ";", 4, "too many dimensions"));
  const int fine = 150;
  EXPECT_NO_THROW(parse(in_body(repeat("{", fine) + "exit;" + repeat("}", fine), 0, "").text));
  EXPECT_NO_THROW(parse(in_body("mov.b32 %r1, " + repeat("(", fine) + "1" + repeat(")", fine) + ";", 0, "").text));
}

/// Must be refused or accepted; anything else ends the test program.
bool survives(const std::string& text) {
  // An exact copy on the heap, so that a sanitizer sees the first byte read behind it.
  const std::unique_ptr<char[]> copy(new char[text.size()]);
  text.copy(copy.get(), text.size());
  try {
    parse(std::string_view(copy.get(), text.size()));
    return true;
  } catch (const SyntaxError&) {
    return false;
  }
}

TEST(PtxRobustness, TruncationAtEveryByte) {
  for (const char* sample : {samples::loop_with_lineinfo, samples::calls, samples::debug_function}) {
    const std::string text = sample;
    ASSERT_TRUE(survives(text));
    int accepted = 0;
    for (std::size_t length = 0; length < text.size(); ++length) accepted += survives(text.substr(0, length)) ? 1 : 0;
    EXPECT_LT(accepted, static_cast<int>(text.size()) / 2);
  }
}

TEST(PtxRobustness, RandomMutations) {
  std::mt19937 random(12345);
  auto below = [&](std::size_t limit) { return static_cast<std::size_t>(random()) % limit; };
  const std::string sources[] = {samples::loop_with_lineinfo, samples::calls, samples::debug_function};
  const char* const pieces[] = {"{",
                                "}",
                                "(",
                                ")",
                                "[",
                                "]",
                                ";",
                                ",",
                                ":",
                                "::",
                                ".",
                                "%",
                                "@",
                                "!",
                                "|",
                                "<",
                                ">",
                                "-",
                                "\"",
                                "/*",
                                "0x",
                                "0f",
                                "999999999999999999999",
                                "_",
                                ".reg",
                                ".b32",
                                ".loc",
                                ".section",
                                "call",
                                "bra",
                                "generic(",
                                "\n",
                                "\x80",
                                "%r<99999>"};
  int accepted = 0;
  for (int round = 0; round < 2000; ++round) {
    std::string text = sources[below(std::size(sources))];
    for (std::size_t edits = 1 + below(4); edits > 0; --edits) {
      const std::size_t at = below(text.size()), length = std::min(text.size() - at, below(40));
      switch (below(5)) {
        case 0:
          text[at] = static_cast<char>(below(256));
          break;
        case 1:
          text.erase(at, length);
          break;
        case 2:
          text.insert(below(text.size()), text.substr(at, length));
          break;
        case 3:
          text.insert(at, pieces[below(std::size(pieces))]);
          break;
        default:
          std::swap(text[at], text[below(text.size())]);
      }
      if (text.empty()) text = " ";
    }
    accepted += survives(text) ? 1 : 0;
  }
  EXPECT_GT(accepted, 0) << "some edits fall into comments";
  EXPECT_LT(accepted, 2000);
}

}  // namespace
}  // namespace cudasim::ptx
