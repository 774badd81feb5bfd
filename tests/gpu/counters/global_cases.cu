// SPDX-License-Identifier: MIT
// Loads and stores of global memory: strides, widths, where they start, which lanes take part.
#include "micro_kernels.h"

namespace micro {
namespace {

void strides() {
  global<float>("float, stride 1", [] __device__(unsigned t) { return int(t); });
  global<float>("float, stride 2", [] __device__(unsigned t) { return int(2 * t); });
  global<float>("float, stride 3", [] __device__(unsigned t) { return int(3 * t); });
  global<float>("float, stride 4", [] __device__(unsigned t) { return int(4 * t); });
  global<float>("float, stride 8", [] __device__(unsigned t) { return int(8 * t); });
  global<float>("float, stride 16", [] __device__(unsigned t) { return int(16 * t); });
  global<float>("float, stride 32", [] __device__(unsigned t) { return int(32 * t); });
  global<float>("float, 64 blocks", [] __device__(unsigned t) { return int(t); }, {64, 256});
}

void widths_and_starts() {
  global<char>("char, neighbours", [] __device__(unsigned t) { return int(t); });
  global<float2>("float2, neighbours", [] __device__(unsigned t) { return int(t); });
  global<double>("double, neighbours", [] __device__(unsigned t) { return int(t); });
  global<float4>("float4, neighbours", [] __device__(unsigned t) { return int(t); });
  global<char>("char, 1 byte off", [] __device__(unsigned t) { return int(t + 1); });
  global<float>("float, 1 float off", [] __device__(unsigned t) { return int(t + 1); });
  global<float2>("float2, 8 bytes off", [] __device__(unsigned t) { return int(t + 1); });
  global<double>("double, 8 bytes off", [] __device__(unsigned t) { return int(t + 1); });
  global<float4>("float4, 16 bytes off", [] __device__(unsigned t) { return int(t + 1); });
}

void shared_words() {
  global<float>("float, one for all", [] __device__(unsigned) { return 5; });
  global<float4>("float4, one for all", [] __device__(unsigned) { return 5; });
  global<float>("float, each one three times", [] __device__(unsigned t) { return int(t / 3); });
}

void masks() {
  global<float>("float, tail of 200", [] __device__(unsigned t) { return t < 200 ? int(t) : idle; });
  global<double>("double, lane 0", [] __device__(unsigned t) { return t % 32 == 0 ? int(t) : idle; });
  global<float4>("float4, even lanes", [] __device__(unsigned t) { return t % 2 == 0 ? int(t) : idle; });
}

}  // namespace

void global_cases() {
  strides();
  widths_and_starts();
  shared_words();
  masks();
  global<double>("double, scattered 1 over 1000", Scattered{1, 1000, 1});
  global<float4>("float4, scattered 2 over 32, some lanes", Scattered{2, 32, 2});
}

}  // namespace micro
