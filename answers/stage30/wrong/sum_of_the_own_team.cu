// refused: wrong-result: each lane takes the sum of its own team, and not of the team that has counted for its query
// SPDX-License-Identifier: MIT
// shown by: --size 1000x333
// hint: search-other-lane
#define count_by_teams(...) right_count_by_teams(__VA_ARGS__)
#include "answer/one_search_answer.cuh"

template <KeyType kType, Bound kBound, bool kIsWhole>
__device__ unsigned count_by_teams(const Level& level, unsigned line, std::uint32_t query) {
  unsigned own = 0;
  constexpr unsigned kTeam = 4, kTeams = kWarp / kTeam, kVector = 4, kLoads = kLine / kVector / kTeam;
  const unsigned lane = threadIdx.x % kWarp;
  uint4 keys[kTeam][kLoads];
#pragma unroll
  for (unsigned round = 0; round < kTeam; ++round) {
    const std::size_t line_of_asker = __shfl_sync(kFull, line, round * kTeams + lane / kTeam);
#pragma unroll
    for (unsigned k = 0; k < kLoads; ++k) {
      const unsigned vector = lane % kTeam + k * kTeam;
      keys[round][k] = load_vector<kIsWhole>(level, line_of_asker * kLine + vector * kVector);
    }
  }
#pragma unroll
  for (unsigned round = 0; round < kTeam; ++round) {
    const std::uint32_t query_of_asker = __shfl_sync(kFull, query, round * kTeams + lane / kTeam);
    unsigned count = 0;
#pragma unroll
    for (unsigned k = 0; k < kLoads; ++k) {
      count += count_in_front<kType, kBound>(keys[round][k], query_of_asker);
    }
#pragma unroll
    for (unsigned distance = 1; distance < kTeam; distance *= 2) {
      count += __shfl_xor_sync(kFull, count, distance);
    }
    const unsigned sum = __shfl_sync(kFull, count, lane / kTeam * kTeam);
    own = lane / kTeams == round ? sum : own;
  }
  return own;
}
