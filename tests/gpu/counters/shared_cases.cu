// SPDX-License-Identifier: MIT
// Loads and stores of shared memory: conflicts of 1 to 32 ways for each width, lanes that share words, and which lanes
// take part. The last two decide how many passes 64- and 128-bit accesses need.
#include "micro_kernels.h"

namespace micro {
namespace {

/// A stride of 32 bits is free of conflicts, one of n * 32 bits makes conflicts of n ways.
void strides() {
  shared<float>("float, stride 1", [] __device__(unsigned t) { return int(lane_of(t)); });
  shared<float>("float, stride 2", [] __device__(unsigned t) { return int(2 * lane_of(t)); });
  shared<float>("float, stride 3", [] __device__(unsigned t) { return int(3 * lane_of(t)); });
  shared<float>("float, stride 4", [] __device__(unsigned t) { return int(4 * lane_of(t)); });
  shared<float>("float, stride 8", [] __device__(unsigned t) { return int(8 * lane_of(t)); });
  shared<float>("float, stride 16", [] __device__(unsigned t) { return int(16 * lane_of(t)); });
  shared<float>("float, stride 32", [] __device__(unsigned t) { return int(32 * lane_of(t)); });
  shared<float2>("float2, stride 1", [] __device__(unsigned t) { return int(lane_of(t)); });
  shared<float2>("float2, stride 2", [] __device__(unsigned t) { return int(2 * lane_of(t)); });
  shared<float2>("float2, stride 4", [] __device__(unsigned t) { return int(4 * lane_of(t)); });
  shared<float2>("float2, stride 8", [] __device__(unsigned t) { return int(8 * lane_of(t)); });
  shared<float2>("float2, stride 16", [] __device__(unsigned t) { return int(16 * lane_of(t)); });
  shared<float4>("float4, stride 1", [] __device__(unsigned t) { return int(lane_of(t)); });
  shared<float4>("float4, stride 2", [] __device__(unsigned t) { return int(2 * lane_of(t)); });
  shared<float4>("float4, stride 4", [] __device__(unsigned t) { return int(4 * lane_of(t)); });
  shared<float4>("float4, stride 8", [] __device__(unsigned t) { return int(8 * lane_of(t)); });
  shared<float>("float, column of [32][33]", [] __device__(unsigned t) { return int(lane_of(t) * 33 + t / 32); });
  shared<float>("float, 64 blocks", [] __device__(unsigned t) { return int(4 * lane_of(t)); }, {64, 128});
  shared<double>("double, stride 1", [] __device__(unsigned t) { return int(lane_of(t)); });
  shared<char>("char, stride 4", [] __device__(unsigned t) { return int(4 * lane_of(t)); });
}

void same_words() {
  shared<float2>("float2, one for all", [] __device__(unsigned) { return 5; });
  shared<float4>("float4, one for all", [] __device__(unsigned) { return 5; });
  shared<float2>("float2, pairs alike", [] __device__(unsigned t) { return int(lane_of(t) / 2); });
  shared<float4>("float4, lanes 2 apart alike", [] __device__(unsigned t) { return int(lane_of(t) & ~2u); });
  shared<float4>("float4, lanes 4 apart alike", [] __device__(unsigned t) { return int(lane_of(t) & ~4u); });
  shared<float4>("float4, all but one pair alike",
                 [] __device__(unsigned t) { return lane_of(t) == 9 ? 70 : int(lane_of(t) / 2); });
}

void masks() {
  shared<float>("float, tail of 40", [] __device__(unsigned t) { return t < 40 ? int(lane_of(t)) : idle; });
  shared<float2>("float2, even lanes", [] __device__(unsigned t) { return t % 2 == 0 ? int(lane_of(t)) : idle; });
  shared<float4>("float4, first quarter",
                 [] __device__(unsigned t) { return lane_of(t) < 8 ? int(lane_of(t)) : idle; });
}

/// One warp, so that a figure tells one access.
void scattered() {
  const Shape one_warp = {1, 32};
  shared<float>("float, scattered 1", Scattered{1, 1000, 1}, one_warp);
  shared<float2>("float2, scattered 1, few lanes", Scattered{1, 64, 5}, one_warp);
  shared<float4>("float4, scattered 1", Scattered{1, 1000, 1}, one_warp);
  shared<float4>("float4, scattered 7, half of the lanes", Scattered{7, 256, 2}, one_warp);
}

}  // namespace

void shared_cases() {
  strides();
  same_words();
  masks();
  scattered();
}

}  // namespace micro
