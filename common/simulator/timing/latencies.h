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
  // Dependent instructions (Abdelkhalik et al., arXiv 2208.11174, for Ampere; Luo et al., arXiv 2402.13499, for
  // Hopper).
  double arithmetic = 4;       ///< of 32 bits
  double predicate = 5;        ///< a comparison whose result guards or chooses
  double wide_integer = 6;     ///< of 64 bits
  double fp64 = 8;             ///< where double precision is half as fast as single
  double fp64_slow = 40;       ///< where it is slower than that
  double conversion = 10;      ///< to or from a floating-point number
  double special = 20;         ///< of the special function unit
  double division = 100;       ///< the code that ptxas writes out for a quotient
  double wide_division = 300;  ///< the same of 64 bits
  double shuffle = 24;         ///< between lanes
  double tensor = 33;          ///< of a tensor core
  double shared_atomic = 60;   ///< the old value of an atomic in shared memory
  double barrier = 20;         ///< from the last warp's arrival to the next instruction
  double cold = 0;             ///< 1: the L2 is empty before each launch, whatever was launched before
  double branch = 8;           ///< to the first instruction at another place
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
    {"arithmetic", &Latencies::arithmetic},
    {"predicate", &Latencies::predicate},
    {"wide_integer", &Latencies::wide_integer},
    {"fp64", &Latencies::fp64},
    {"fp64_slow", &Latencies::fp64_slow},
    {"conversion", &Latencies::conversion},
    {"special", &Latencies::special},
    {"division", &Latencies::division},
    {"wide_division", &Latencies::wide_division},
    {"shuffle", &Latencies::shuffle},
    {"tensor", &Latencies::tensor},
    {"shared_atomic", &Latencies::shared_atomic},
    {"barrier", &Latencies::barrier},
    {"branch", &Latencies::branch},
    {"cold", &Latencies::cold},
};
static_assert(sizeof(Latencies) == sizeof kLatencyNames / sizeof kLatencyNames[0] * sizeof(double),
              "a latency has no name here");

/// "l1=40,dram=690": a latency that is not named has its default. "1": all have. "0" and "": no counts are wanted.
/// `error` gets why the text is none of these, as the end of a sentence.
std::optional<Latencies> parse_latencies(std::string_view text, std::string& error);

}  // namespace cudasim
