// SPDX-License-Identifier: MIT
// From a parsed kernel to a Program: registers become slots of a frame, names become addresses, control flow gets its
// reconvergence points. What cannot be executed exactly is refused here, before the first step.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "decode/analysis/launch_invariants.h"
#include "decode/analysis/liveness.h"
#include "decode/refusals.h"
#include "program/program.h"

namespace cudasim {

struct MachineAccesses;

/// Decodes the instructions of one function into `program`. The functions of the rows that decode an instruction
/// themselves (InstructionDefinition::decode) work with the first part.
class FunctionDecoder {
 public:
  FunctionDecoder(const ptx::Module& text, std::uint32_t function_index, Program& program,
                  const VariableAddresses& variables);
  void lay_out();  ///< local memory: all functions before any is decoded, since calls need both sides
  void decode(const Analysis& analysis);
  void finish() { known_.finish(program_); }  ///< the kernel's, when all are decoded

  // ---- the instruction at hand
  const ptx::Instruction& instruction() const { return *current_; }
  const ptx::Operand& operand(std::size_t i) const { return current_->operands[i]; }
  std::size_t operand_count() const { return current_->operands.size(); }
  /// Refuses the instruction unless it has so many operands.
  void need_operands(std::size_t least, std::size_t most) const;
  void need_operands(std::size_t count) const { need_operands(count, count); }
  bool result_is_unused() const { return result_unused_; }
  [[noreturn]] void fail(const std::string& what) const;
  /// "'ld.global.f32' `what`"
  [[noreturn]] void fail_here(const std::string& what) const { fail("'" + current_->opcode + "' " + what); }

  // ---- the function around it
  const ptx::Module& text() const { return text_; }
  const ptx::Function& function() const { return function_; }
  Program& program() { return program_; }
  const ptx::Register& register_of(const ptx::Operand& operand) const {
    return function_.registers[static_cast<std::size_t>(operand.reg)];
  }
  /// The place of a .local or .param variable in the activation's local memory, or nullptr.
  const std::uint32_t* local_offset(const std::string& name) const;

  // ---- operands: slots of the frame. The operations that compute them are emitted on the way
  std::uint32_t source(const ptx::Operand& operand, ptx::Type type);
  std::uint32_t destination(const ptx::Operand& operand, ptx::Type type);
  std::uint32_t new_slot(FrameConstant::Width width);
  std::uint32_t constant(FrameConstant::Source source, FrameConstant::Width width, std::uint64_t bits = 0);
  bool is_wide(const ptx::Operand& operand, ptx::Type fallback) const;
  /// `[base + displacement]`. Sets all members of `access` that give the place; its space must be set.
  void decode_address(const ptx::Operand& operand, MemoryAccess& access);

  // ---- micro-operations
  /// An operation with the guard of the instruction, and counted as it.
  MicroOp start(MicroOpcode kind) const;
  /// The same, but not counted: one of several that the instruction becomes.
  MicroOp start_uncounted(MicroOpcode kind) const;
  void emit(const MicroOp& op) { program_.code.push_back(op); }
  /// Puts `entry` into its table, and emits `op` with its index there.
  template <class Entry>
  void emit(MicroOp op, std::vector<Entry>& table, const Entry& entry) {
    op.extra = static_cast<std::uint32_t>(table.size());
    table.push_back(entry);
    emit(op);
  }
  /// A branch whose targets are those of the instruction, found when all are decoded.
  void emit_branch(MicroOp op);

 private:
  const ptx::Module& text_;
  const ptx::Function& function_;
  Program& program_;
  const VariableAddresses& variables_;
  std::uint32_t index_;                        // In program_.functions.
  std::vector<std::uint32_t> register_slots_;  // By register.
  std::vector<bool> keeps_slot_;               // By register: no other one is ever in its slot.
  std::vector<std::uint32_t> writes_;  // By register: how many instructions write it; a first value counts as one, too.
  KnownValues known_;
  std::map<std::string, std::uint32_t> local_offsets_;
  std::map<std::tuple<int, int, std::uint64_t>, std::uint32_t> constants_;
  const ptx::Instruction* current_ = nullptr;
  const InstructionDefinition* row_ = nullptr;  // the current instruction's
  std::uint32_t counter_ = 0;
  std::uint32_t carry_slot_ = 0;

  DecodedFunction& decoded() { return program_.functions[index_]; }
  std::uint32_t special(const ptx::Operand& operand, ptx::Type type);
  bool address_of(const ptx::Operand& operand, FrameConstant::Source& source, std::uint64_t& bits) const;
  const SharedVariable* find_shared(const std::string& name) const;
  // The passes of decode().
  void place_registers(const Analysis& analysis);
  std::vector<std::uint32_t> emit_instructions(const Analysis& analysis, const MachineAccesses& machine);
  void emit_instruction(const Found& found, const MemoryAccess::Joined* joined);
  void patch_branches(const ControlFlow& flow, const std::vector<std::uint32_t>& pc_of);
  void note_skipped(const MachineAccesses& machine, const std::vector<Found>& found, std::uint32_t first_counter);
  void decode_pure(const Found& found);
  void emit_after();
  void note_if_known(std::size_t first, const Found& found);

  bool result_unused_ = false;  // of the current instruction
  std::vector<MicroOp> after_;  // widening of a destination, emitted behind the instruction
  std::vector<std::pair<std::size_t, std::uint32_t>> branch_instructions_;
};

/// InstructionDefinition::decode of an instruction whose operands are ignored here.
template <MicroOpcode kind>
void decode_as(FunctionDecoder& decoder, const Found&) {
  decoder.emit(decoder.start(kind));
}

}  // namespace cudasim
