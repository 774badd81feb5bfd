// SPDX-License-Identifier: MIT
// A kernel of a few lines of PTX, run on the machine: for the tests of the machine's rules.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "checkers/registry/checks.h"
#include "decode/module.h"
#include "machine/run.h"
#include "memory/memory.h"
#include "program/launch.h"
#include "ptx/parser.h"

namespace cudasim::test {

inline constexpr std::uint64_t memory_bytes = 64 << 20;

struct Result {
  Outcome outcome;
  std::vector<std::uint32_t> out;
};

struct Conditions {
  Dim3 grid{1, 1, 1}, block{32, 1, 1};
  std::size_t words = 64;  // of the out buffer
  std::uint64_t dynamic_shared = 0;
  Schedule schedule{};
  std::string functions;  // PTX before the kernel
  bool cooperative = false;
  std::byte poison{0xFF};
};

/// A kernel with the parameter `out`, which is in %rd1, and %r1 = %tid.x.
inline std::string kernel_text(const std::string& body, const std::string& functions = "") {
  return R"(.version 8.0
.target sm_75
.address_size 64
.file 1 "student.cu"
)" + functions +
         R"(
.visible .entry k(.param .u64 out) {
.reg .pred %p<9>; .reg .b32 %r<40>; .reg .b64 %rd<40>; .reg .f32 %f<9>;
.loc 1 10 1
ld.param.u64 %rd1, [out];
mov.u32 %r1, %tid.x;
)" + body +
         "\nret;\n}\n";
}

inline Result run_body(const std::string& body, Conditions setup = {}, Checks* checks = nullptr) {
  Memory memory(memory_bytes, setup.poison);
  Module module(ptx::parse(kernel_text(body, setup.functions)), memory);
  const auto* out = memory.allocate(setup.words * 4, Origin::cuda_malloc);
  std::memset(out->host, 0, setup.words * 4);
  Launch launch;
  launch.grid = setup.grid;
  launch.block = setup.block;
  launch.dynamic_shared_bytes = setup.dynamic_shared;
  launch.cooperative = setup.cooperative;
  launch.parameters.resize(8);
  std::memcpy(launch.parameters.data(), &out->address, 8);
  Result result;
  result.outcome = run(module.program("k"), launch, memory, setup.schedule, checks);
  result.out.resize(setup.words);
  std::memcpy(result.out.data(), out->host, setup.words * 4);
  return result;
}

// %rd2 = out + 4 * tid
inline const char* const own_cell = "mul.wide.u32 %rd2, %r1, 4; add.s64 %rd2, %rd1, %rd2;\n";

inline Conditions block_of(std::uint32_t threads) {
  Conditions setup;
  setup.block.x = threads;
  setup.words = threads;
  return setup;
}

inline Finding only_finding(const Result& result) {
  if (result.outcome.findings.size() != 1) {
    ADD_FAILURE() << result.outcome.findings.size() << " findings instead of one";
    return {};
  }
  return result.outcome.findings.front();
}

}  // namespace cudasim::test
