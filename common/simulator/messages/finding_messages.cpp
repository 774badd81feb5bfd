// SPDX-License-Identifier: MIT
// A finding with the words of its kind, the place and the threads.
#include "messages/finding_messages.h"

namespace cudasim {

Finding finding_at(const Grid& grid, std::uint64_t block, std::uint32_t warp, std::uint32_t instruction, Mask lanes,
                   FindingKind kind) {
  const KindDescription& words = words_of(kind);
  Finding f;
  f.kind = kind;
  f.severity = words.severity;
  f.kernel = grid.program.info.name;
  f.where = grid.program.source_line(instruction);
  f.inlined = grid.program.source_chain(instruction);
  f.ptx_line = grid.program.origins[instruction].ptx_line;
  f.block = block_index(grid, block);
  f.lanes = lanes;
  f.thread = thread_index(grid, warp, lanes != 0 ? static_cast<unsigned>(__builtin_ctz(lanes)) : 0);
  f.message = words.message;
  f.advice = words.advice;
  f.seed = grid.schedule.seed;
  f.cuda_error = words.cuda_error;
  return f;
}

}  // namespace cudasim
