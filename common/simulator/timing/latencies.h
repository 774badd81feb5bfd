// SPDX-License-Identifier: MIT
// How long a dependent instruction waits for a result, in cycles. The counts of an estimate use them (CUDASIM_TIMING).
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace cudasim {

/// The defaults are those of an H200 (GH200: README of markdewing/AI_kernels, "latency").
struct Latencies {
  double l1 = 40;      ///< a load that hits the L1
  double l2 = 281;     ///< one that hits the L2
  double dram = 690;   ///< one that hits neither
  double shared = 29;  ///< a load of shared memory
};

/// Each field under the name that it has in CUDASIM_TIMING.
struct LatencyName {
  const char* name;
  double Latencies::*field;
};
constexpr LatencyName kLatencyNames[] = {
    {"l1", &Latencies::l1},
    {"l2", &Latencies::l2},
    {"dram", &Latencies::dram},
    {"shared", &Latencies::shared},
};
static_assert(sizeof(Latencies) == sizeof kLatencyNames / sizeof kLatencyNames[0] * sizeof(double),
              "a latency has no name here");

/// "l1=40,dram=690": a latency that is not named has its default. "1": all have. "0" and "": no counts are wanted.
/// `error` gets why the text is none of these, as the end of a sentence.
std::optional<Latencies> parse_latencies(std::string_view text, std::string& error);

}  // namespace cudasim
