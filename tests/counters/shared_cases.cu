// SPDX-License-Identifier: MIT
// Loads and stores of shared memory: conflicts of 1 to 32 ways for each width, lanes that share words, and which lanes
// take part. The last two decide how many passes 64- and 128-bit accesses need.
#include "micro_kernels.h"

namespace micro {
namespace {

template <class T>
void strides(const std::string& type) {
  shared<T>(type + ", stride 1", [] __device__(unsigned t) { return int(lane_of(t)); });
  shared<T>(type + ", stride 2", [] __device__(unsigned t) { return int(2 * lane_of(t)); });
  shared<T>(type + ", stride 3", [] __device__(unsigned t) { return int(3 * lane_of(t)); });
  shared<T>(type + ", stride 4", [] __device__(unsigned t) { return int(4 * lane_of(t)); });
  shared<T>(type + ", stride 8", [] __device__(unsigned t) { return int(8 * lane_of(t)); });
  shared<T>(type + ", stride 16", [] __device__(unsigned t) { return int(16 * lane_of(t)); });
  shared<T>(type + ", stride 32", [] __device__(unsigned t) { return int(32 * lane_of(t)); });
  shared<T>(type + ", stride 33", [] __device__(unsigned t) { return int(33 * lane_of(t)); });
  shared<T>(type + ", 1 off", [] __device__(unsigned t) { return int(lane_of(t) + 1); });
  shared<T>(type + ", backwards", [] __device__(unsigned t) { return int(lane_of(t) ^ 31); });
  shared<T>(type + ", permuted", [] __device__(unsigned t) { return int(lane_of(t) * 11 % 32); });
  shared<T>(type + ", column of [32][32]", [] __device__(unsigned t) { return int(lane_of(t) * 32 + t / 32); });
  shared<T>(type + ", column of [32][33]", [] __device__(unsigned t) { return int(lane_of(t) * 33 + t / 32); });
  shared<T>(type + ", row of [32][33]", [] __device__(unsigned t) { return int(t / 32 * 33 + lane_of(t)); });
}

template <class T>
void same_words(const std::string& type) {
  shared<T>(type + ", one for all", [] __device__(unsigned) { return 5; });
  shared<T>(type + ", two in one bank", [] __device__(unsigned t) { return int(t % 2 * 32); });
  shared<T>(type + ", two in two banks", [] __device__(unsigned t) { return int(t % 2); });
  shared<T>(type + ", two for the halves", [] __device__(unsigned t) { return int(t / 16 % 2 * 32); });
  shared<T>(type + ", four in one bank", [] __device__(unsigned t) { return int(t % 4 * 32); });
  shared<T>(type + ", pairs alike", [] __device__(unsigned t) { return int(lane_of(t) / 2); });
  shared<T>(type + ", pairs alike, stride 8", [] __device__(unsigned t) { return int(lane_of(t) / 2 * 8); });
  shared<T>(type + ", lanes 2 apart alike", [] __device__(unsigned t) { return int(lane_of(t) & ~2u); });
  shared<T>(type + ", lanes 4 apart alike", [] __device__(unsigned t) { return int(lane_of(t) & ~4u); });
  shared<T>(type + ", quarters alike", [] __device__(unsigned t) { return int(t % 8); });
  shared<T>(type + ", halves alike", [] __device__(unsigned t) { return int(t % 16); });
  shared<T>(type + ", all but one pair alike",
            [] __device__(unsigned t) { return lane_of(t) == 9 ? 70 : int(lane_of(t) / 2); });
}

template <class T>
void masks(const std::string& type) {
  shared<T>(type + ", even lanes", [] __device__(unsigned t) { return t % 2 == 0 ? int(lane_of(t)) : idle; });
  shared<T>(type + ", odd lanes", [] __device__(unsigned t) { return t % 2 != 0 ? int(lane_of(t)) : idle; });
  shared<T>(type + ", even lanes packed",
            [] __device__(unsigned t) { return t % 2 == 0 ? int(lane_of(t) / 2) : idle; });
  shared<T>(type + ", lanes without bit 1", [] __device__(unsigned t) { return t & 2 ? idle : int(lane_of(t)); });
  shared<T>(type + ", lanes without bit 2", [] __device__(unsigned t) { return t & 4 ? idle : int(lane_of(t)); });
  shared<T>(type + ", one lane a pair", [] __device__(unsigned t) { return (t ^ t / 2) & 1 ? idle : int(lane_of(t)); });
  shared<T>(type + ", every fourth lane", [] __device__(unsigned t) { return t % 4 == 1 ? int(lane_of(t)) : idle; });
  shared<T>(type + ", lane 0", [] __device__(unsigned t) { return lane_of(t) == 0 ? 3 : idle; });
  shared<T>(type + ", lanes 0 and 16", [] __device__(unsigned t) { return t % 16 == 0 ? int(2 * lane_of(t)) : idle; });
  shared<T>(type + ", lower half", [] __device__(unsigned t) { return lane_of(t) < 16 ? int(lane_of(t)) : idle; });
  shared<T>(type + ", upper half", [] __device__(unsigned t) { return lane_of(t) < 16 ? idle : int(lane_of(t)); });
  shared<T>(type + ", first quarter", [] __device__(unsigned t) { return lane_of(t) < 8 ? int(lane_of(t)) : idle; });
  shared<T>(type + ", first and third quarter", [] __device__(unsigned t) { return t & 8 ? idle : int(lane_of(t)); });
  shared<T>(type + ", tail of 40", [] __device__(unsigned t) { return t < 40 ? int(lane_of(t)) : idle; });
}

/// One warp, so that a figure tells one access.
template <class T>
void scattered(const std::string& type) {
  for (unsigned seed = 1; seed <= 8; ++seed) {
    const std::string name = type + ", scattered " + std::to_string(seed);
    shared<T>(name, Scattered{seed, 1000, 1}, {1, 32});
    shared<T>(name + ", over 48", Scattered{seed, 48, 1}, {1, 32});
    shared<T>(name + ", half of the lanes", Scattered{seed, 256, 2}, {1, 32});
    shared<T>(name + ", few lanes", Scattered{seed, 64, 5}, {1, 32});
  }
}

}  // namespace

void shared_cases() {
  strides<float>("float");
  strides<float2>("float2");
  strides<float4>("float4");
  shared<char>("char, stride 1", [] __device__(unsigned t) { return int(lane_of(t)); });
  shared<char>("char, stride 4", [] __device__(unsigned t) { return int(4 * lane_of(t)); });
  shared<char>("char, stride 16", [] __device__(unsigned t) { return int(16 * lane_of(t)); });
  shared<short>("short, stride 1", [] __device__(unsigned t) { return int(lane_of(t)); });
  shared<short>("short, stride 2", [] __device__(unsigned t) { return int(2 * lane_of(t)); });
  shared<short>("short, stride 32", [] __device__(unsigned t) { return int(32 * lane_of(t)); });
  shared<double>("double, stride 1", [] __device__(unsigned t) { return int(lane_of(t)); });
  shared<double>("double, stride 16", [] __device__(unsigned t) { return int(16 * lane_of(t)); });
  shared<float>("float, 64 blocks", [] __device__(unsigned t) { return int(4 * lane_of(t)); }, {64, 128});
  same_words<float>("float");
  same_words<float2>("float2");
  same_words<float4>("float4");
  masks<float>("float");
  masks<float2>("float2");
  masks<float4>("float4");
  scattered<float>("float");
  scattered<float2>("float2");
  scattered<float4>("float4");
}

}  // namespace micro
