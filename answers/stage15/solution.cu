// SPDX-License-Identifier: MIT
// Stage 15: a transpose, through a padded tile. Rows of the tile may be longer than they must be. Then the numbers of a
// column lie in other banks of the shared memory. How many floats longer is computed: by the passes of a request.
#include <cstddef>

#include "workbook/student/matrix.h"

constexpr unsigned kLanes = 32;  // of a warp
constexpr unsigned kBanks = 32;  // of shared memory: float w of the tile lies in bank w % kBanks

// How many passes one request of a warp takes, in a tile of side x side floats whose rows are `pitch` floats apart.
// Lane l is thread (l % side, l / side) of the block: x first, then y. It stores float y * pitch + x of the tile, or,
// by_columns, it loads float x * pitch + y. A bank gives one float in a pass, and all lanes have different floats.
constexpr unsigned passes_of(unsigned side, unsigned pitch, bool by_columns) {
  // BEGIN SOLUTION: step 1. Count how many of the kLanes floats lie in each bank. The fullest bank decides.
  // UNTIL SOLVED: (void)side, (void)pitch, (void)by_columns, (void)kLanes, (void)kBanks;
  // UNTIL SOLVED: return 0;  // replace both lines
  unsigned floats_of_bank[kBanks] = {};
  unsigned most = 0;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const unsigned x = lane % side, y = lane / side;
    const unsigned place = by_columns ? x * pitch + y : y * pitch + x;
    const unsigned floats = ++floats_of_bank[place % kBanks];
    most = floats > most ? floats : most;
  }
  return most;
  // END SOLUTION
}

// BEGIN SOLUTION: step 1. Your prediction, made on paper before passes_of() is written: the passes by columns
//     for a side of 32, where the pitch is 32, 33, 34 and 48.
// UNTIL SOLVED: constexpr unsigned kPredicted[] = {0, 0, 0, 0};  // replace
constexpr unsigned kPredicted[] = {32, 1, 2, 16};
// END SOLUTION
static_assert(passes_of(32, 32, true) == kPredicted[0], "your prediction for a pitch of 32");
static_assert(passes_of(32, 33, true) == kPredicted[1], "your prediction for a pitch of 33");
static_assert(passes_of(32, 34, true) == kPredicted[2], "your prediction for a pitch of 34");
static_assert(passes_of(32, 48, true) == kPredicted[3], "your prediction for a pitch of 48");

// Floats from one row of the tile to the next: at least `side`, and less than side + kBanks.
unsigned tile_pitch(unsigned side) {
  // BEGIN SOLUTION: step 2. The pitch with the fewest passes, of a store by rows and a load by columns
  //     together. The smallest of them, where several have as few.
  // UNTIL SOLVED: return side;  // replace: as in stage 14
  unsigned best = side;
  for (unsigned pitch = side; pitch < side + kBanks; ++pitch) {
    const unsigned passes = passes_of(side, pitch, false) + passes_of(side, pitch, true);
    if (passes < passes_of(side, best, false) + passes_of(side, best, true)) best = pitch;
  }
  return best;
  // END SOLUTION
}

// Element (i, j) of the input becomes element (j, i) of the output. Launch: a block of T x T threads for each tile of T
// x T elements, in one dimension. All tiles of the first columns come first, and tiles_down of them lie one below the
// other. T * pitch floats of dynamic shared memory. Row y of the tile holds row top + y of the input, from column left
// on. It is read by columns. Column y of the tile is what row left + y of the output holds from column top on.
__global__ void transpose_tiles(workbook::ConstMatrix input, workbook::Matrix output, unsigned tiles_down,
                                unsigned pitch) {
  extern __shared__ float tile[];
  const unsigned x = threadIdx.x;
  const unsigned y = threadIdx.y;
  const std::size_t top = std::size_t{blockIdx.x % tiles_down} * blockDim.x;
  const std::size_t left = std::size_t{blockIdx.x / tiles_down} * blockDim.x;
  if (top + y < input.rows && left + x < input.columns) {
    tile[y * pitch + x] = input.data[(top + y) * input.pitch + left + x];
  }
  __syncthreads();  // other threads have loaded what this one stores
  if (left + y < output.rows && top + x < output.columns) {
    output.data[(left + y) * output.pitch + top + x] = tile[x * pitch + y];
  }
}

void transpose_on_device(workbook::ConstMatrix input, workbook::Matrix output, dim3 block, cudaStream_t stream) {
  // UNTIL SOLVED: WORKBOOK_TODO("step 1: write passes_of and your prediction, then delete this line");
  if (input.rows == 0 || input.columns == 0) {
    return;  // a grid without blocks cannot be launched
  }
  const std::size_t tiles_down = (input.rows + block.x - 1) / block.x;
  const std::size_t tiles_across = (input.columns + block.x - 1) / block.x;
  const unsigned pitch = tile_pitch(block.x);
  const std::size_t tile_bytes = block.x * pitch * sizeof(float);
  transpose_tiles<<<static_cast<unsigned>(tiles_down * tiles_across), block, tile_bytes, stream>>>(
      input, output, static_cast<unsigned>(tiles_down), pitch);
  CUDA_CHECK(cudaGetLastError());
}
