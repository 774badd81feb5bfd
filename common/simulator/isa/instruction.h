// SPDX-License-Identifier: MIT
// The contract of an instruction: a row (pattern, operands, meaning, manual section) and the micro-operation that a
// decoded instruction becomes. Rows live in one file a family beside this one. A new instruction is a new row.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ptx/module.h"

namespace cudasim {

constexpr unsigned kWarpSize = 32;
/// One bit a lane; bit i is lane i.
using Mask = std::uint32_t;
/// Lanes of each warp of a block, which has at most 32.
using WarpLanes = std::array<Mask, 32>;

/// A frame is the register storage of one function activation of one warp. It is a block of bytes in which a register
/// is a *slot*, 32 lanes side by side. A slot is uint32_t[32] for types of up to 32 bits (narrow values zero-extended).
/// It is uint64_t[32] for 64-bit types, and a single Mask for a predicate. All slots are 64-byte aligned. MicroOp
/// addresses slots by byte offset from the frame.
struct MicroOp;

/// The meaning (the literature: semantics) of a pure instruction (registers to registers). It executes the instruction
/// for the lanes in `mask` and does not change the slots of other lanes. Destination and source slots may be the same
/// slot, never overlap partly.
using Execute = void (*)(std::byte* frame, const MicroOp& op, Mask mask);

/// The opcode of a micro-operation.
/// Kind: the micro-opcode, what the machine does for a micro-operation. `pure` ones are complete in their row's
/// meaning.
enum class MicroOpcode : std::uint8_t {
  pure,
  load,
  store,
  atomic,        // atom and red.
  async_copy,    // cp.async.
  async_commit,  // cp.async.commit_group.
  async_wait,    // Extra: how many groups may still be under way, or kEveryCopy.
  async_arrive,  // At an mbarrier; e: whether its phase waits for one more.
  async_look,    // At an mbarrier: arrivals that are due.
  texture_fetch,
  branch,
  branch_indexed,
  call,
  ret,
  exit,
  trap,
  breakpoint,  // control
  barrier,     // bar, barrier (.sync, .arrive, .red)
  warp_sync,
  shuffle,
  vote,
  match,
  warp_reduce,
  active_mask,
  elect,   // between lanes
  matrix,  // of all lanes
  fence,
  nanosleep,
  nop,    // prefetch, pragma-like, discard, ...
  clock,  // reads that change while a kernel runs
  // Pseudo operations that the decoder inserts. They are not counted as instructions.
  reconverge,
  not_predicate,
};

/// MicroOp::extra of MicroOpcode::async_wait: waits for all copies, in a group or not.
constexpr std::uint32_t kEveryCopy = ~0u;

/// MicroOp::extra of MicroOpcode::nop: it waits for the grid before this one, where a launch did not (Launch::primary).
constexpr std::uint32_t kWaitsForPrimary = 1;

/// MicroOp::e of a load or a store without a guard, where MemoryAccess::is_affine.
constexpr std::uint32_t kAtAffineAddress = ~0u;

/// A decoded instruction. d and e are destinations, a, b, c and f sources: byte offsets of slots in the frame. An
/// immediate operand has a constant slot, so no meaning treats immediates apart.
struct MicroOp {
  Execute execute = nullptr;  ///< for MicroOpcode::pure and MicroOpcode::not_predicate
  std::uint32_t d = 0, e = 0;
  std::uint32_t a = 0, b = 0, c = 0, f = 0;
  std::uint32_t guard = 0;    ///< Slot of the guard predicate, when guard_mode != always.
  std::uint32_t extra = 0;    ///< Index into the machine's table for this MicroOpcode (memory, call, branch).
  std::uint32_t counter = 0;  ///< Index of the PTX instruction in its kernel's program, for counters; 0: not counted.
  MicroOpcode kind = MicroOpcode::nop;
  enum class Guard : std::uint8_t { always, if_true, if_false } guard_mode = Guard::always;
  std::uint16_t launch_invariant = 0;  ///< how many operations from here on are in Program::launch_invariant
};

/// Whether it is a register operation that is neither guarded nor launch-invariant: one comparison of four bytes.
inline bool is_straight(const MicroOp& op) {
  std::uint32_t all;
  __builtin_memcpy(&all, reinterpret_cast<const char*>(&op) + offsetof(MicroOp, kind), sizeof all);
  return all == 0;
}
static_assert(offsetof(MicroOp, launch_invariant) == offsetof(MicroOp, kind) + 2 &&
                  static_cast<int>(MicroOpcode::pure) == 0 && static_cast<int>(MicroOp::Guard::always) == 0,
              "is_straight() reads kind, guard_mode and launch_invariant at once");

/// What a pattern matched: for each group, in order, the index of the alternative, or -1 for an absent optional group.
struct Match {
  static constexpr unsigned kMaxGroups = 12;
  std::int8_t choice[kMaxGroups] = {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1};
};

struct Found;
class FunctionDecoder;

/// Makes micro-operations of an instruction. An instruction on registers alone needs no such function, as its row has
/// the operands.
using Decode = void (*)(FunctionDecoder& decoder, const Found& found);

/// An instruction definition: one form of an opcode, its operands, and its semantics or its decoder.
/// Row: an instruction definition, one line of the instruction table with all data of an instruction.
///
/// Pattern: the opcode, then groups. A choice that must be there is `<.a|.b>`, one that may be absent is
///   `[.a|.b]`. Other text is literal: "add<.u32|.s32>", "setp<.eq|.ne|...>[.and|.or|.xor][.ftz]<.f32>",
///   "mul.wide<.u16|.s16|.u32|.s32>". An alternative is one dotted token; `::` belongs to a token. The first row whose
///   pattern and operands fit wins.
///
/// Operands: blank-separated, in the order of the PTX text: `slot:type`.
/// * Slots are d e (destinations) and a b c f (sources).
/// * The pair `d|e`: either part may be `_`. An instruction that may have one destination or two has two rows.
/// * A vector of registers is `{d,e}` or `{a,b}`. In `{d,e,c,f}` before its source, c and f are destinations too
///   (mov.b64 unpacked in four).
/// * A slot in `[ ]`, as in "d:G1 [f:G0]", is an optional trailing operand. An absent optional source reads a constant
///   slot of zeros (a predicate: true).
/// * The type is a PTX type name ("u32", "pred"). The type `Gn` is the one that group n of the pattern
///   matched. The type `Wn` is twice as wide as that (mul.wide).
/// * The word `cc` is the carry flag. Slot e is then a predicate slot of the frame that the text does not
///   name. Carry arithmetic reads and writes it.
///
/// A row with a decoding function of its own lists only which operands are written, as the function reads the operands.
/// "d *": the first one, which is then no address in brackets. "*": none, all are read.
struct InstructionDefinition {
  const char* pattern;
  const char* operands;
  Execute (*select)(const Match&);  ///< the meaning for this match, of registers alone; nullptr: see `decode`
  const char* section;              ///< of the PTX ISA manual, e.g. "9.7.1.1"
  Decode decode = nullptr;
};
inline bool is_pure(const InstructionDefinition& row) { return row.decode == nullptr; }

/// An operand in a row's list.
struct RowOperand {
  enum class Shape : std::uint8_t { single, pair, vector, carry, rest } shape = Shape::single;
  char slots[4] = {};  ///< their letters
  unsigned count = 0;
  std::string_view type;  ///< as written: a name, or Gn, or Wn; "" where the row's own function reads it
  bool optional = false;
  bool written = false;
};

/// The instruction definitions of one family.
struct InstructionDefinitions {
  const InstructionDefinition* begin;
  std::size_t count;
};

/// The vector level that the meanings were compiled for. The same source is compiled once for each level of the build.
/// The widest of them that this CPU has is chosen at run time. CUDASIM_LEVEL=baseline|avx2|avx512 forces one.
enum class Level : std::uint8_t { baseline, avx2, avx512 };
/// The level to run at. Where why_no_level() has a reason, it is one of the build, to look at and not to run.
Level best_level();
/// Whether the build has it and this CPU supports it. Do not call functions of another level.
bool can_run(Level level);
const char* level_name(Level level);
/// Why nothing can run here, in one sentence; else "". `wanted` is the value of CUDASIM_LEVEL (nullptr: not set).
std::string why_no_level(const char* wanted);

/// An instruction's row and what its pattern matched.
struct Found {
  const InstructionDefinition* row = nullptr;  ///< nullptr: no row fits
  Match match;
  const std::vector<RowOperand>* operands = nullptr;  ///< the row's
  std::vector<std::string_view> tokens;               ///< of the opcode, in the order of the pattern, without dots

  bool has(std::string_view wanted) const;
  std::string_view name() const { return tokens.empty() ? std::string_view() : tokens.front(); }
  ptx::Type type() const { return ptx::type_from_text(tokens.back()); }
  /// The chosen alternative of a group, as the enumerator that many places behind `first`.
  template <class Enum>
  Enum chosen(unsigned group, Enum first) const {
    return static_cast<Enum>(static_cast<int>(first) + match.choice[group]);
  }
};

/// The row for an instruction as parsed: by opcode text, then by the shape of its operands.
/// Types of register operands are not checked (PTX allows any type of the right size).
Found find_row(const ptx::Instruction& instruction, Level level);

/// The parts of a row's text: its operands, and the tokens that a match stands for.
std::vector<RowOperand> parse_operands(std::string_view text);
std::vector<std::string_view> tokens_of(const InstructionDefinition& row, const Match& match);

/// Whether the first operand of such an instruction is a destination. All others are read.
bool writes_first_operand(const InstructionDefinition& row);

/// For an error message: that what people call the family of an instruction is not simulated, and what can be used
/// instead; or "".
std::string feature_of(std::string_view opcode);
/// The same for a call of the host that only such a feature needs.
std::string feature_of_call(std::string_view call);
/// Why PTX of that `.target` may not have this instruction, though the table has it; or "".
std::string why_not_for(std::string_view opcode, std::string_view target);
/// For an error message: "; known forms: ..." with the patterns nearest to `opcode`, or "" when nothing is near.
std::string nearest_patterns(std::string_view opcode);

/// Every row of one family at a level that was built. Levels differ in the meanings only, not in rows or their order.
InstructionDefinitions all_rows(Level level, std::size_t family);
std::size_t family_count();
const char* family_name(std::size_t family);

/// The alternative that `match` chose for group `group` of `pattern` ("" when absent). For decoders and messages.
std::string_view token(const InstructionDefinition& row, const Match& match, unsigned group);

}  // namespace cudasim
