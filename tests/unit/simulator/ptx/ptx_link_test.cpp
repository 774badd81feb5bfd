// SPDX-License-Identifier: MIT
// Several PTX texts become one: which definition counts, and names that each has for itself.
#include <gtest/gtest.h>

#include <set>

#include "ptx/link.h"
#include "ptx_parser_helpers.h"

namespace cudasim::ptx {
namespace {

Module linked(const std::vector<std::string>& texts) {
  std::vector<Module> modules;
  for (const auto& text : texts) modules.push_back(parse(header + text));
  return link(std::move(modules));
}

std::vector<std::uint64_t> values_of(const Module& module, const std::string& name) {
  for (const auto& variable : module.variables)
    if (variable.name == name) return bits_of(variable);
  return {};
}

std::string operand_of(const Function& function, std::size_t instruction, std::size_t operand) {
  const Operand& written = function.instructions.at(instruction).operands.at(operand);
  return written.kind == Operand::Kind::address ? written.elements.at(0).name : written.name;
}

TEST(PtxLink, OneTextStaysAsItIs) {
  const Module module = linked({".global .u32 x = 3;"});
  EXPECT_EQ(module.variables.at(0).name, "x");
}

TEST(PtxLink, ADeclarationMeansTheOtherTextsDefinition) {
  for (const bool definition_first : {false, true}) {
    std::vector<std::string> texts = {".extern .global .u32 x; .extern .func f; .visible .entry k() { call f; ret; }",
                                      ".visible .global .u32 x = 5; .visible .func f { ret; }"};
    if (definition_first) std::swap(texts[0], texts[1]);
    const Module module = linked(texts);
    EXPECT_EQ(module.variables.size(), 1u);
    EXPECT_FALSE(module.variables.at(0).is_extern);
    EXPECT_EQ(values_of(module, "x"), std::vector<std::uint64_t>{5});
    ASSERT_EQ(module.functions.size(), 2u);
    EXPECT_FALSE(module.find_function("f")->is_declaration);
  }
}

TEST(PtxLink, OfWeakDefinitionsTheFirstCountsAndAVisibleOneBeforeThem) {
  EXPECT_EQ(values_of(linked({".weak .global .u32 x = 1;", ".weak .global .u32 x = 2;"}), "x").at(0), 1u);
  EXPECT_EQ(values_of(linked({".weak .global .u32 x = 1;", ".visible .global .u32 x = 2;"}), "x").at(0), 2u);
  EXPECT_EQ(values_of(linked({".visible .global .u32 x = 1;", ".weak .global .u32 x = 2;"}), "x").at(0), 1u);
  EXPECT_EQ(linked({".weak .func f { ret; }", ".weak .func f { ret; }"}).functions.size(), 1u);
}

TEST(PtxLink, ANameThatTwoTextsDefineForAllIsAnError) {
  EXPECT_THROW(linked({".visible .global .u32 x;", ".visible .global .u32 x;"}), LinkError);
  EXPECT_THROW(linked({".visible .func f { ret; }", ".visible .func f { ret; }"}), LinkError);
  EXPECT_THROW(linked({".entry k() { ret; }", ".entry k() { ret; }"}), LinkError);
}

TEST(PtxLink, EachTextKeepsItsOwnNames) {
  const std::string text =
      ".global .u32 own = 1; .global .u64 pointer = own; .func f; .func f { ret; }\n"
      ".visible .entry KERNEL() { .reg .b32 %r<2>; ld.global.u32 %r1, [own+4]; call f; ret; }";
  std::string first = text, second = text;
  first.replace(first.find("KERNEL"), 6, "a");
  second.replace(second.find("KERNEL"), 6, "b");
  second.replace(second.find("= 1"), 3, "= 2");
  const Module module = linked({first, second});
  const Function& a = *module.find_function("a");
  const Function& b = *module.find_function("b");
  EXPECT_EQ(values_of(module, operand_of(a, 0, 1)), std::vector<std::uint64_t>{1});
  EXPECT_EQ(values_of(module, operand_of(b, 0, 1)), std::vector<std::uint64_t>{2});
  EXPECT_NE(operand_of(a, 1, 1), operand_of(b, 1, 1));
  EXPECT_FALSE(module.find_function(operand_of(b, 1, 1))->is_declaration);
  ASSERT_EQ(module.variables.size(), 4u);
  EXPECT_EQ(module.variables.at(1).initialisers.at(0).symbol, module.variables.at(0).name);
  EXPECT_EQ(module.variables.at(3).initialisers.at(0).symbol, module.variables.at(2).name);
  std::set<std::string> names;
  for (const auto& variable : module.variables) EXPECT_TRUE(names.insert(variable.name).second) << variable.name;
}

TEST(PtxLink, AFunctionsVariableIsNotCalledAsOneThatAnotherTextDefines) {
  const Module module =
      linked({".visible .global .u32 x = 1;",
              ".visible .entry k() { .local .u32 x; .shared .u32 s; .reg .b32 %r<2>;\n"
              "ld.local.u32 %r1, [x]; ld.shared.u32 %r1, [s]; ret; }",
              ".visible .entry l() { .shared .u32 s; .reg .b32 %r<2>; ld.shared.u32 %r1, [s]; ret; }"});
  const Function& k = *module.find_function("k");
  EXPECT_NE(k.variables.at(0).name, "x");
  EXPECT_EQ(operand_of(k, 0, 1), k.variables.at(0).name);
  EXPECT_EQ(operand_of(k, 1, 1), k.variables.at(1).name);
  const Function& l = *module.find_function("l");
  EXPECT_NE(l.variables.at(0).name, k.variables.at(1).name);
  EXPECT_EQ(operand_of(l, 0, 1), l.variables.at(0).name);
}

TEST(PtxLink, LinesLeadToTheFilesOfTheirOwnText) {
  const auto text = [](const std::string& kernel, const std::string& file) {
    return ".visible .entry " + kernel + "() { .loc 1 7 1\n ret; }\n.file 1 \"" + file + "\"\n";
  };
  const Module module = linked({text("a", "one.cu"), text("b", "two.cu")});
  const auto file_of = [&](const std::string& kernel) {
    const auto location = static_cast<std::size_t>(module.find_function(kernel)->instructions.at(0).location);
    return *module.file_name(module.locations.at(location).file);
  };
  EXPECT_EQ(file_of("a"), "one.cu");
  EXPECT_EQ(file_of("b"), "two.cu");
}

}  // namespace
}  // namespace cudasim::ptx
