// SPDX-License-Identifier: MIT
// The counts of a kernel's run, for each PTX instruction. Sums over instructions give the figures of a kernel or a
// line. A request is one for each warp, or one for each part of a warp that runs alone. The table in common/counters.md
// gives the equal figure of Nsight Compute for each count, and the cases where they differ.
#pragma once

#include <cstdint>
#include <vector>

namespace cudasim {

struct Counters {
  std::uint64_t warp_instructions = 0;  ///< PTX instructions executed, one a warp (not SASS: ptxas changes the count).
  std::uint64_t thread_instructions = 0;  ///< The same, one for each active lane.
  std::uint64_t integer_divisions = 0;    ///< Those of warp_instructions that are div or rem of integers.
  std::uint64_t global_load_requests = 0;
  std::uint64_t global_load_sectors = 0;  ///< distinct sectors of 32 bytes, summed over requests
  std::uint64_t global_store_requests = 0;
  std::uint64_t global_store_sectors = 0;
  std::uint64_t global_atomic_requests = 0;  ///< Atomics whose old value is used.
  std::uint64_t global_atomic_sectors = 0;   ///< Lanes that update one word take turns: each turn counts its sectors.
  std::uint64_t global_reduction_requests = 0;  ///< Atomics whose old value is not used.
  std::uint64_t global_reduction_sectors = 0;
  std::uint64_t local_load_requests = 0;  ///< one for each 32-bit word of the element
  std::uint64_t local_load_sectors = 0;   ///< the lanes' words lie side by side: 32 equal indices are 4 sectors a word
  std::uint64_t local_store_requests = 0;
  std::uint64_t local_store_sectors = 0;
  std::uint64_t shared_load_requests = 0;
  std::uint64_t shared_load_wavefronts = 0;      ///< passes that the loads took
  std::uint64_t shared_load_bank_conflicts = 0;  ///< those above the least that the width and the lanes need
  std::uint64_t shared_loads_during_copies = 0;  ///< those while an asynchronous copy of the warp is on its way
  std::uint64_t shared_loads_used_early = 0;     ///< executed loads, one a warp: see is_used_early()
  std::uint64_t shared_store_requests = 0;
  std::uint64_t shared_store_wavefronts = 0;
  std::uint64_t shared_store_bank_conflicts = 0;
  std::uint64_t shared_atomic_requests = 0;  ///< with and without a result
  std::uint64_t shared_atomic_wavefronts = 0;
  std::uint64_t shared_atomic_bank_conflicts = 0;
  std::uint64_t barriers = 0;            ///< barrier instructions executed, one a warp
  std::uint64_t branches = 0;            ///< conditional branches executed, one a warp
  std::uint64_t divergent_branches = 0;  ///< those whose lanes went different ways

  /// For a warp. A load or store of shared memory may have no lane: see Observer::idle().
  bool was_issued() const { return warp_instructions != 0 || shared_load_requests != 0 || shared_store_requests != 0; }
  Counters& operator+=(const Counters& other);
};

/// Each field under the name that it has in reports.
struct CounterName {
  const char* name;
  std::uint64_t Counters::*field;
};
constexpr CounterName kCounterNames[] = {
    {"warp_instructions", &Counters::warp_instructions},
    {"thread_instructions", &Counters::thread_instructions},
    {"integer_divisions", &Counters::integer_divisions},
    {"global_load_requests", &Counters::global_load_requests},
    {"global_load_sectors", &Counters::global_load_sectors},
    {"global_store_requests", &Counters::global_store_requests},
    {"global_store_sectors", &Counters::global_store_sectors},
    {"global_atomic_requests", &Counters::global_atomic_requests},
    {"global_atomic_sectors", &Counters::global_atomic_sectors},
    {"global_reduction_requests", &Counters::global_reduction_requests},
    {"global_reduction_sectors", &Counters::global_reduction_sectors},
    {"local_load_requests", &Counters::local_load_requests},
    {"local_load_sectors", &Counters::local_load_sectors},
    {"local_store_requests", &Counters::local_store_requests},
    {"local_store_sectors", &Counters::local_store_sectors},
    {"shared_load_requests", &Counters::shared_load_requests},
    {"shared_load_wavefronts", &Counters::shared_load_wavefronts},
    {"shared_load_bank_conflicts", &Counters::shared_load_bank_conflicts},
    {"shared_loads_during_copies", &Counters::shared_loads_during_copies},
    {"shared_loads_used_early", &Counters::shared_loads_used_early},
    {"shared_store_requests", &Counters::shared_store_requests},
    {"shared_store_wavefronts", &Counters::shared_store_wavefronts},
    {"shared_store_bank_conflicts", &Counters::shared_store_bank_conflicts},
    {"shared_atomic_requests", &Counters::shared_atomic_requests},
    {"shared_atomic_wavefronts", &Counters::shared_atomic_wavefronts},
    {"shared_atomic_bank_conflicts", &Counters::shared_atomic_bank_conflicts},
    {"barriers", &Counters::barriers},
    {"branches", &Counters::branches},
    {"divergent_branches", &Counters::divergent_branches},
};
static_assert(sizeof(Counters) == sizeof kCounterNames / sizeof kCounterNames[0] * sizeof(std::uint64_t),
              "a counter has no name here");

inline Counters& Counters::operator+=(const Counters& other) {
  for (const auto& counter : kCounterNames) this->*counter.field += other.*counter.field;
  return *this;
}

}  // namespace cudasim
