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
  global<float>("float, stride 2, 64 blocks", [] __device__(unsigned t) { return int(2 * t); }, {64, 256});
}

void starts() {
  global<float>("float, 1 float off", [] __device__(unsigned t) { return int(t + 1); });
  global<float>("float, 2 floats off", [] __device__(unsigned t) { return int(t + 2); });
  global<float>("float, 3 floats off", [] __device__(unsigned t) { return int(t + 3); });
  global<float>("float, 7 floats off", [] __device__(unsigned t) { return int(t + 7); });
  global<float2>("float2, 8 bytes off", [] __device__(unsigned t) { return int(t + 1); });
  global<float4>("float4, 16 bytes off", [] __device__(unsigned t) { return int(t + 1); });
  global<double>("double, 8 bytes off", [] __device__(unsigned t) { return int(t + 1); });
  global<char>("char, 1 byte off", [] __device__(unsigned t) { return int(t + 1); });
  global<short>("short, 2 bytes off", [] __device__(unsigned t) { return int(t + 1); });
}

/// The shapes of an access that do not depend on the width.
template <class T>
void patterns(const std::string& type) {
  global<T>(type + ", neighbours", [] __device__(unsigned t) { return int(t); });
  global<T>(type + ", every second", [] __device__(unsigned t) { return int(2 * t); });
  global<T>(type + ", every fifth", [] __device__(unsigned t) { return int(5 * t); });
  global<T>(type + ", one for all", [] __device__(unsigned) { return 5; });
  global<T>(type + ", two for all", [] __device__(unsigned t) { return int(t % 2 * 64); });
  global<T>(type + ", two for the halves", [] __device__(unsigned t) { return int(t / 16 % 2 * 64); });
  global<T>(type + ", each one twice", [] __device__(unsigned t) { return int(t / 2); });
  global<T>(type + ", each one three times", [] __device__(unsigned t) { return int(t / 3); });
  global<T>(type + ", quarter warps alike", [] __device__(unsigned t) { return int(t % 8); });
  global<T>(type + ", backwards", [] __device__(unsigned t) { return int(t ^ 31); });
  global<T>(type + ", permuted", [] __device__(unsigned t) { return int(t * 37 % 128); });
}

/// Which lanes take part.
template <class T>
void masks(const std::string& type) {
  global<T>(type + ", tail of 200", [] __device__(unsigned t) { return t < 200 ? int(t) : idle; });
  global<T>(type + ", tail of 40", [] __device__(unsigned t) { return t < 40 ? int(t) : idle; });
  global<T>(type + ", even lanes", [] __device__(unsigned t) { return t % 2 == 0 ? int(t) : idle; });
  global<T>(type + ", odd lanes packed", [] __device__(unsigned t) { return t % 2 != 0 ? int(t / 2) : idle; });
  global<T>(type + ", every eighth lane", [] __device__(unsigned t) { return t % 8 == 3 ? int(t) : idle; });
  global<T>(type + ", lane 0", [] __device__(unsigned t) { return t % 32 == 0 ? int(t) : idle; });
  global<T>(type + ", lanes 0 and 31", [] __device__(unsigned t) { return t % 31 == 0 ? int(t) : idle; });
  global<T>(type + ", lower half", [] __device__(unsigned t) { return t % 32 < 16 ? int(t) : idle; });
  global<T>(type + ", upper half", [] __device__(unsigned t) { return t % 32 >= 16 ? int(t) : idle; });
}

template <class T>
void scattered(const std::string& type) {
  for (unsigned seed = 1; seed <= 3; ++seed) {
    const std::string name = type + ", scattered " + std::to_string(seed);
    global<T>(name + " over 32", Scattered{seed, 32, 1});
    global<T>(name + " over 32, some lanes", Scattered{seed, 32, 2});
    global<T>(name + " over 1000", Scattered{seed, 1000, 1});
  }
}

}  // namespace

void global_cases() {
  strides();
  starts();
  patterns<float>("float");
  patterns<double>("double");
  patterns<float4>("float4");
  global<float2>("float2, neighbours", [] __device__(unsigned t) { return int(t); });
  global<float2>("float2, every second", [] __device__(unsigned t) { return int(2 * t); });
  global<double2>("double2, neighbours", [] __device__(unsigned t) { return int(t); });
  global<char>("char, neighbours", [] __device__(unsigned t) { return int(t); });
  global<char>("char, every fourth", [] __device__(unsigned t) { return int(4 * t); });
  global<short>("short, neighbours", [] __device__(unsigned t) { return int(t); });
  global<short>("short, every third", [] __device__(unsigned t) { return int(3 * t); });
  masks<float>("float");
  masks<double>("double");
  masks<float4>("float4");
  scattered<float>("float");
  scattered<double>("double");
  scattered<float4>("float4");
}

}  // namespace micro
