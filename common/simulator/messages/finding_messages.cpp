// SPDX-License-Identifier: MIT
// Findings: what went wrong, put into words once, with the place, the threads and the allocation concerned.
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "machine/interpreter.h"
#include "messages/element.h"

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

std::string hexadecimal(std::uint64_t value) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

/// Where warps of a block are that cannot go on: neighbouring warps that are at one line, as one.
struct WaitingWarps {
  std::uint32_t first, last;
  std::uint32_t lanes;  ///< as a mask, of each
  bool run;             ///< or wait for others
  int line;

  bool take(const WaitingWarps& next) {
    if (next.first != last + 1 || next.lanes != lanes || next.run != run || next.line != line) return false;
    last = next.last;
    return true;
  }
};

std::string text_of(const std::vector<WaitingWarps>& places) {
  constexpr std::size_t most = 12;
  std::string text;
  for (std::size_t i = 0; i < std::min(places.size(), most); ++i) {
    const WaitingWarps& at = places[i];
    const bool alone = at.first == at.last;
    text += (alone ? "; warp " : "; warps ") + std::to_string(at.first) +
            (alone ? "" : " to " + std::to_string(at.last)) + " (lanes " + hexadecimal(at.lanes) +
            (alone ? ") " : " each) ") + (at.run ? "run" : "wait") + (alone ? "s" : "") + " at line " +
            std::to_string(at.line);
  }
  if (places.size() > most) text += "; and " + std::to_string(places.size() - most) + " more";
  return text;
}

}  // namespace

const char* name_of(FindingKind kind) {
  switch (kind) {
#define FINDING(kind, word, plural, check, meaning) \
  case FindingKind::kind:                           \
    return word;
#include "base/vocabulary.inc"
  }
  return "";
}

std::array<std::uint32_t, 3> block_index(const Grid& grid, std::uint64_t linear) {
  const auto& dim = grid.launch.grid;
  return {static_cast<std::uint32_t>(linear % dim.x), static_cast<std::uint32_t>(linear / dim.x % dim.y),
          static_cast<std::uint32_t>(linear / dim.x / dim.y)};
}

std::array<std::uint32_t, 3> thread_index(const Grid& grid, std::uint32_t warp, unsigned lane) {
  const auto& dim = grid.launch.block;
  const std::uint32_t thread = warp * warp_size + lane;
  return {thread % dim.x, thread / dim.x % dim.y, thread / dim.x / dim.y};
}

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

Finding finding_at(const Grid& grid, const Step& step, Mask lanes, FindingKind kind) {
  return finding_at(grid, step.block.linear, step.warp.index, step.op.counter, lanes, kind);
}

void add_defect(Grid& grid, std::uint64_t block, Finding f) {
  if (grid.is_speculative) return grid.give_up();
  const std::lock_guard<std::mutex> lock(grid.mutex);
  for (auto& [linear, known] : grid.findings) {
    if (known.kind != f.kind || known.ptx_line != f.ptx_line || known.use != f.use || known.other_call != f.other_call)
      continue;
    f.occurrences = known.occurrences + 1;
    if (block < linear) {
      linear = block;
      known = std::move(f);
    } else {
      ++known.occurrences;
    }
    return;
  }
  grid.findings.emplace_back(block, std::move(f));
}

Finding Interpreter::finding(const Block& block, const Warp& warp, const MicroOp& op, Mask lanes,
                             FindingKind kind) const {
  return finding_at(grid_, block.linear, warp.index, op.counter, lanes, kind);
}

void Interpreter::report(const Block& block, Finding f) {
  if (grid_.is_speculative) return grid_.give_up();
  const std::lock_guard<std::mutex> lock(grid_.mutex);
  if (f.severity == Severity::error) {
    auto first = grid_.first_error_block.load();
    while (block.linear < first && !grid_.first_error_block.compare_exchange_weak(first, block.linear)) {
    }
  }
  for (auto& [linear, known] : grid_.findings) {
    if (known.kind == f.kind && known.severity == f.severity && known.ptx_line == f.ptx_line &&
        f.severity == Severity::warning) {
      ++known.occurrences;
      return;
    }
  }
  grid_.findings.emplace_back(block.linear, std::move(f));
}

void Interpreter::memory_fault(const Block& block, const Warp& warp, const MicroOp& op, ptx::Space space,
                               std::uint64_t address, unsigned lane, std::uint32_t bytes, bool is_store,
                               FindingKind kind) {
  Finding f = finding(block, warp, op, 1u << lane, kind);
  f.address = address;
  f.access_bytes = bytes;
  f.is_store = is_store;
  const std::string what =
      std::string(is_store ? "a write" : "a read") + " of " + amount(element_of(program_, f.ptx_line), bytes);
  switch (space) {
    case ptx::Space::shared:
      f.message = what + " of shared memory";
      if (kind == FindingKind::out_of_bounds && address >= shared_window_bytes) f.cuda_error = 715;
      describe_shared(grid_, f, address);
      break;
    case ptx::Space::local:
      f.message = what + " of a thread's local memory (an array on its stack)";
      f.allocation =
          "offset " + std::to_string(address) + " of the thread's " + std::to_string(local_bytes_) + " bytes";
      break;
    case ptx::Space::param:
      f.message = what + " of the kernel's parameters";
      f.allocation =
          "offset " + std::to_string(address) + " of " + std::to_string(program_.info.parameter_bytes) + " bytes";
      break;
    case ptx::Space::generic:
    case ptx::Space::reg:
    case ptx::Space::global:
    case ptx::Space::constant:
      f.message = what + " at " + hexadecimal(address);
      describe_global(grid_, f, address, bytes);
      break;
  }
  switch (kind) {
    case FindingKind::misaligned:
      f.message +=
          (f.allocation.empty() || f.message.find(" at 0x") == std::string::npos ? " at an address that" : ", which") +
          std::string(" is not a multiple of ") + std::to_string(bytes);
      break;
    case FindingKind::null_pointer:
      f.message += ": a null pointer, or an index from one";
      break;
    case FindingKind::use_after_free:
      f.message += ": memory that was freed";
      break;
    case FindingKind::read_only:
      f.message += ": constant memory";
      break;
    default:
      f.message += ": out of bounds";
      break;
  }
  report(block, std::move(f));
}

const MicroOp& instruction_of(const Program& program, const Fragment& fragment) {
  std::uint32_t pc = fragment.pc;
  if (fragment.state == Fragment::State::in_barrier && pc > 0) --pc;
  while (pc > 0 && program.code[pc].counter == 0) --pc;
  return program.code[pc];
}

/// Where a loop that waits looks at memory next: mostly in its first straight run, and a fragment that is to go on
/// stands at the loop's head, or at the look itself. Null: not found.
const MicroOp* Interpreter::next_look(const Fragment& fragment) const {
  for (const MicroOp* op = &program_.code[fragment.pc];; ++op) {
    switch (op->kind) {
      case Kind::atomic:
        return op;
      case Kind::load:
        if (program_.accesses[op->extra].ordering != Ordering::weak) return op;
        break;
      case Kind::pure:
      case Kind::not_predicate:
      case Kind::reconverge:
      case Kind::fence:
        break;
      default:
        return nullptr;
    }
  }
}

/// The place that the first lane looks at, and what is there.
void Interpreter::describe_look(const Block& block, const Warp& warp, const Fragment& fragment, const MicroOp& op,
                                Finding& f) const {
  const MemoryAccess& access = op.kind == Kind::load ? program_.accesses[op.extra] : program_.atomics[op.extra].address;
  std::uint64_t lanes[warp_size];
  addresses(fragment, warp, access, lanes);
  const std::uint64_t address = lanes[__builtin_ctz(fragment.mask)];
  const ptx::Space space = access.space == ptx::Space::generic ? space_of_address(address) : access.space;
  const std::uint64_t place = access.space == ptx::Space::generic ? address - window_base(space) : address;
  const std::byte* value = nullptr;
  if (space == ptx::Space::shared && grid_.is_shared(place, access.bytes)) {
    describe_shared(grid_, f, place);
    value = block.shared + place;
  } else if (space == ptx::Space::global) {
    const Allocation* allocation = grid_.memory.find(place);
    if (allocation == nullptr || place - allocation->address + access.bytes > allocation->size_bytes) return;
    describe_global(grid_, f, place, access.bytes);
    value = allocation->host + (place - allocation->address);
  }
  if (value == nullptr) return;
  f.allocation += ", and holds " + value_text(element_of(program_, f.ptx_line), value, access.bytes);
}

/// Nothing in the block can go on (or it goes on for ever, or for too long): names where its warps are.
void Interpreter::stuck(Block& block, FindingKind kind) {
  const bool endless = kind != FindingKind::deadlock;
  const Warp* first = &block.warps.front();
  const Fragment* where = nullptr;
  std::vector<WaitingWarps> places;
  for (const auto& warp : block.warps) {
    for (const auto& fragment : warp.fragments) {
      // The line that matters: of a runnable fragment in an endless loop, of a waiting one in a deadlock.
      if (where == nullptr ||
          (endless && where->state != Fragment::State::runnable && fragment.state == Fragment::State::runnable)) {
        first = &warp;
        where = &fragment;
      }
      const auto line = program_.source_line(instruction_of(program_, fragment).counter);
      const WaitingWarps here{warp.index, warp.index, fragment.mask, fragment.state == Fragment::State::runnable,
                              line.line};
      if (places.empty() || !places.back().take(here)) places.push_back(here);
    }
  }
  const bool runs = endless && where != nullptr && where->state == Fragment::State::runnable;
  const MicroOp* const look = runs ? next_look(*where) : nullptr;
  const MicroOp& op = look != nullptr    ? *look
                      : where != nullptr ? instruction_of(program_, *where)
                                         : program_.code[program_.functions[0].entry];
  Finding f = finding(block, *first, op, where != nullptr ? where->mask : 0, kind);
  f.message += text_of(places);
  if (look != nullptr) describe_look(block, *first, *where, *look, f);
  if (kind == FindingKind::endless_loop && is_full()) {
    const std::uint64_t begun = std::min(grid_.next_block.load(std::memory_order_relaxed), grid_.blocks);
    if (begun < grid_.blocks) {
      f.message += "; " + std::to_string(grid_.blocks - begun) +
                   " blocks, which may begin in any order, have not begun and find no place before one of these ends";
    }
  }
  report(block, std::move(f));
}

}  // namespace cudasim
