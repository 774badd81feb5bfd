// SPDX-License-Identifier: MIT
// Yours to finish: README.md here is the lesson; run it with `scripts/workbook run 27 --todo`.
// As handed out: 5847da2fe43b. Leave this line: scripts/workbook sees by it whether you have begun.
// Stage 27: all hits, in order. The place of a hit's index depends on all hits before it. So the keys are read twice. A
// first launch counts the hits of each warp's share, and a second one makes offsets of the counts. A third one finds
// the hits again and stores their indices.
#include <algorithm>
#include <cstddef>
#include <cstring>

#include "workbook/student/find.h"

constexpr unsigned kWarp = 32;
constexpr unsigned kAll = 0xffffffffu;
constexpr unsigned kPage = kWarp * kWarp;  // keys that a warp takes at a time: a bit for each is a word for each lane
constexpr unsigned kLoads = 32;            // that a lane has under way at the same time
constexpr unsigned kMostThreads = 256;     // a block that counts or stores
constexpr unsigned kThreadsAnSm = 1024;
constexpr unsigned kScanThreads = 1024;
constexpr unsigned kFew = 256;  // hits of a page, of which each lane stores its own

// Reads 4 bytes that no thread of this SM will ask for again: they need no place in its L1 cache.
template <typename T>
__device__ T load_once(const T* address) {
  unsigned bits;
  asm volatile("ld.global.nc.L1::no_allocate.u32 %0, [%1];" : "=r"(bits) : "l"(address));
  T key;
  memcpy(&key, &bits, sizeof key);
  return key;
}

// The hits of a page, which begins at `page`, as bits. Lane i gets those of keys page + 32 * i to page + 32 * i + 31,
// the first of them in the lowest bit. Keys from `end` on are no hits. All lanes of the warp come here.
template <typename T>
__device__ unsigned hits_of_page(const T* keys, std::size_t page, std::size_t end, T x) {
  const unsigned lane = threadIdx.x % kWarp;
  unsigned mine = 0;
  // TODO (roughly 16 lines): in round i, the 32 lanes read the keys page + 32 * i + lane. With __ballot_sync() every
  //     lane gets the word of this round; lane i keeps it. Where the whole page lies before `end`: first kLoads loads
  //     by load_once(), then as many ballots. Else one by one, and no lane may read at `end` or behind it.
  (void)keys, (void)page, (void)end, (void)x, (void)lane, (void)kLoads;  // delete it
  return mine;
}

// The sum of this lane's number and of those of all lanes below it. All lanes of the warp come here.
__device__ unsigned sum_up_to_lane(unsigned number) {
  const unsigned lane = threadIdx.x % kWarp;
  // TODO (roughly 3 lines): __shfl_up_sync() at distances 1, 2, 4, 8, 16; a lane that has no lane so far below adds
  //     nothing. __shfl_up_sync(kAll, x, d) gives each lane the x of the lane d further down, and the first d lanes
  //     their own.
  (void)lane;  // only keeps the compiler quiet: delete it
  return number;
}

// Stores the indices of a page's hits from hits.indices[at] on, as far as there is room. Returns how many hits it has.
// All lanes of the warp come here.
__device__ unsigned store_page(const workbook::Hits& hits, unsigned at, std::size_t page, unsigned mine) {
  const unsigned lane = threadIdx.x % kWarp;
  const unsigned up_to_me = sum_up_to_lane(__popc(mine));
  const unsigned count = __shfl_sync(kAll, up_to_me, kWarp - 1);
  unsigned place = at + up_to_me - __popc(mine);  // of this lane's first hit
  if (count > kFew) {
    // Many: all lanes store the hits of one word, side by side, and then those of the next.
    for (unsigned i = 0; i < kWarp; ++i) {
      const unsigned word = __shfl_sync(kAll, mine, i);
      const unsigned mine_of_word = __shfl_sync(kAll, place, i) + __popc(word & ((1u << lane) - 1));
      if ((word >> lane & 1u) != 0 && mine_of_word < hits.capacity) {
        hits.indices[mine_of_word] = static_cast<unsigned>(page) + i * kWarp + lane;
      }
    }
    return count;
  }
  // TODO (roughly 3 lines): few hits: each lane stores those of its own word. The lowest bit that is set is
  //     __ffs(mine) - 1, and mine & (mine - 1) is the word without it.
  return count;
}

// The keys of this warp: its number in the grid says which `pages` pages, or fewer at the end.
struct Share {
  unsigned warp;
  std::size_t begin;
  std::size_t end;

  __device__ Share(std::size_t n, std::size_t pages) : warp((blockIdx.x * blockDim.x + threadIdx.x) / kWarp) {
    begin = min(n, warp * pages * kPage);
    end = min(n, begin + pages * kPage);
  }
};

// counts[w]: the hits of warp w's share. Launch: a warp for each share.
template <typename T>
__global__ void __launch_bounds__(kMostThreads, kThreadsAnSm / kMostThreads)
    count_hits(const T* keys, std::size_t n, T x, std::size_t pages, unsigned* counts) {
  const Share share(n, pages);
  unsigned count = 0;
  for (std::size_t page = share.begin; page < share.end; page += kPage) {
    count += __popc(hits_of_page<T>(keys, page, share.end, x));
  }
  count = sum_up_to_lane(count);
  if (threadIdx.x % kWarp == kWarp - 1) {
    counts[share.warp] = count;
  }
}

// Makes of each count the sum of all before it, and stores the sum of all in *total. Launch: one block of kScanThreads
// threads. Each has size / kScanThreads neighbouring counts, rounded up. The last threads have fewer, or none.
__global__ void __launch_bounds__(kScanThreads) scan_counts(unsigned* counts, unsigned size, unsigned* total) {
  __shared__ unsigned sums_of_warps[kScanThreads / kWarp];
  const unsigned lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp;
  const unsigned each = (size + kScanThreads - 1) / kScanThreads;
  const unsigned begin = min(size, threadIdx.x * each), end = min(size, begin + each);
  unsigned sum = 0;
  for (unsigned i = begin; i < end; ++i) {
    sum += counts[i];
  }
  // TODO (roughly 13 lines): compute `before`, the sum of all threads below this one. First within the warp, by
  //     sum_up_to_lane(); the warp's last lane leaves the warp's sum in shared memory. Then each thread adds what the
  //     warps below its own have left. Then write each count's offset in place of it. Thread kScanThreads - 1 stores
  //     the sum of all in *total.
  *total = sums_of_warps[warp] + sum + lane;  // only keeps the compiler quiet: delete it
}

// Stores the indices of all hits: those of warp w's share from offsets[w] on. Launch: as count_hits.
template <typename T>
__global__ void __launch_bounds__(kMostThreads, kThreadsAnSm / kMostThreads)
    store_hits(const T* keys, std::size_t n, T x, std::size_t pages, const unsigned* offsets, workbook::Hits hits) {
  const Share share(n, pages);
  unsigned at = offsets[share.warp];
  for (std::size_t page = share.begin; page < share.end; page += kPage) {
    at += store_page(hits, at, page, hits_of_page<T>(keys, page, share.end, x));
  }
}

struct Cut {
  unsigned blocks;
  std::size_t pages;  // a warp has
};

// As many warps as fill kThreadsAnSm threads on each SM. Each has one piece of the keys, so there are few counts for
// any n.
Cut cut_keys(std::size_t n, unsigned block_size) {
  int device = 0, multiprocessors = 1;
  CUDA_CHECK(cudaGetDevice(&device));
  CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  const std::size_t warps = kThreadsAnSm / kWarp * static_cast<std::size_t>(multiprocessors);
  const std::size_t all_pages = std::max<std::size_t>(1, (n + kPage - 1) / kPage);
  const std::size_t pages = (all_pages + warps - 1) / warps;
  const std::size_t block_pages = pages * (block_size / kWarp);
  return {static_cast<unsigned>((all_pages + block_pages - 1) / block_pages), pages};
}

template <typename T>
void find_all_on_device(const T* keys, std::size_t n, T x, const workbook::Hits& hits, unsigned block_size,
                        const workbook::FindAllWorkspace& workspace) {
  WORKBOOK_TODO("write hits_of_page, the two sums and store_page, then delete this line");
  const Cut cut = cut_keys(n, block_size);
  const unsigned warps = cut.blocks * (block_size / kWarp);
  unsigned* const counts = workspace.numbers;
  count_hits<<<cut.blocks, block_size, 0, workspace.stream>>>(keys, n, x, cut.pages, counts);
  CUDA_CHECK(cudaGetLastError());
  scan_counts<<<1, kScanThreads, 0, workspace.stream>>>(counts, warps, hits.count);
  CUDA_CHECK(cudaGetLastError());
  store_hits<<<cut.blocks, block_size, 0, workspace.stream>>>(keys, n, x, cut.pages, counts, hits);
  CUDA_CHECK(cudaGetLastError());
}

template void find_all_on_device(const unsigned*, std::size_t, unsigned, const workbook::Hits&, unsigned,
                                 const workbook::FindAllWorkspace&);
template void find_all_on_device(const int*, std::size_t, int, const workbook::Hits&, unsigned,
                                 const workbook::FindAllWorkspace&);
template void find_all_on_device(const float*, std::size_t, float, const workbook::Hits&, unsigned,
                                 const workbook::FindAllWorkspace&);
