// SPDX-License-Identifier: MIT
// Findings: what went wrong, put into words once, with the place and the threads concerned.
#include "messages/finding_messages.h"

#include <algorithm>
#include <iterator>

namespace cudasim {
namespace {

struct Words {
  FindingKind kind;
  int cuda_error;  // values of cudaError_t, which hardware reports for this
  const char* message;
  const char* advice;
};

constexpr Words words[] = {
    {FindingKind::out_of_bounds, 700, "an access outside every allocation",
     "compare the index with the size that was allocated, and guard the access with `if (index < n)`"},
    {FindingKind::use_after_free, 700, "an access to memory that was freed",
     "free the memory only after the last kernel that uses it"},
    {FindingKind::null_pointer, 700, "an access through a null pointer",
     "check that the pointer was set by cudaMalloc and passed to the kernel"},
    {FindingKind::misaligned, 716, "an address that is not a multiple of the size of the access",
     "a 4-, 8- or 16-byte access needs an address that is a multiple of 4, 8 or 16"},
    {FindingKind::read_only, 719, "a store to constant memory",
     "constant memory is written by the host, with cudaMemcpyToSymbol"},
    {FindingKind::barrier_divergence, 719, "a barrier that part of the block cannot reach",
     "move __syncthreads() out of the branch, so that all threads of the block reach it the same number of times"},
    {FindingKind::warp_mask, 719, "a warp-wide function whose mask names lanes that never come",
     "name in the mask exactly the lanes that call the function, or let all lanes of the warp call it"},
    {FindingKind::shuffle_argument, 0, "an argument that no shuffle can have", "look at the order of the arguments"},
    {FindingKind::deadlock, 702, "every thread that is left waits, and none can go on",
     "look for the thread that should have arrived"},
    {FindingKind::endless_loop, 702,
     "an endless loop: registers and memory are again exactly as they were before, and nothing else can change them",
     "look at the condition that ends the loop: what in it should change from round to round, and does not, or who is "
     "to "
     "make it true, and never will"},
    {FindingKind::step_budget, 702,
     "the block used up its budget of instructions: an endless loop, as far as one can tell",
     "check the condition that ends the loop, and who is to make it true (a loop that only takes long: "
     "CUDASIM_STEP_BUDGET sets the budget)"},
    {FindingKind::invalid_target, 718, "a jump to an address where no code is",
     "check that the function pointer was set on the device"},
    {FindingKind::stack_overflow, 700, "calls so deep that the stack of a thread is full",
     "check the condition that ends the recursion"},
    {FindingKind::trap, 719, "the kernel stopped itself with a trap", "look at the condition above this line"},
    {FindingKind::assertion, 710, "an assertion failed", "look at the values that the condition is made of"},
    {FindingKind::race, 0, "a race", "order the two accesses"},
    {FindingKind::async_copy, 0, "a place that an asynchronous copy is still to write or to read", "wait for the copy"},
    {FindingKind::stream_order, 0, "work of another stream at the same place",
     "put both into one stream (the fourth value in <<<grid, block, bytes, stream>>>), or let the later one wait for "
     "the other: cudaStreamWaitEvent, cudaStreamSynchronize; in a graph, let its node depend on the other's"},
    {FindingKind::uninitialised, 0, "a value that nothing wrote is used",
     "write the memory before it is read: cudaMemset, a kernel, or an initial value"},
    {FindingKind::shuffle_source, 0, "a value from a lane that took no part in a shuffle is used",
     "name the lane in the mask, and let it call the function, or do not use its value"},
    {FindingKind::refused_launch, 0, "a launch that CUDA refuses", "check what cudaGetLastError() returns after it"},
    {FindingKind::host_crash, 0, "the host's part of the program crashed", "look at the pointers in this line"},
    {FindingKind::leak, 0, "device memory that was never freed", "call cudaFree for it"},
};

const Words& words_of(FindingKind kind) {
  return *std::find_if(std::begin(words), std::end(words), [kind](const Words& w) { return w.kind == kind; });
}

}  // namespace

Finding finding_at(const Grid& grid, std::uint64_t block, std::uint32_t warp, std::uint32_t instruction, Mask lanes,
                   FindingKind kind) {
  const auto& w = words_of(kind);
  Finding f;
  f.kind = kind;
  f.kernel = grid.program.info.name;
  f.where = grid.program.source_line(instruction);
  f.inlined = grid.program.source_chain(instruction);
  f.ptx_line = grid.program.origins[instruction].ptx_line;
  f.block = block_index(grid, block);
  f.lanes = lanes;
  f.thread = thread_index(grid, warp, lanes != 0 ? static_cast<unsigned>(__builtin_ctz(lanes)) : 0);
  f.message = w.message;
  f.advice = w.advice;
  f.seed = grid.schedule.seed;
  f.cuda_error = w.cuda_error;
  return f;
}

}  // namespace cudasim
