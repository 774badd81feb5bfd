// SPDX-License-Identifier: MIT
// A decoded kernel: one flat array of micro-operations for the kernel and every function that it may call. Tables hold
// what the machine needs for all that is not a pure register operation.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/finding.h"
#include "isa/instruction.h"
#include "program/kernel_info.h"
#include "program/matrix_operation.h"

namespace cudasim {

/// Addresses of the module's variables in device memory, by name.
using VariableAddresses = std::map<std::string, std::uint64_t>;

/// Windows of generic addresses. A generic address maps to shared, local or param memory when it falls within that
/// window (PTX ISA, section 5.1). No host mapping can have such an address.
constexpr std::uint64_t kSharedWindow = 0x0050'0000'0000'0000;
constexpr std::uint64_t kLocalWindow = 0x0051'0000'0000'0000;
constexpr std::uint64_t kParamWindow = 0x0052'0000'0000'0000;
/// The address of function number i is kFunctionWindow + 16 * (i + 1).
constexpr std::uint64_t kFunctionWindow = 0x0053'0000'0000'0000;
constexpr std::uint64_t window_of(std::uint64_t address) { return address & 0xffff'0000'0000'0000; }

constexpr std::uint32_t kNoPc = ~0u;

enum class Ordering : std::uint8_t { weak, is_volatile, relaxed, acquire, release, acquire_release };

/// A load or a store: `count` elements of `bytes` each, at [base + displacement].
struct MemoryAccess {
  enum class Base : std::uint8_t { none, reg32, reg64, frame };  ///< frame: relative to the activation's local memory
  struct Data {
    std::uint32_t slot = 0;
    bool wide = false;  ///< a 64-bit slot
    bool sink = false;  ///< `_`: loaded and dropped
  };
  /// What ptxas makes of it, which only counting uses (decode/ptxas_model/machine_accesses.h).
  struct Joined {
    enum class Part : std::uint8_t { none, one, other } part = Part::none;  ///< `other`: not counted where it stands
    std::uint8_t bytes = 0;  ///< of the one access that this one and others become
    std::int8_t offset = 0;  ///< where that begins, from this one's address
  };
  ptx::Space space = ptx::Space::generic;
  Base base_kind = Base::none;
  Ordering ordering = Ordering::weak;
  bool is_store = false;
  bool of_block = false;   ///< its scope is .cta: between threads of different blocks it counts as a plain access
  bool of_system = false;  ///< its scope is .sys: the host may take part
  bool sign_extend = false;
  bool read_only = false;  ///< ld.global.nc: by a cache that does not see what the launch writes.
  bool is_parameter =
      false;  ///< .param in PTX; a call's parameters lie in local memory here, in registers on hardware.
  std::uint8_t bytes = 4;
  std::uint8_t count = 1;
  std::uint32_t base = 0;
  std::int64_t displacement = 0;
  Data data[8];
  Joined joined;
  /// One element of 4 or 8 bytes a lane, to or from a whole slot, at an address in a register. It is in global memory,
  /// or it is 4 bytes of shared memory. The last pass of decoding finds it.
  bool is_simple = false;
  bool is_affine = false;  ///< it is one of global memory, and its address in Program::affine_results
};

/// A load of a kernel's parameter that is one value for all lanes.
constexpr bool is_plain_parameter(const MemoryAccess& access, std::size_t parameter_bytes) {
  const auto offset = static_cast<std::uint64_t>(access.displacement);
  return access.space == ptx::Space::param && access.base_kind == MemoryAccess::Base::none && access.count == 1 &&
         !access.sign_extend && !access.data[0].sink && (offset & (access.bytes - 1u)) == 0 &&
         offset < parameter_bytes && access.bytes <= parameter_bytes - offset;
}

enum class AtomicOperation : std::uint8_t {
  add,
  min,
  max,
  inc,
  dec,
  and_,
  or_,
  xor_,
  exch,
  cas,
  arrive,  ///< at an mbarrier (program/mbarrier.h)
  arrive_drop,
};
/// Whether hardware can do it without the old value, and whether the order of updates is free.
constexpr bool has_reduction(AtomicOperation operation) {
  return operation != AtomicOperation::exch && operation != AtomicOperation::cas &&
         operation != AtomicOperation::arrive && operation != AtomicOperation::arrive_drop;
}

/// atom and red. Operands b (and c for cas) are slots in the MicroOp; d is the old value.
struct AtomicAccess {
  MemoryAccess address;  ///< space, base, displacement, bytes; data unused
  AtomicOperation operation = AtomicOperation::add;
  ptx::Type type = ptx::Type::u32;
  bool returns = true;  ///< false for red, and for `atom` whose result is never read
  bool flush_to_zero = false;
  bool counts_lanes = false;  ///< ptxas makes it an addition of the count of lanes with the same word (ATOMS.POPC.INC)
};

/// Slots of a texture's object, of the coordinates and of the four results (0: dropped).
struct TextureFetch {
  unsigned dimensions = 1;
  bool is_layered = false;
  bool is_by_index = false;  ///< the coordinate is a whole number
  std::uint32_t object = 0, layer = 0;
  std::uint32_t coordinates[3] = {};
  std::uint32_t destinations[4] = {};
};

struct Branch {
  std::uint32_t target = 0;
  std::uint32_t reconverge = kNoPc;    ///< Where both ways meet again; kNoPc: only at the end of the kernel.
  std::vector<std::uint32_t> targets;  ///< brx.idx.
  /// Accesses to shared memory that the machine issues all the same, when all lanes jump and when none does.
  struct Skipped {
    std::uint32_t counter = 0;
    bool is_store = false;
  };
  std::vector<Skipped> skipped_by_all, skipped_by_none;
};

struct Call {
  struct Argument {
    std::uint32_t caller_offset = 0, callee_offset = 0, size_bytes = 0;  ///< in the local memory of each activation
  };
  enum class Callee : std::uint8_t { function, indirect, printf, assert_fail, malloc, free };
  Callee callee = Callee::function;
  bool is_of_host() const { return callee != Callee::function && callee != Callee::indirect; }
  std::uint32_t function = 0;                   ///< index into Program::functions
  std::uint32_t address_slot = 0;               ///< indirect: slot of the function's address
  std::vector<std::uint32_t> argument_offsets;  ///< of each argument, in the caller's local memory
  std::vector<std::uint32_t> argument_bytes;
  std::vector<std::uint32_t> return_offsets;
  std::vector<std::uint32_t> return_bytes;
  std::uint32_t reconverge = kNoPc;  ///< indirect: where lanes that called different functions meet again
};

struct BarrierOperation {
  enum class Mode : std::uint8_t { sync, arrive, reduce_and, reduce_or, reduce_popc } mode = Mode::sync;
  bool aligned = true;
  bool has_count = false;
  bool negated = false;  ///< of the predicate of a reduction
  bool reduces() const { return mode != Mode::sync && mode != Mode::arrive; }
};

struct WarpOperation {
  enum class Mode : std::uint8_t {
    shuffle_up,
    shuffle_down,
    shuffle_butterfly,
    shuffle_index,
    vote_all,
    vote_any,
    vote_uniform,
    vote_ballot,
    match_any,
    match_all,
    reduce_add,
    reduce_min,
    reduce_max,
    reduce_and,
    reduce_or,
    reduce_xor,
    sync,
    elect,
  } mode = Mode::sync;
  bool wide = false;       ///< 64-bit operand (match)
  bool is_signed = false;  ///< reduce
  bool has_mask = true;
  bool has_predicate = false;  ///< a second destination
  bool has_destination = true;
};

/// MicroOp::extra of a fence that orders what other blocks see, not only the own one.
constexpr std::uint32_t kFenceOfGrid = 1;

/// A value that an activation's frame begins with.
struct FrameConstant {
  enum class Source : std::uint8_t {
    bits,
    frame_address,  ///< `bits`, or the activation's local memory plus `bits`
    tid_x,
    tid_y,
    tid_z,
    ntid_x,
    ntid_y,
    ntid_z,
    ctaid_x,
    ctaid_y,
    ctaid_z,
    nctaid_x,
    nctaid_y,
    nctaid_z,
    laneid,
    warpid,
    nwarpid,
    smid,
    nsmid,
    gridid,
    lanemask_eq,
    lanemask_le,
    lanemask_lt,
    lanemask_ge,
    lanemask_gt,
    dynamic_smem_size,
    total_smem_size,
    envreg1,
    envreg2,
    zero,
    poison,  // the poison byte, in every register that was never written
  };
  Source source = Source::bits;
  std::uint32_t slot = 0;
  enum class Width : std::uint8_t { predicate, narrow, wide } width = Width::narrow;
  std::uint64_t bits = 0;
  bool is_read = true;  ///< read by more than Program::affine
};

inline FrameConstant::Width slot_width(ptx::Type type) {
  if (type == ptx::Type::pred) return FrameConstant::Width::predicate;
  return size_of(type) == 8 ? FrameConstant::Width::wide : FrameConstant::Width::narrow;
}

constexpr bool differs_by_block(FrameConstant::Source source) {
  using S = FrameConstant::Source;
  return source == S::ctaid_x || source == S::ctaid_y || source == S::ctaid_z || source == S::smid;
}

struct DecodedFunction {
  std::string name;               ///< mangled
  std::uint32_t entry = 0;        ///< index into Program::code
  std::uint32_t frame_bytes = 0;  ///< register slots of one activation
  std::uint32_t local_bytes =
      0;  ///< local memory of one activation of one thread: .local variables and call parameters
  std::vector<FrameConstant> constants;
  std::vector<FrameConstant>
      undefined;  ///< registers that may be read before they are written: they begin with the poison
  std::vector<std::uint32_t> parameter_offsets, parameter_bytes;
  std::vector<std::uint32_t> return_offsets, return_bytes;
};

/// More than these would slow down kernels that seldom come to them (Program::affine, Program::affine_results).
constexpr std::size_t kMostAffine = 32, kMostAffineResults = 8;

constexpr std::uint32_t kSharedGapBytes = 1024;

/// What CUDA keeps for itself in each block's shared memory from sm_80 on. Cooperative groups use it for tiles of more
/// than a warp. It is there where a kernel asks for its address.
constexpr const char* kReservedShared = "%reserved_smem_offset_1";
constexpr std::uint32_t kReservedSharedBytes = 1024;

struct SharedVariable {
  std::string name;
  std::uint32_t offset = 0, size_bytes = 0;  ///< size 0: the dynamic array
};

/// The lines of a program's source, each once, and for each MicroOp::counter the index of its line.
struct SourceLines {
  std::vector<std::pair<std::string, int>> lines;  ///< file and line
  std::vector<std::uint32_t> of_counter;           ///< index into lines; [0] is a dummy
};

/// A counted instruction: its place in the text, and its row.
struct InstructionOrigin {
  std::int32_t ptx_line = 0;
  std::int32_t location = -1;
  std::uint32_t function = 0;
  const InstructionDefinition* row = nullptr;
  Match match{};
  bool divides = false;        ///< divides integers, or takes the remainder
  bool is_used_early = false;  ///< a load of shared memory whose value is read soon (decode/analysis/first_use.h)
};

/// Which half of an update of a volatile value an access is.
enum class VolatileUpdate : std::uint8_t { none, load, store };

struct Program {
  KernelInfo info;
  const ptx::Module* text = nullptr;  ///< for locations; outlives the program
  std::vector<MicroOp> code;
  /// Launch-invariant operations: those of the kernel whose result is the same in every block, in the order of `code`.
  /// Their operands are parameters, thread indices, sizes and what is computed from these alone, in registers that
  /// nothing else writes.
  std::vector<std::uint32_t> launch_invariant;
  /// Affine operations: those of the kernel whose result differs between blocks by one number for all threads, in the
  /// order of `code`. They compute with block indices, and with sums and multiples of these and of launch-invariant
  /// values.
  std::vector<std::uint32_t> affine;
  /// A register with an affine value: blocks differ in it by one number for all threads.
  struct AffineResult {
    std::uint32_t slot = 0;
    bool wide = false;
  };
  std::vector<AffineResult> affine_results;  ///< results of `affine` that other operations read
  /// Their 32-bit operands that are widened to 64 bits. The difference is one number only while no thread's value
  /// wraps.
  struct Widened {
    std::uint32_t slot = 0;
    bool is_signed = false;
  };
  std::vector<Widened> widened;
  std::vector<InstructionOrigin> origins;       ///< by MicroOp::counter; [0] is a dummy
  std::vector<DecodedFunction> functions;       ///< [0] is the kernel
  std::vector<std::uint32_t> function_of_text;  ///< by index into text->functions: index into functions, or kNoPc
  std::vector<MemoryAccess> accesses;
  std::vector<AtomicAccess> atomics;
  std::vector<TextureFetch> texture_fetches;
  std::vector<Branch> branches;
  std::vector<Call> calls;
  std::vector<BarrierOperation> barriers;
  std::vector<WarpOperation> warp_operations;
  std::vector<MatrixOperation> matrices;
  std::vector<SharedVariable> shared;
  std::vector<std::uint8_t> dynamic_array_of;    ///< by MicroOp::counter: see decode/dynamic_arrays.h
  std::vector<VolatileUpdate> volatile_updates;  ///< by MicroOp::counter: see decode/volatile_updates.h
  std::uint32_t static_shared_bytes = 0;         ///< without the gaps
  bool recursive = false;  ///< or it calls through pointers: the depth of the stack is not known beforehand
  bool has_calls = false;
  bool copies_asynchronously = false;
  bool looks_at_mbarriers = false;
  bool order_sensitive =
      false;  ///< The order of blocks can change the result (atomics with a result, float atomics, volatile, printf).
  std::uint32_t stack_frame_bytes = 0;  ///< Registers of a warp, for all functions that its lanes may be in.
  std::uint32_t stack_local_bytes = 0;  ///< Local memory for all these functions, a thread.

  /// The place of a counted instruction in a user's file: the innermost frame that is not in a toolkit header.
  SourceLine source_line(std::uint32_t counter) const;
  std::vector<SourceLine> source_chain(std::uint32_t counter) const;
  /// The lines of all instructions, looked up at the first call. Not thread-safe.
  const SourceLines& source_lines() const;
  /// The same program with a slot of its own for each register, to compare whether two operands are one register. It is
  /// decoded at the first call.
  const Program& with_own_slots() const;

  bool has_own_slots = false;
  std::uint32_t text_kernel = 0;                 ///< index into text->functions
  const VariableAddresses* variables = nullptr;  ///< the module's

 private:
  mutable std::unique_ptr<const Program> with_own_slots_;
  mutable std::unique_ptr<const SourceLines> source_lines_;
};

}  // namespace cudasim
