// SPDX-License-Identifier: MIT
// How many instructions of a class a multiprocessor issues in a cycle, and how long the next one waits for the result.
#include "calibrate/results.h"

namespace calibrate {
namespace {

// Each operation has the type of its value, the number of PTX instructions, and how often a loop has it. The text is
// PTX, because a compiler of C++ would join them. Neighbours alternate where ptxas would join two.
struct Fma {
  using Value = float;
  static constexpr int kInstructions = 1, kUnroll = 32;
  static __device__ void apply(float& x, float y, float z) {
    asm volatile("fma.rn.f32 %0, %0, %1, %2;" : "+f"(x) : "f"(y), "f"(z));
  }
};
struct Add {
  using Value = float;
  static constexpr int kInstructions = 1, kUnroll = 32;
  static __device__ void apply(float& x, float y, float) { asm volatile("add.f32 %0, %0, %1;" : "+f"(x) : "f"(y)); }
};
struct Integer {
  using Value = unsigned;
  static constexpr int kInstructions = 2, kUnroll = 16;
  static __device__ void apply(unsigned& x, unsigned y, unsigned z) {
    asm volatile("add.u32 %0, %0, %1;\n\txor.b32 %0, %0, %2;" : "+r"(x) : "r"(y), "r"(z));
  }
};
struct IntegerMultiply {
  using Value = unsigned;
  static constexpr int kInstructions = 1, kUnroll = 32;
  static __device__ void apply(unsigned& x, unsigned y, unsigned z) {
    asm volatile("mad.lo.u32 %0, %0, %1, %2;" : "+r"(x) : "r"(y), "r"(z));
  }
};
struct WideInteger {
  using Value = unsigned long long;
  static constexpr int kInstructions = 2, kUnroll = 16;
  static __device__ void apply(Value& x, Value y, Value z) {
    asm volatile("add.u64 %0, %0, %1;\n\txor.b64 %0, %0, %2;" : "+l"(x) : "l"(y), "l"(z));
  }
};
struct WideMultiply {
  using Value = unsigned long long;
  static constexpr int kInstructions = 1, kUnroll = 16;
  static __device__ void apply(Value& x, Value y, Value z) {
    asm volatile("mad.lo.u64 %0, %0, %1, %2;" : "+l"(x) : "l"(y), "l"(z));
  }
};
struct Division {
  using Value = unsigned;
  static constexpr int kInstructions = 1, kUnroll = 4;
  static __device__ void apply(unsigned& x, unsigned y, unsigned) {
    asm volatile("div.u32 %0, %1, %0;" : "+r"(x) : "r"(y));
  }
};
struct WideDivision {  // y is so large that the way of 32 bits is not taken
  using Value = unsigned long long;
  static constexpr int kInstructions = 1, kUnroll = 2;
  static __device__ void apply(Value& x, Value y, Value) { asm volatile("div.u64 %0, %1, %0;" : "+l"(x) : "l"(y)); }
};
struct FloatDivision {
  using Value = float;
  static constexpr int kInstructions = 1, kUnroll = 4;
  static __device__ void apply(float& x, float y, float) { asm volatile("div.rn.f32 %0, %1, %0;" : "+f"(x) : "f"(y)); }
};
struct DoubleDivision {
  using Value = double;
  static constexpr int kInstructions = 1, kUnroll = 2;
  static __device__ void apply(double& x, double y, double) {
    asm volatile("div.rn.f64 %0, %1, %0;" : "+d"(x) : "d"(y));
  }
};
struct Double {
  using Value = double;
  static constexpr int kInstructions = 1, kUnroll = 16;
  static __device__ void apply(double& x, double y, double z) {
    asm volatile("fma.rn.f64 %0, %0, %1, %2;" : "+d"(x) : "d"(y), "d"(z));
  }
};
struct Half {  // two numbers of 16 bits
  using Value = unsigned;
  static constexpr int kInstructions = 1, kUnroll = 32;
  static __device__ void apply(unsigned& x, unsigned y, unsigned z) {
    asm volatile("fma.rn.f16x2 %0, %0, %1, %2;" : "+r"(x) : "r"(y), "r"(z));
  }
};
struct Conversion {
  using Value = float;
  static constexpr int kInstructions = 2, kUnroll = 16;
  static __device__ void apply(float& x, float, float) {
    asm volatile("{\n\t.reg .s32 i;\n\tcvt.rzi.s32.f32 i, %0;\n\tcvt.rn.f32.s32 %0, i;\n\t}" : "+f"(x));
  }
};
struct ConversionToInteger {  // the bits of the number are taken for a float again
  using Value = unsigned;
  static constexpr int kInstructions = 1, kUnroll = 16;
  static __device__ void apply(unsigned& x, unsigned, unsigned) { asm volatile("cvt.rzi.s32.f32 %0, %0;" : "+r"(x)); }
};
struct Special {
  using Value = float;
  static constexpr int kInstructions = 1, kUnroll = 16;
  static __device__ void apply(float& x, float, float) { asm volatile("rsqrt.approx.ftz.f32 %0, %0;" : "+f"(x)); }
};
struct Bits {
  using Value = unsigned;
  static constexpr int kInstructions = 2, kUnroll = 16;
  static __device__ void apply(unsigned& x, unsigned, unsigned) {
    asm volatile("brev.b32 %0, %0;\n\tpopc.b32 %0, %0;" : "+r"(x));
  }
};
struct Predicate {
  using Value = unsigned;
  static constexpr int kInstructions = 2, kUnroll = 16;
  static __device__ void apply(unsigned& x, unsigned y, unsigned z) {
    asm volatile("{\n\t.reg .pred p;\n\tsetp.lt.u32 p, %0, %1;\n\tselp.b32 %0, %2, %1, p;\n\t}"
                 : "+r"(x)
                 : "r"(y), "r"(z));
  }
};
struct Shuffle {
  using Value = unsigned;
  static constexpr int kInstructions = 1, kUnroll = 16;
  static __device__ void apply(unsigned& x, unsigned, unsigned) {
    asm volatile("shfl.sync.bfly.b32 %0, %0, 1, 31, -1;" : "+r"(x));
  }
};

/// `chains` values a thread, which do not depend on each other.
template <class Operation, int chains>
__global__ void __launch_bounds__(1024) repeat(typename Operation::Value* out, typename Operation::Value y,
                                               typename Operation::Value z, int rounds, long long* cycles) {
  typename Operation::Value x[chains];
  for (int c = 0; c < chains; ++c) x[c] = y + static_cast<typename Operation::Value>(threadIdx.x + c);
  __syncthreads();
  const long long begin = clock64();
  for (int round = 0; round < rounds; ++round) {
#pragma unroll
    for (int u = 0; u < Operation::kUnroll; ++u)
#pragma unroll
      for (int c = 0; c < chains; ++c) Operation::apply(x[c], y, z);
  }
  __syncthreads();
  if (threadIdx.x == 0) cycles[blockIdx.x] = clock64() - begin;
  if (rounds < 0)  // never: the results must be needed
    for (int c = 0; c < chains; ++c) out[threadIdx.x * chains + c] = x[c];
}

template <class Operation, int chains>
double cycles_of(int blocks, int threads, int rounds, typename Operation::Value y, typename Operation::Value z) {
  workbook::DeviceArray<long long> cycles(static_cast<std::size_t>(blocks));
  workbook::DeviceArray<typename Operation::Value> out(4096);
  for (int i = 0; i < 2; ++i) repeat<Operation, chains><<<blocks, threads>>>(out.data(), y, z, rounds, cycles.data());
  CUDA_CHECK(cudaGetLastError());
  return mean(cycles);
}

template <class Operation>
void measure_class(const Gpu& gpu, Results& results, const std::string& name, const std::string& text,
                   typename Operation::Value y, typename Operation::Value z) {
  constexpr int kChains = 4, kWarps = 32;
  const int rounds = 2048 / Operation::kUnroll;
  const double each = static_cast<double>(rounds) * Operation::kUnroll * Operation::kInstructions;
  const double busy = cycles_of<Operation, kChains>(gpu.multiprocessors, 32 * kWarps, rounds, y, z);
  results.add("rate_" + name, kWarps * kChains * each / busy, text + ", 32 warps with four chains each");
  const double alone = cycles_of<Operation, 1>(1, 32, rounds, y, z);
  results.add("latency_" + name, alone / each, text + ", one warp with one chain");
}

}  // namespace

void measure_instructions(const Gpu& gpu, Results& results) {
  measure_class<Fma>(gpu, results, "fp32_fma", "fma.rn.f32", 0.5f, 0.25f);
  results.add("latency_arithmetic", results.value_of("latency_fp32_fma"), "that of fma.rn.f32");
  measure_class<Add>(gpu, results, "fp32", "add.f32", 0.5f, 0.25f);
  measure_class<Integer>(gpu, results, "integer", "add.u32 and xor.b32 in turns", 12345u, 777u);
  measure_class<IntegerMultiply>(gpu, results, "integer_multiply", "mad.lo.u32", 12345u, 777u);
  measure_class<WideInteger>(gpu, results, "wide_integer", "add.u64 and xor.b64 in turns", 1234567890123ull, 77777ull);
  measure_class<WideMultiply>(gpu, results, "wide_integer_multiply", "mad.lo.u64", 1234567890123ull, 77777ull);
  measure_class<Division>(gpu, results, "division", "div.u32", 3000000000u, 0u);
  measure_class<WideDivision>(gpu, results, "division_wide", "div.u64", 1ull << 60, 0ull);
  measure_class<FloatDivision>(gpu, results, "division_float", "div.rn.f32", 3.0f, 0.0f);
  measure_class<DoubleDivision>(gpu, results, "division_double", "div.rn.f64", 3.0, 0.0);
  measure_class<Double>(gpu, results, "fp64", "fma.rn.f64", 0.5, 0.25);
  measure_class<Half>(gpu, results, "half", "fma.rn.f16x2", 0x38003800u, 0x34003400u);
  measure_class<Conversion>(gpu, results, "conversion", "cvt.rzi.s32.f32 and cvt.rn.f32.s32", 5.0f, 0.0f);
  measure_class<ConversionToInteger>(gpu, results, "conversion_to_integer", "cvt.rzi.s32.f32", 0x40a00000u, 0u);
  measure_class<Special>(gpu, results, "special", "rsqrt.approx.ftz.f32", 5.0f, 0.0f);
  measure_class<Bits>(gpu, results, "bits", "brev.b32 and popc.b32", 12345u, 0u);
  measure_class<Predicate>(gpu, results, "predicate", "setp.lt.u32 and selp.b32", 12345u, 7u);
  measure_class<Shuffle>(gpu, results, "shuffle", "shfl.sync.bfly.b32", 12345u, 0u);
}

}  // namespace calibrate
