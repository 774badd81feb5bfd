// SPDX-License-Identifier: MIT
// What the PTX parser makes of valid texts: whole samples of nvcc's first, then source locations, names and scopes,
// branches and calls. Operands and declarations are in ptx_parser_forms_test.cpp, refused texts in
// ptx_parser_errors_test.cpp.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "ptx_parser_helpers.h"
#include "ptx_samples.h"

namespace cudasim::ptx {
namespace {

TEST(PtxSamples, OptimisedKernel) {
  const Module module = parse(samples::loop_with_lineinfo);
  EXPECT_EQ(module.version, "9.0");
  EXPECT_EQ(module.target, "sm_75");
  EXPECT_FALSE(module.debug);
  ASSERT_EQ(module.functions.size(), 1u);
  const Function& kernel = module.functions[0];
  EXPECT_EQ(kernel.name, "_Z6reducePKfPfj");
  EXPECT_TRUE(kernel.is_entry);
  EXPECT_FALSE(kernel.is_declaration);
  EXPECT_EQ(kernel.ptx_line, 11);
  EXPECT_EQ(kernel.max_threads[0], 256u);
  EXPECT_EQ(kernel.max_threads[1], 1u);
  EXPECT_EQ(kernel.required_threads[0], 0u);
  ASSERT_EQ(kernel.parameters.size(), 3u);
  EXPECT_EQ(kernel.parameters[1].name, "_Z6reducePKfPfj_param_1");
  EXPECT_EQ(kernel.parameters[1].type, Type::u64);
  EXPECT_EQ(kernel.parameters[1].align, 8u) << "the alignment behind .ptr is that of the memory pointed to";
  ASSERT_EQ(kernel.variables.size(), 1u);
  EXPECT_EQ(kernel.variables[0].space, Space::shared);
  EXPECT_EQ(kernel.variables[0].size_bytes, 1024u);
  EXPECT_EQ(kernel.registers.size(), 3u + 5 + 12 + 8);
  std::vector<std::string> opcodes;
  for (const auto& instruction : kernel.instructions) opcodes.push_back(instruction.opcode);
  EXPECT_EQ(opcodes, (std::vector<std::string>{"ld.param.u64", "ld.param.u32", "mov.u32", "setp.ge.u32", "bra",
                                               "mul.wide.u32", "add.s64", "ld.global.nc.L1::no_allocate.f32",
                                               "shfl.sync.down.b32", "bar.sync", "bra", "ret"}));
  ASSERT_EQ(kernel.labels.size(), 1u);
  EXPECT_EQ(kernel.labels[0].name, "$L__BB0_2");
  EXPECT_EQ(kernel.labels[0].instruction, 8u);
  const Instruction& branch = kernel.instructions[10];
  EXPECT_EQ(register_name(kernel, branch.guard), "%p2");
  EXPECT_TRUE(branch.guard_negated);
  EXPECT_EQ(branch.operands.at(0).name, "$L__BB0_2");
  EXPECT_EQ(branch.ptx_line, 49);
}

TEST(PtxSamples, DebugBuild) {
  const Module module = parse(samples::debug_function);
  EXPECT_TRUE(module.debug);
  const Function& function = module.functions.at(0);
  EXPECT_EQ(function.instructions.size(), 5u);
  ASSERT_EQ(function.labels.size(), 4u);
  EXPECT_EQ(function.labels[0].instruction, 0u);
  EXPECT_EQ(function.labels[1].instruction, 2u);
  EXPECT_EQ(function.labels[3].name, "$L__func_end0");
  EXPECT_EQ(function.labels[3].instruction, 5u) << "behind the last instruction";
  ASSERT_NE(module.file_name(1), nullptr);
  EXPECT_EQ(*module.file_name(1), "/tmp/add.cu");
  EXPECT_EQ(module.file_name(2), nullptr);
}

TEST(PtxSamples, CallsAndFunctionPointers) {
  const Module module = parse(samples::calls);
  ASSERT_EQ(module.functions.size(), 4u);
  EXPECT_TRUE(module.functions[0].is_declaration);
  EXPECT_EQ(module.find_function("_Z4addfff"), &module.functions[2]) << "the definition, not the declaration";
  EXPECT_EQ(module.find_function("vprintf"), &module.functions[1]);
  EXPECT_EQ(module.find_function("none"), nullptr);
  EXPECT_EQ(module.variables.at(0).initialisers.at(1).symbol, "vprintf");
  const Function& kernel = module.functions[3];
  std::vector<std::string> names;
  for (const auto& variable : kernel.variables) names.push_back(variable.name);
  EXPECT_EQ(names, (std::vector<std::string>{"__local_depot1", "param0", "param1", "retval0", "param0#2", "param1#2",
                                             "retval0#2"}));
  const Instruction& indirect = kernel.instructions.at(6);
  ASSERT_EQ(indirect.operands.size(), 4u);
  EXPECT_EQ(indirect.operands[0].elements.at(0).name, "retval0");
  EXPECT_EQ(register_name(kernel, indirect.operands[1].reg), "%rd9");
  EXPECT_EQ(indirect.operands[2].elements.at(1).name, "param1");
  EXPECT_EQ(indirect.operands[3].name, "prototype_3");
  ASSERT_EQ(kernel.prototypes.size(), 1u);
  EXPECT_EQ(kernel.prototypes[0].name, "prototype_3");
  EXPECT_EQ(kernel.prototypes[0].prototype.parameters.at(1).size_bytes, 12u);
  const Instruction& direct = kernel.instructions.at(10);
  EXPECT_EQ(direct.opcode, "call.uni");
  ASSERT_EQ(direct.operands.size(), 3u);
  EXPECT_EQ(direct.operands[0].elements.at(0).name, "retval0#2");
  EXPECT_EQ(direct.operands[1].kind, Kind::name);
  EXPECT_EQ(direct.operands[1].name, "vprintf");
  EXPECT_EQ(direct.operands[2].elements.at(0).name, "param0#2");
  EXPECT_EQ(kernel.instructions.at(11).operands.at(1).elements.at(0).name, "retval0#2");
}

TEST(PtxLocations, TheLastLineHoldsAndChainsLeadToTheCallSite) {
  const Module module = parse(samples::loop_with_lineinfo);
  const auto& instructions = module.functions.at(0).instructions;
  auto location = [&](std::size_t instruction) {
    return module.locations.at(static_cast<std::size_t>(instructions.at(instruction).location));
  };
  EXPECT_EQ(location(0).line, 8);
  EXPECT_EQ(location(0).inlined_at, -1);
  EXPECT_EQ(location(0).function, "");
  const Location inner = location(2);
  EXPECT_EQ(inner.file, 2);
  EXPECT_EQ(inner.line, 203);
  EXPECT_EQ(inner.column, 5);
  EXPECT_EQ(inner.function, "_Z4lane");
  const Location middle = module.locations.at(static_cast<std::size_t>(inner.inlined_at));
  EXPECT_EQ(middle.line, 389);
  EXPECT_EQ(middle.function, "_Z3sum");
  const Location outer = module.locations.at(static_cast<std::size_t>(middle.inlined_at));
  EXPECT_EQ(outer.file, 1);
  EXPECT_EQ(outer.line, 10);
  EXPECT_EQ(outer.inlined_at, -1);
  EXPECT_EQ(location(5).line, 390);
  EXPECT_EQ(location(5).inlined_at, middle.inlined_at) << "the same call";
  EXPECT_EQ(location(8).line, 12);
  EXPECT_EQ(instructions[9].location, instructions[2].location) << "equal lines share an entry";
  EXPECT_EQ(*module.file_name(2), "/usr/local/cuda/include/sm_30_intrinsics.hpp");
}

TEST(PtxLocations, TheMostRecentCallSiteContinuesTheChain) {
  const Module module = parse(header +
                              ".entry k() {\n"
                              ".loc 1 5 1\n.loc 2 7 1, function_name N, inlined_at 1 5 1\n"
                              ".loc 2 9 1, function_name N+2, inlined_at 2 7 1\nexit;\n"
                              ".loc 1 6 1\n.loc 2 7 1, function_name N, inlined_at 1 6 1\n"
                              ".loc 2 9 1, function_name N+2, inlined_at 2 7 1\nexit;\n"
                              ".loc 3 1 1, function_name N, inlined_at 4 2 3\nexit;\n}\n"
                              ".entry j() { exit;\n.loc 2 9 1, function_name N, inlined_at 2 7 1\nexit; }\n"
                              ".section .debug_str { N: .b8 102, 95, 103, 0 }\n");
  auto at = [&](std::int32_t index) { return module.locations.at(static_cast<std::size_t>(index)); };
  const auto& instructions = module.functions.at(0).instructions;
  EXPECT_EQ(at(at(at(instructions[0].location).inlined_at).inlined_at).line, 5);
  EXPECT_EQ(at(at(at(instructions[1].location).inlined_at).inlined_at).line, 6);
  EXPECT_EQ(at(instructions[1].location).function, "g") << "label plus offset";
  const Location unknown_site = at(at(instructions[2].location).inlined_at);
  EXPECT_EQ(unknown_site.file, 4);
  EXPECT_EQ(unknown_site.line, 2);
  EXPECT_EQ(unknown_site.inlined_at, -1);
  const auto& other = module.functions.at(1).instructions;
  EXPECT_EQ(other[0].location, -1) << "the line of one function does not reach into the next";
  EXPECT_EQ(at(at(other[1].location).inlined_at).inlined_at, -1) << "nor does a chain";
}

TEST(PtxLocations, AFunctionInlinedIntoItselfDoesNotGrowTheChain) {
  std::string body = ".loc 1 3 1\n.loc 1 9 1, function_name N, inlined_at 1 3 1\n";
  for (int i = 0; i < 100; ++i) body += ".loc 1 9 1, function_name N, inlined_at 1 9 1\nexit;\n";
  const Module module = parse(header + ".entry k() {" + body + "}\n.section .debug_str { N: .b8 102, 0 }\n");
  EXPECT_EQ(module.locations.size(), 3u);
  EXPECT_EQ(module.functions[0].instructions.back().location, 2);
}

TEST(PtxRegisters, FamiliesListsAndSingleNames) {
  const Function function = parse_body(
      ".reg .b64 %SP; .reg .b16 %rs<2>, h, %x; .reg .b32 %r1_<3>;\n"
      "a %r8, %SP, h, %rs1, %x, %r1_2, %p3;");
  const auto& operands = function.instructions.at(0).operands;
  std::vector<std::string> names;
  for (const auto& operand : operands) names.push_back(register_name(function, operand.reg));
  EXPECT_EQ(names, (std::vector<std::string>{"%r8", "%SP", "h", "%rs1", "%x", "%r1_2", "%p3"}));
  auto type = [&](std::size_t i) { return function.registers.at(static_cast<std::size_t>(operands[i].reg)).type; };
  EXPECT_EQ(type(0), Type::b32);
  EXPECT_EQ(type(1), Type::b64);
  EXPECT_EQ(type(2), Type::b16);
  EXPECT_EQ(type(6), Type::pred);
}

TEST(PtxRegisters, NumbersOutsideAFamilyAreNotRegisters) {
  const Function function = parse_body("a %r9, %r08, %r12345678901, %r;");
  for (const auto& operand : function.instructions.at(0).operands)
    EXPECT_EQ(operand.kind, Kind::special) << operand.name;
}

TEST(PtxRegisters, AFamilyWhoseNameEndsInADigit) {
  const Function function = parse_body(".reg .b64 %q<3>, %q1<5>; a %q2, %q13;");
  const auto& operands = function.instructions.at(0).operands;
  EXPECT_EQ(register_name(function, operands[0].reg), "%q2");
  EXPECT_EQ(register_name(function, operands[1].reg), "%q13");
  EXPECT_EQ(operands[1].reg - operands[0].reg, 1 + 3);
}

TEST(PtxScopes, InnerNamesHideOuterOnes) {
  const Function function = parse_body(
      ".reg .b32 x; .reg .b64 z; a x;\n"
      "{ .reg .f32 x; .reg .b32 z<2>; a x; { .reg .pred x<5>; .reg .f64 %r<3>; a x, %r1, %r5, z1; } a x; }\n"
      "a x, %r1, z;");
  auto type = [&](std::size_t instruction, std::size_t operand) {
    const auto reg = function.instructions.at(instruction).operands.at(operand).reg;
    return function.registers.at(static_cast<std::size_t>(reg)).type;
  };
  EXPECT_EQ(type(0, 0), Type::b32);
  EXPECT_EQ(type(1, 0), Type::f32);
  EXPECT_EQ(type(2, 0), Type::f32) << "x<5> declares x0 to x4, not x";
  EXPECT_EQ(type(2, 1), Type::f64);
  EXPECT_EQ(type(2, 2), Type::b32) << "%r5 is only in the outer family";
  EXPECT_EQ(type(2, 3), Type::b32);
  EXPECT_EQ(type(3, 0), Type::f32);
  EXPECT_EQ(type(4, 0), Type::b32);
  EXPECT_EQ(type(4, 1), Type::b32);
  EXPECT_EQ(type(4, 2), Type::b64);
}

TEST(PtxScopes, AnInnerFamilyHidesAnOuterSingleName) {
  const Function function = parse_body(".reg .b32 v1; { .reg .b64 v<2>; a v1; } a v1;");
  const auto& registers = function.registers;
  const auto inner = static_cast<std::size_t>(function.instructions.at(0).operands.at(0).reg);
  const auto outer = static_cast<std::size_t>(function.instructions.at(1).operands.at(0).reg);
  EXPECT_EQ(registers.at(inner).type, Type::b64);
  EXPECT_EQ(registers.at(outer).type, Type::b32);
}

TEST(PtxScopes, AnInnerSingleNameHidesAnOuterFamily) {
  const Function function = parse_body(".reg .b32 v<2>; { .reg .b64 v1; a v1; } a v1;");
  const auto& registers = function.registers;
  const auto inner = static_cast<std::size_t>(function.instructions.at(0).operands.at(0).reg);
  const auto outer = static_cast<std::size_t>(function.instructions.at(1).operands.at(0).reg);
  EXPECT_EQ(registers.at(inner).type, Type::b64);
  EXPECT_EQ(registers.at(outer).type, Type::b32);
}

TEST(PtxScopes, InlineAssemblyOnOneLine) {
  const std::string block =
      "{ .reg .f32 r0; .reg .pred p; shfl.sync.down.b32 r0|p, %f1, 1, 0x1f, -1; @p add.f32 %f1, r0, %f1; }\n";
  const Function function = parse_body(block + block);
  ASSERT_EQ(function.instructions.size(), 4u);
  const auto& first = function.instructions[0].operands;
  const auto& second = function.instructions[2].operands;
  ASSERT_EQ(first[0].kind, Kind::pair);
  EXPECT_NE(first[0].elements.at(0).reg, second[0].elements.at(0).reg);
  EXPECT_EQ(function.instructions[1].guard, first[0].elements.at(1).reg);
  EXPECT_EQ(function.instructions[3].guard, second[0].elements.at(1).reg);
  EXPECT_EQ(function.instructions[0].ptx_line, function.instructions[1].ptx_line);
}

TEST(PtxScopes, VariablesAndLabelsGetUniqueNames) {
  const Module module = parse(header +
                              ".global .u32 g; .shared .u32 s;\n.func f() { .shared .u32 t; ret; }\n"
                              ".func h(.param .u32 a) { .reg .b64 %rd<2>;\n"
                              "mov.u64 %rd1, g; mov.u64 %rd1, a;\n"
                              "{ .local .u32 g, a; .shared .u32 t, s; mov.u64 %rd1, g+4; mov.u64 %rd1, a;\n"
                              "st.u32 [t+8], 1; st.u32 [s], 1; }\nmov.u64 %rd1, g; ret; }\n");
  const Function& function = module.functions.at(1);
  std::vector<std::string> used;
  for (const auto& instruction : function.instructions) {
    if (instruction.operands.empty()) continue;
    const bool store = instruction.opcode == "st.u32";
    used.push_back(store ? instruction.operands[0].elements.at(0).name : instruction.operands[1].name);
  }
  EXPECT_EQ(used, (std::vector<std::string>{"g", "a", "g#2", "a#2", "t#shared2", "s#shared1", "g"}));
  EXPECT_EQ(function.instructions.at(2).operands.at(1).offset, 4);
  EXPECT_EQ(function.instructions.at(4).operands.at(0).offset, 8);
  EXPECT_EQ(function.variables.at(0).name, "g#2");
}

TEST(PtxScopes, LabelsAreFoundForwardsBackwardsAndOutwards) {
  const Function function =
      parse_body("L: bra.uni E;\n{ bra L; L: bra L; @%p1 bra E; { bra L; } }\n{ L: bra L; }\nbra L;\nE: exit;");
  std::vector<std::string> labels, targets;
  for (const auto& label : function.labels) labels.push_back(label.name);
  for (const auto& instruction : function.instructions) {
    if (!instruction.operands.empty()) targets.push_back(instruction.operands[0].name);
  }
  EXPECT_EQ(labels, (std::vector<std::string>{"L", "L#2", "L#3", "E"}));
  EXPECT_EQ(targets, (std::vector<std::string>{"E", "L#2", "L#2", "E", "L#2", "L#3", "L"}));
  EXPECT_EQ(function.labels[1].instruction, 2u);
}

TEST(PtxBranches, TablesOfTargets) {
  const Function function = parse_body(
      "{ B: exit; ts: .branchtargets A, B, A; brx.idx.uni %r1, ts; }\nA: exit;\n{ ts: .branchtargets A; brx.idx %r1, "
      "ts; }\n"
      "cs: .calltargets f, g;\ncall (%r1), %rd1, (), cs;");
  ASSERT_EQ(function.branch_targets.size(), 3u);
  EXPECT_EQ(function.branch_targets[0].name, "ts");
  EXPECT_EQ(function.branch_targets[0].labels, (std::vector<std::string>{"A", "B", "A"}));
  EXPECT_EQ(function.branch_targets[1].name, "ts#2");
  EXPECT_EQ(function.instructions.at(3).operands.at(1).name, "ts#2");
  EXPECT_EQ(function.branch_targets[2].labels, (std::vector<std::string>{"f", "g"}));
  EXPECT_EQ(function.instructions.at(4).operands.at(3).name, "cs");
}

TEST(PtxCalls, EveryFormHasTheSameShape) {
  struct Case {
    const char* text;
    std::size_t returns, arguments, operands;
    const char* callee;
  };
  const Case cases[] = {
      {"call f;", 0, 0, 3, "f"},
      {"call.uni f, (%r1);", 0, 1, 3, "f"},
      {"call (%r1), f;", 1, 0, 3, "f"},
      {"call (%r1), f, (%r2, 5, _);", 1, 3, 3, "f"},
      {"call (), f, ();", 0, 0, 3, "f"},
      {"P: .callprototype ()_ (.param .b64 _); call %rd3, (%rd1), P;", 0, 1, 4, "%rd3"},
      {"P: .callprototype _; call %rd3, P;", 0, 0, 4, "%rd3"},
      {"P: .callprototype (.param .b32 _) _ (.param .b32 a) .noreturn; call (%r1), %rd3, (%r2), P;", 1, 1, 4, "%rd3"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.text);
    const Function function = parse_body(c.text);
    const auto& operands = function.instructions.at(0).operands;
    ASSERT_EQ(operands.size(), c.operands);
    EXPECT_EQ(operands[0].kind, Kind::list);
    EXPECT_EQ(operands[0].elements.size(), c.returns);
    EXPECT_EQ(name_of(function, operands[1]), c.callee);
    EXPECT_EQ(operands[2].kind, Kind::list);
    EXPECT_EQ(operands[2].elements.size(), c.arguments);
    EXPECT_EQ(operands.back().name, c.operands == 4 ? "P" : "");
  }
}

}  // namespace
}  // namespace cudasim::ptx
