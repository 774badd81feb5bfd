// SPDX-License-Identifier: MIT
// Which line of a stack is the program's own. That addr2line is asked rightly:
// tests/unit/scripts/simulator/test_simulate_host.py.
#include "report/host_lines.h"

#include <gtest/gtest.h>

namespace cudasim {
namespace {

const SourceLine toolkit{"/usr/local/cuda/include/cuda_runtime.h", 500, "_ZL10cudaMallocIfE9cudaErrorPPT_m"};
const SourceLine standard{"/usr/include/c++/12/bits/stl_vector.h", 90, "_ZNSt6vectorIiE4growEv"};
const SourceLine wrapper{"/src/device_array.h", 12, "_ZN11DeviceArrayC1Em"};
const SourceLine own{"/src/todo.cu", 34, "main"};
const SourceLine unknown{"", 0, "main"};

int caller(const std::vector<SourceLine>& chain, const std::string& kernel = "") {
  return own_line(chain, Wanted::caller, kernel).line;
}

TEST(OwnLine, PassesOverWhatNobodyWroteAndOverWrappers) {
  EXPECT_EQ(caller({toolkit, own}), 34);
  EXPECT_EQ(caller({toolkit, wrapper, standard, own}), 34);
  EXPECT_EQ(caller({toolkit, wrapper}), 12) << "a program of headers only";
  EXPECT_EQ(caller({toolkit}), 0);
  EXPECT_EQ(caller({}), 0);
}

TEST(OwnLine, AServerOfAnotherProcessHasNone) {
  EXPECT_EQ(caller({toolkit, {"/src/server.cpp", 5, "_ZN6remote6Server5serveERKNS_7MessageE"}, own}), 0);
}

TEST(OwnLine, OfACrashIsTheInnermost) { EXPECT_EQ(own_line({standard, wrapper, own}, Wanted::innermost, "").line, 12); }

TEST(OwnLine, PassesOverNvccsStubs) {
  const SourceLine stub{"/src/todo.cu", 7, "_Z22__device_stub__Z1kPfPf"}, host{"/src/todo.cu", 7, "_Z1kPf"};
  EXPECT_EQ(caller({stub, host, own}, "_Z1kPf"), 34);
  // Debug information has another name for an instance of a template.
  const SourceLine made{"/src/todo.cu", 7, "kernel<8>"},
      made_stub{"/tmp/t.stub.c", 2, "__wrapper__device_stub_kernel<8>"};
  EXPECT_EQ(caller({made_stub, made, own}, "_Z6kernelILj8EEvPf"), 34);
  EXPECT_EQ(caller({made_stub, {"/src/todo.cu", 21, "launch"}, own}, "_Z6kernelILj8EEvPf"), 21);
  EXPECT_EQ(caller({{"/src/todo.cu", 21, "kernel<4>"}, own}, "_Z6kernelILj8EEvPf"), 21) << "no stub before it";
  // Where the host's code is optimised a little, the stub is inlined, and a line of nvcc's file stands between the two.
  const SourceLine of_nvcc{"/tmp/t.cudafe1.stub.c", 51, "main"};
  EXPECT_EQ(caller({made_stub, of_nvcc, made, own}, "_Z6kernelILj8EEvPf"), 34);
  const SourceLine same_name{"/src/todo.cu", 21, "_Z6kernelv"};
  EXPECT_EQ(caller({made_stub, of_nvcc, same_name, own}, "_Z6kernelILj8EEvPf"), 21) << "a function of the host";
  EXPECT_EQ(caller({{"/tmp/tmpxft_1-6_todo.cudafe1.cpp", 1, "_ZN6BufferC1Ei"}, own}), 34);
}

TEST(OwnLine, WithoutDebugInformationAFunctionIsLeft) {
  const SourceLine runtime{"", 0, "_ZL10cudaMallocIfE9cudaErrorPPT_m"};
  EXPECT_EQ(own_line({runtime, unknown}, Wanted::caller, "").function, "main");
  EXPECT_EQ(caller({runtime, {"", 0, "_Z4makev"}, own}), 34) << "a line is better";
  EXPECT_EQ(own_line({{"", 0, ""}}, Wanted::caller, "").function, "");
}

TEST(Callers, AreFoundInnermostFirst) {
  const CallStack stack = callers();
  EXPECT_NE(stack[0], 0u);
  EXPECT_NE(stack[1], 0u);
}

}  // namespace
}  // namespace cudasim
