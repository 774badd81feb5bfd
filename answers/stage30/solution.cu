// SPDX-License-Identifier: MIT
// Stage 30: a binary search for the cache. A search waits for lines of memory, not for comparisons. So it asks lines of
// 32 keys, not keys. Every 32nd key of the table is copied into a level of its own. Every 32nd key of that level goes
// into the next, and so on. Levels end where one is short enough for shared memory. A search reads one line of each
// level (a static B-tree).
#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>

#include "workbook/student/binary_search.h"
#include "workbook/student/shared_memory.h"

using workbook::Bound;
using workbook::KeyType;

constexpr unsigned kFull = 0xffffffffu;
constexpr unsigned kWarp = 32;
constexpr unsigned kLine = 32;           // keys of 4 bytes in the 128 bytes that a cache keeps together
constexpr unsigned kMostLevels = 4;      // the table among them
constexpr unsigned kTopAThread = 32;     // keys of the top that a block may have for each of its threads
constexpr unsigned kThreadsAnSm = 1024;  // of all its blocks: their tops fill the shared memory
constexpr unsigned kMostThreads = 1024;  // a block

constexpr std::size_t divide_up(std::size_t dividend, std::size_t divisor) {
  return (dividend + divisor - 1) / divisor;
}

// Keys at positions begin, begin + 1, ..., end - 1 behind an address that is a multiple of 128 bytes. Line i has
// positions 32 i to 32 i + 31. The table may begin within a line, and a level may end within one.
struct Level {
  const std::uint32_t* lines;
  std::size_t begin, end;

  std::size_t line_count() const { return divide_up(end, kLine); }
};

// The first level is the table. The top has the first key of each line of the last level.
struct Index {
  Level levels[kMostLevels];
  unsigned level_count;
  Level last;
  unsigned top_count;
  unsigned top_depth;  // 2^top_depth keys are as many as the top has, or more
};

// samples[i] = the first key of line i, for all lines. Launch: a thread a line, or more.
__global__ void sample_lines(Level level, std::uint32_t* samples) {
  // BEGIN SOLUTION: a line whose first position is in front of level.begin has its first key there
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t position = max(i * kLine, level.begin);
  if (position < level.end) {
    samples[i] = level.lines[position];
  }
  // END SOLUTION
}

// Shared memory as a tree: below node k are 2 k and 2 k + 1, and a search walks from node 1 downwards. All keys that
// are asked at the same depth lie side by side. Node k holds the first key of the line that this function names.
__device__ unsigned line_of_node(unsigned node, unsigned depth) {
  const unsigned row = kWarp - 1 - __clz(node);  // node 1 is in row 0, 2 and 3 in row 1, ...
  const unsigned column = node - (1u << row);
  return (2 * column + 1) << (depth - 1 - row);
}

// All threads of the block come here and fill the top. A line that does not exist gets the last key of the order.
template <KeyType kType>
__device__ void fill_top(std::uint32_t* top, const Index& index) {
  for (unsigned node = 1 + threadIdx.x; node < 1u << index.top_depth; node += blockDim.x) {
    const unsigned line = line_of_node(node, index.top_depth);
    top[node] =
        line < index.top_count ? workbook::ordinal_of(index.last.lines[std::size_t{line} * kLine], kType) : 0xffffffffu;
  }
  __syncthreads();
}

// The line of the last level in which the place of the query lies. It is the last whose first key is in front of the
// query, or the first. For the last key of the order it may be a line behind all others.
template <Bound kBound>
__device__ unsigned line_by_top(const std::uint32_t* top, std::uint32_t query, const Index& index) {
  // BEGIN SOLUTION: from node 1 down, top_depth times: to the right where the node's key is in front of the
  //     query. At the end this is a place below the tree. Counted from the left and from 0 on, it is the number of the
  //     line.
  // UNTIL SOLVED: return 0;  // replace
  unsigned node = 1;
  for (unsigned row = 0; row < index.top_depth; ++row) {
    node = 2 * node + (workbook::is_in_front<kBound>(top[node], query) ? 1 : 0);
  }
  return node - (1u << index.top_depth);
  // END SOLUTION
}

// The 4 keys from a position on. `kIsWhole`: all of them exist. Else the first key of the level stands for each that
// would lie before it, and the last for each behind it.
template <bool kIsWhole>
__device__ uint4 load_vector(const Level& level, std::size_t position) {
  // BEGIN SOLUTION: if constexpr (kIsWhole) one load of 16 bytes; else four, of the keys that exist.
  if constexpr (kIsWhole) {
    return __ldg(reinterpret_cast<const uint4*>(level.lines + position));
  }
  const auto key_at = [&level](std::size_t i) { return level.lines[min(max(i, level.begin), level.end - 1)]; };
  return make_uint4(key_at(position), key_at(position + 1), key_at(position + 2), key_at(position + 3));
  // END SOLUTION
}

// How many of them are in front of the query.
template <KeyType kType, Bound kBound>
__device__ unsigned count_in_front(uint4 keys, std::uint32_t query) {
  const auto ask = [query](std::uint32_t key) {
    return workbook::is_in_front<kBound>(workbook::ordinal_of(key, kType), query) ? 1u : 0u;
  };
  return ask(keys.x) + ask(keys.y) + ask(keys.z) + ask(keys.w);
}

// How many keys of its line are in front of the query, for the query of each lane. Teams of 4 lanes read the lines. All
// lanes of the warp come here.
template <KeyType kType, Bound kBound, bool kIsWhole>
__device__ unsigned count_by_teams(const Level& level, unsigned line, std::uint32_t query) {
  unsigned own = 0;
  // BEGIN SOLUTION: 4 rounds. In each, every one of the 8 teams takes the query of one lane. Team 0 takes
  //     that of lane 8 * round, team 1 that of the next, and so on. First do the loads of all rounds. Get the line of
  //     that lane by a shuffle. The line has 8 vectors: load the two that are this lane's, 4 apart. Then, round by
  //     round: get the query, count_in_front(), and add up the team. Each of the lanes that asked gets its sum, as
  //     `own`.
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
    const unsigned sum = __shfl_sync(kFull, count, lane % kTeams * kTeam);
    own = lane / kTeams == round ? sum : own;
  }
  // END SOLUTION
  return own;
}

// The position in a level behind all keys that are in front of the query, which lies in this line. All lanes of the
// warp come here. Where all their lines are whole, no question stands before a load.
template <KeyType kType, Bound kBound>
__device__ std::size_t position_in(const Level& level, unsigned line, std::uint32_t query) {
  const std::size_t first = std::size_t{line} * kLine;
  const bool are_whole = __all_sync(kFull, first >= level.begin && first + kLine <= level.end);
  const unsigned count = are_whole ? count_by_teams<kType, kBound, true>(level, line, query)
                                   : count_by_teams<kType, kBound, false>(level, line, query);
  return min(max(first + count, level.begin), level.end);
}

// Sets places[j] to the place of queries[j]. Launch: blocks that together take all queries in turns. Their shared
// memory is 4 bytes for each of 2^top_depth nodes.
template <KeyType kType, Bound kBound>
__global__ void __launch_bounds__(kMostThreads)
    search_lines(Index index, const std::uint32_t* queries, std::uint32_t m, std::uint32_t* places) {
  extern __shared__ std::uint32_t top[];
  fill_top<kType>(top, index);
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  // A warp goes round as long as one of its lanes has a query: the others help it.
  for (std::size_t j = first; j - threadIdx.x % kWarp < m; j += threads) {
    const std::uint32_t query = j < m ? workbook::ordinal_of(__ldcs(queries + j), kType) : 0;
    unsigned line = line_by_top<kBound>(top, query, index);
    // BEGIN SOLUTION: position_in() each level from the last one to levels[1]: it is the number of samples
    //     that are in front. So in which line of the level before does the place lie, and in which if there are none?
    //     The compiler must be able to unroll the loop, or it puts the whole index into memory. So begin at
    //     kMostLevels - 1, and leave out levels that are not there.
#pragma unroll
    for (unsigned level = kMostLevels - 1; level > 0; --level) {
      if (level < index.level_count) {
        const std::size_t samples = position_in<kType, kBound>(index.levels[level], line, query);
        line = static_cast<unsigned>(max(samples, std::size_t{1}) - 1);
      }
    }
    // END SOLUTION
    const std::size_t position = position_in<kType, kBound>(index.levels[0], line, query);
    if (j < m) {
      __stcs(places + j, static_cast<std::uint32_t>(position - index.levels[0].begin));
    }
  }
}

// Nodes 0 to 2^depth - 1 are a tree with room for that many keys.
unsigned depth_of_top(std::size_t keys) {
  unsigned depth = 0;
  while (std::size_t{1} << depth < keys) {
    ++depth;
  }
  return depth;
}

// Whether a block has room for the first keys of its lines.
bool fits_into_top(const Level& level, unsigned block_size) {
  const std::size_t lines = level.line_count();
  return lines <= std::size_t{kTopAThread} * block_size &&
         sizeof(std::uint32_t) << depth_of_top(lines) <= workbook::most_shared_bytes();
}

// The table by its lines, and the levels above it, which are made in the workspace.
Index make_index(const workbook::Search& search, std::uint32_t* workspace, unsigned block_size, cudaStream_t stream) {
  const std::size_t begin = reinterpret_cast<std::uintptr_t>(search.keys) / sizeof(std::uint32_t) % kLine;
  const Level table{search.keys - begin, begin, begin + search.n};
  Index index{{table}, 1, table, 0, 0};
  // BEGIN SOLUTION: while the last level does not pass fits_into_top(), call sample_lines() of it into the
  //     workspace. That is the next level. Each begins at a multiple of 128 bytes.
  // UNTIL SOLVED: (void)workspace, (void)block_size, (void)stream;  // only keeps the compiler quiet: delete it
  std::uint32_t* samples = workspace;
  while (!fits_into_top(index.last, block_size)) {
    assert(index.level_count < kMostLevels);  // 2^32 keys need four levels where a top has 4,096 keys or more
    const std::size_t lines = index.last.line_count();
    const auto blocks = static_cast<unsigned>(divide_up(lines, block_size));
    sample_lines<<<blocks, block_size, 0, stream>>>(index.last, samples);
    CUDA_CHECK(cudaGetLastError());
    index.last = index.levels[index.level_count++] = {samples, 0, lines};
    samples += divide_up(lines, kLine) * kLine;
  }
  // END SOLUTION
  index.top_count = static_cast<unsigned>(index.last.line_count());
  index.top_depth = depth_of_top(index.top_count);
  return index;
}

void search_in_workspace_on_device(const workbook::Search& search, std::uint32_t* workspace, unsigned block_size,
                                   cudaStream_t stream) {
  // UNTIL SOLVED: WORKBOOK_TODO("write the six parts, from sample_lines to make_index, then delete this line");
  if (search.m == 0) {
    return;  // a grid without blocks cannot be launched
  }
  if (search.n == 0) {
    CUDA_CHECK(cudaMemsetAsync(search.places, 0, search.m * sizeof(std::uint32_t), stream));
    return;
  }
  int device = 0, multiprocessors = 1;
  CUDA_CHECK(cudaGetDevice(&device));
  CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  const Index index = make_index(search, workspace, block_size, stream);
  const std::size_t resident = static_cast<std::size_t>(multiprocessors) * (kThreadsAnSm / block_size);
  const auto blocks = static_cast<unsigned>(std::min(resident, divide_up(search.m, block_size)));
  const std::size_t top_bytes = sizeof(std::uint32_t) << index.top_depth;
  workbook::with_type_and_bound(search, [&](auto type, auto bound) {
    const auto kernel = search_lines<decltype(type)::value, decltype(bound)::value>;
    // More than 48 KiB are given to a kernel only if it has been asked for them.
    CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(top_bytes)));
    kernel<<<blocks, block_size, top_bytes, stream>>>(index, search.queries, search.m, search.places);
    CUDA_CHECK(cudaGetLastError());
  });
}
