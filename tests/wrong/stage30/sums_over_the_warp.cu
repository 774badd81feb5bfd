// refused: wrong-result: five steps add up the counts of eight queries
// SPDX-License-Identifier: MIT
// shown by: --size 1000x333
#include "../stage30_but_count_by_teams.cuh"

template <KeyType kType, Bound kBound, bool kIsWhole>
__device__ unsigned count_by_teams(const Level& level, unsigned line, std::uint32_t query) {
  const unsigned lane = threadIdx.x % kWarp;
  unsigned own = 0;
#pragma unroll
  for (unsigned round = 0; round < kTeam; ++round) {
    const unsigned asker = round * kTeams + lane / kTeam;
    const std::size_t line_of_asker = __shfl_sync(kFull, line, asker);
    const std::uint32_t query_of_asker = __shfl_sync(kFull, query, asker);
    unsigned count = 0;
    for (unsigned vector = lane % kTeam; vector < kLine / kVector; vector += kTeam) {
      const std::size_t position = line_of_asker * kLine + vector * kVector;
      count += count_in_vector<kType, kBound, kIsWhole>(level, position, query_of_asker);
    }
    for (unsigned distance = 1; distance < kWarp; distance *= 2) {
      count += __shfl_xor_sync(kFull, count, distance);
    }
    const unsigned sum = __shfl_sync(kFull, count, lane % kTeams * kTeam);
    own = lane / kTeams == round ? sum : own;
  }
  return own;
}
