// SPDX-License-Identifier: MIT
// What is counted while a kernel runs, for each PTX instruction; sums over instructions give a kernel's or a line's
// figures. A quantity bears a name of Nsight Compute only where it equals Nsight's figure (common/README.md has the
// table).
#pragma once

#include <cstdint>
#include <vector>

namespace cudasim {

struct Counters {
  std::uint64_t warp_instructions = 0;    ///< PTX instructions executed, one a warp (not SASS: ptxas changes the count)
  std::uint64_t thread_instructions = 0;  ///< the same, one for each active lane
  std::uint64_t global_load_requests = 0;   ///< l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum
  std::uint64_t global_load_sectors = 0;    ///< l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum, 32 bytes each
  std::uint64_t global_store_requests = 0;  ///< l1tex__t_requests_pipe_lsu_mem_global_op_st.sum
  std::uint64_t global_store_sectors = 0;   ///< l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum
  std::uint64_t shared_requests = 0;        ///< loads and stores of shared memory, one a warp
  /// Passes that these took: l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum plus _op_st.sum, less the conflicts
  /// that hardware adds by arbitration (2 to 8 % of the wavefronts in the large launches of the answers on an H200).
  std::uint64_t shared_wavefronts = 0;
  std::uint64_t shared_bank_conflicts = 0;  ///< wavefronts above the least that the width needs
  std::uint64_t atomic_requests = 0;
  std::uint64_t barriers = 0;            ///< barrier instructions executed, one a warp
  std::uint64_t branches = 0;            ///< conditional branches executed, one a warp
  std::uint64_t divergent_branches = 0;  ///< those whose lanes went different ways

  Counters& operator+=(const Counters& other);
};

}  // namespace cudasim
