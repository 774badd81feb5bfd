// SPDX-License-Identifier: MIT
// From a parsed kernel to a Program: registers become slots of a frame, names become addresses, control flow gets its
// reconvergence points. What cannot be executed exactly is refused here, before the first step.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "module/program.h"

namespace cudasim {

/// Addresses of the module's variables in device memory, by name.
using VariableAddresses = std::map<std::string, std::uint64_t>;

/// Functions (indices into text.functions) that `kernel` may call, the kernel first: by name, and through pointers all
/// those whose address is taken. Throws Refusal when one has no body.
std::vector<std::uint32_t> reachable_functions(const ptx::Module& text, std::uint32_t kernel);

/// Shared memory of the kernel: every .shared variable that a reachable function names, in text order; the dynamic
/// array (size 0) after all others. Between two arrays lies a gap of shared_gap_bytes, so that a step past the end of
/// one does not reach the next; the gap keeps every array in its banks. `static_bytes` receives what the arrays take on
/// a GPU, where there are no gaps.
std::vector<SharedVariable> lay_out_shared(const ptx::Module& text, const std::vector<std::uint32_t>& reachable,
                                           std::uint32_t& static_bytes);

/// Throws Refusal.
Program decode(const ptx::Module& text, std::uint32_t kernel, const KernelInfo& info,
               const VariableAddresses& variables);

/// "PTX line 12 (reduce.cu:34): what"
Refusal refuse(const ptx::Module& text, const ptx::Instruction& instruction, const std::string& what);

/// Decodes the instructions of one function into `program`. Used by decode(); split off to keep files small.
class FunctionDecoder {
 public:
  FunctionDecoder(const ptx::Module& text, std::uint32_t function_index, Program& program,
                  const VariableAddresses& variables);
  void lay_out();  ///< local memory and registers: all functions before any is decoded, since calls need both sides
  void decode();

 private:
  const ptx::Module& text_;
  const ptx::Function& function_;
  Program& program_;
  const VariableAddresses& variables_;
  std::uint32_t index_;                        // in program_.functions
  std::vector<std::uint32_t> register_slots_;  // by register
  std::map<std::string, std::uint32_t> local_offsets_;
  std::map<std::tuple<int, int, std::uint64_t>, std::uint32_t> constants_;
  const ptx::Instruction* current_ = nullptr;
  const Row* row_ = nullptr;  // of it
  std::uint32_t counter_ = 0;
  std::uint32_t carry_slot_ = 0;
  struct Fixup {
    std::size_t branch;
    std::uint32_t instruction;
    std::uint32_t reconverge_block;
  };

  DecodedFunction& decoded() { return program_.functions[index_]; }
  [[noreturn]] void fail(const std::string& what) const;
  std::uint32_t new_slot(FrameConstant::Width width);
  std::uint32_t constant(FrameConstant::Source source, FrameConstant::Width width, std::uint64_t bits = 0);
  MicroOp start(Kind kind) const;
  void emit(const MicroOp& op) { program_.code.push_back(op); }
  std::uint32_t source(const ptx::Operand& operand, ptx::Type type);
  std::uint32_t destination(const ptx::Operand& operand, ptx::Type type);
  std::uint32_t special(const ptx::Operand& operand, ptx::Type type);
  bool address_of(const ptx::Operand& operand, FrameConstant::Source& source, std::uint64_t& bits) const;
  bool is_wide(const ptx::Operand& operand, ptx::Type fallback) const;
  const SharedVariable* find_shared(const std::string& name) const;

  void decode_instruction(const ptx::Instruction& instruction);
  void decode_pure(const Row& row, const Match& match);
  void decode_address(const ptx::Operand& operand, MemoryAccess& access);
  void decode_memory();
  void decode_atomic(bool returns);
  void decode_async_copy();
  void decode_mbarrier();
  void mbarrier_wait(const MemoryAccess& word, bool parity);
  void mbarrier_arrive(const MemoryAccess& word, bool drop, const ptx::Operand* state, std::uint32_t count_slot);
  void decode_call();
  void decode_barrier();
  void decode_warp_operation(Kind kind);
  void decode_address_space();
  void decode_branch(Kind kind);
  void emit_after();

  bool result_unused_ = false;  // of the current instruction
  std::vector<MicroOp> after_;  // widening of a destination, emitted behind the instruction
  std::vector<Fixup> fixups_;
  std::vector<std::pair<std::size_t, std::uint32_t>> branch_instructions_;
};

}  // namespace cudasim
