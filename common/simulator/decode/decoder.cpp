// SPDX-License-Identifier: MIT
#include "decode/decoder.h"

#include <algorithm>

#include "base/next_multiple.h"
#include "decode/analysis/first_use.h"
#include "decode/ptxas_model/machine_accesses.h"
#include "decode/ptxas_model/predication.h"
#include "decode/register_slots.h"

namespace cudasim {
namespace {

bool divides_integers(const Found& found) {
  return found.name() == "rem" || (found.name() == "div" && (found.tokens[1][0] == 'u' || found.tokens[1][0] == 's'));
}

/// Blocks at which a branch that may diverge reconverges: they begin with a reconvergence point.
std::vector<bool> meeting_blocks(const ptx::Function& function, const ControlFlow& flow) {
  std::vector<bool> meets(flow.blocks.size(), false);
  for (std::uint32_t b = 0; b < flow.exit_block(); ++b) {
    const auto& block = flow.blocks[b];
    // A branch to the next instruction has one successor, and divides the lanes all the same.
    const auto& last = function.instructions[block.end - 1];
    const bool divides = block.successors.size() > 1 || (ends_block(last) && last.guard >= 0);
    if (divides && block.post_dominator >= 0) meets[static_cast<std::size_t>(block.post_dominator)] = true;
  }
  return meets;
}

MachineAccesses accesses_of_machine(const ptx::Function& function, const Program& program, const Analysis& analysis) {
  SharedOffsets shared;
  for (const auto& variable : program.shared) shared[variable.name] = variable.offset;
  return machine_accesses(function, analysis.flow, analysis.found, shared);
}

}  // namespace

FunctionDecoder::FunctionDecoder(const ptx::Module& text, std::uint32_t function_index, Program& program,
                                 const VariableAddresses& variables)
    : text_(text),
      function_(text.functions[function_index]),
      program_(program),
      variables_(variables),
      index_(program.function_of_text[function_index]) {}

void FunctionDecoder::need_operands(std::size_t least, std::size_t most) const {
  if (operand_count() < least || operand_count() > most) fail_here("has a wrong number of operands");
}

const std::uint32_t* FunctionDecoder::local_offset(const std::string& name) const {
  const auto found = local_offsets_.find(name);
  return found == local_offsets_.end() ? nullptr : &found->second;
}

void FunctionDecoder::emit_branch(MicroOp op) {
  branch_instructions_.emplace_back(program_.branches.size(),
                                    static_cast<std::uint32_t>(current_ - function_.instructions.data()));
  emit(op, program_.branches, Branch{});
}

void FunctionDecoder::fail(const std::string& what) const {
  if (current_ != nullptr) throw refuse(text_, *current_, what);
  throw Refusal{"PTX line " + std::to_string(function_.ptx_line) + ": " + what};
}

std::uint32_t FunctionDecoder::new_slot(FrameConstant::Width width) {
  auto& frame = decoded().frame_bytes;
  const std::uint32_t slot = frame;
  frame += width == FrameConstant::Width::predicate ? 64u : width == FrameConstant::Width::narrow ? 128u : 256u;
  if (frame > 64u << 20) throw Refusal{"'" + function_.name + "' declares more registers than can be simulated"};
  return slot;
}

/// The micro-operations from `first` on are those of the current instruction.
void FunctionDecoder::note_if_known(std::size_t first, const Found& found) {
  if (index_ != 0 || program_.code.size() != first + 1 || !after_.empty()) return;
  const MicroOp& op = program_.code.back();
  if (op.guard_mode != MicroOp::Guard::always || operand_count() == 0 || operand(0).kind != ptx::Operand::Kind::reg)
    return;
  const auto destination = static_cast<std::size_t>(operand(0).reg);
  const std::uint32_t slot = register_slots_[destination];
  if (writes_[destination] != 1 || !keeps_slot_[destination]) return;
  const bool loads = op.kind == MicroOpcode::load && program_.accesses.back().data[0].slot == slot && !text_.debug &&
                     is_plain_parameter(program_.accesses.back(), program_.info.parameter_bytes);
  if (!loads && (op.kind != MicroOpcode::pure || op.d != slot)) return;
  known_.note(program_, static_cast<std::uint32_t>(first), is_pure(*row_) ? &found : nullptr,
              slot_width(function_.registers[destination].type));
}

void FunctionDecoder::lay_out() {
  auto& function = decoded();
  function.name = function_.name;
  function.frame_bytes = 256;  // the sink: where unused results go
  auto place = [&](const ptx::Variable& v) {
    const std::uint64_t offset = next_multiple(function.local_bytes, std::max<std::uint32_t>(v.align, 1));
    if (offset + v.size_bytes > 512u << 10)
      throw Refusal{"'" + v.name + "' exceeds the local memory of a thread (512 KiB)"};
    local_offsets_[v.name] = static_cast<std::uint32_t>(offset);
    function.local_bytes = static_cast<std::uint32_t>(offset + v.size_bytes);
    return static_cast<std::uint32_t>(offset);
  };
  if (!function_.is_entry) {
    for (const auto& v : function_.parameters) {
      if (v.space != ptx::Space::param)
        fail("'" + function_.name + "' takes parameters in registers, which is not simulated");
      function.parameter_offsets.push_back(place(v));
      function.parameter_bytes.push_back(static_cast<std::uint32_t>(v.size_bytes));
    }
    for (const auto& v : function_.returns) {
      if (v.space != ptx::Space::param)
        fail("'" + function_.name + "' returns its value in a register, which is not simulated");
      function.return_offsets.push_back(place(v));
      function.return_bytes.push_back(static_cast<std::uint32_t>(v.size_bytes));
    }
  }
  for (const auto& v : function_.variables) {
    if (v.space == ptx::Space::local || v.space == ptx::Space::param) place(v);
  }
  function.local_bytes = static_cast<std::uint32_t>(next_multiple(function.local_bytes, 16));
  for (const auto& r : function_.registers) {
    const auto size = size_of(r.type);
    if (size > 8)
      throw Refusal{"register '" + r.name + "' of '" + function_.name +
                    "' is wider than 64 bits, which is not simulated"};
  }
}

/// Registers get slots; those that may be read before they are written begin with the poison.
void FunctionDecoder::place_registers(const Analysis& analysis) {
  const RegisterUses uses = register_uses(function_, analysis.found, analysis.liveness);
  writes_ = uses.writes;
  keeps_slot_ = index_ == 0 ? may_be_known(function_, analysis.found, uses)
                            : std::vector<bool>(function_.registers.size(), false);
  const auto keeps = program_.has_own_slots ? std::vector<bool>(function_.registers.size(), true) : keeps_slot_;
  register_slots_ = cudasim::place_registers(function_, analysis.liveness, keeps,
                                             [this](FrameConstant::Width width) { return new_slot(width); });
  for (const std::size_t r : uses.reads) known_.is_read(register_slots_[r]);
  for (std::size_t r = 0; r < function_.registers.size(); ++r) {
    if (!analysis.liveness.undefined[r]) continue;
    FrameConstant poison;
    poison.source = FrameConstant::Source::poison;
    poison.slot = register_slots_[r];
    poison.width = slot_width(function_.registers[r].type);
    decoded().undefined.push_back(poison);
  }
}

/// The micro-operations of one instruction.
void FunctionDecoder::emit_instruction(const Found& found, const MemoryAccess::Joined* joined) {
  counter_ = static_cast<std::uint32_t>(program_.origins.size());
  row_ = found.row;
  if (row_ == nullptr) {
    const std::string feature = feature_of(current_->opcode);
    fail("the instruction '" + current_->opcode + "'" +
         (feature.empty() ? " is not simulated" + nearest_patterns(current_->opcode) : ": " + feature));
  }
  const std::string why_not = why_not_for(current_->opcode, text_.target);
  if (!why_not.empty()) fail("the instruction '" + current_->opcode + "': " + why_not);
  program_.origins.push_back(
      {current_->ptx_line, current_->location, index_, row_, found.match, divides_integers(found)});
  const std::size_t first = program_.code.size();
  if (is_pure(*row_)) {
    decode_pure(found);
  } else {
    row_->decode(*this, found);
  }
  if (joined != nullptr) program_.accesses.back().joined = *joined;
  note_if_known(first, found);
  counter_ = 0;
  emit_after();
}

/// All instructions, and the end of the function. Returns the pc of each.
std::vector<std::uint32_t> FunctionDecoder::emit_instructions(const Analysis& analysis,
                                                              const MachineAccesses& machine) {
  const ControlFlow& flow = analysis.flow;
  const std::vector<bool> meets = meeting_blocks(function_, flow);
  std::vector<std::uint32_t> pc_of(function_.instructions.size() + 1);
  for (std::uint32_t i = 0; i < function_.instructions.size(); ++i) {
    pc_of[i] = static_cast<std::uint32_t>(program_.code.size());
    const auto b = flow.block_of[i];
    current_ = &function_.instructions[i];
    result_unused_ = analysis.liveness.unused[i];
    if (flow.blocks[b].begin == i && meets[b]) emit(start(MicroOpcode::reconverge));
    const auto joined = machine.joined.find(i);
    emit_instruction(analysis.found[i], joined != machine.joined.end() ? &joined->second : nullptr);
    if (analysis.found[i].name() == "ld" && is_shared(analysis.found[i]))
      program_.origins.back().is_used_early = is_used_early(function_, flow, analysis.found, i);
  }
  current_ = nullptr;
  counter_ = 0;
  pc_of.back() = static_cast<std::uint32_t>(program_.code.size());
  if (!function_.is_entry) emit(start(MicroOpcode::reconverge));
  emit(start(function_.is_entry ? MicroOpcode::exit : MicroOpcode::ret));
  return pc_of;
}

/// Branches get the pcs of their targets, and of the places where their lanes meet again.
void FunctionDecoder::patch_branches(const ControlFlow& flow, const std::vector<std::uint32_t>& pc_of) {
  const std::uint32_t epilogue = pc_of.back();
  const BranchTargets branches(function_);
  for (const auto& [branch, instruction] : branch_instructions_) {
    auto& b = program_.branches[branch];
    const auto& block = flow.blocks[flow.block_of[instruction]];
    const auto targets = branches.of(function_.instructions[instruction]);
    if (targets.empty()) {
      b.target = epilogue;  // a ret of a function
    } else {
      b.target = pc_of[targets[0]];
      for (auto t : targets) b.targets.push_back(pc_of[t]);
    }
    if (block.post_dominator < 0) continue;
    const auto meet = static_cast<std::uint32_t>(block.post_dominator);
    if (meet != flow.exit_block()) {
      b.reconverge = pc_of[flow.blocks[meet].begin];
    } else if (!function_.is_entry) {
      b.reconverge = epilogue;
    }
  }
}

/// Branches that ptxas makes predicates get the accesses over which they jump.
void FunctionDecoder::note_skipped(const MachineAccesses& machine, const std::vector<Found>& found,
                                   std::uint32_t first_counter) {
  for (const auto& [branch, instruction] : branch_instructions_) {
    const auto skipped = machine.skipped.find(instruction);
    if (skipped == machine.skipped.end()) continue;
    const auto by_counter = [&](const std::vector<std::uint32_t>& accesses) {
      std::vector<Branch::Skipped> result;
      result.reserve(accesses.size());
      for (auto i : accesses) result.push_back({first_counter + i, found[i].name() == "st"});
      return result;
    };
    program_.branches[branch].skipped_by_all = by_counter(skipped->second.when_all_jump);
    program_.branches[branch].skipped_by_none = by_counter(skipped->second.when_none_jumps);
  }
}

void FunctionDecoder::decode(const Analysis& analysis) {
  place_registers(analysis);
  const MachineAccesses machine = accesses_of_machine(function_, program_, analysis);
  const auto first_counter = static_cast<std::uint32_t>(program_.origins.size());
  decoded().entry = static_cast<std::uint32_t>(program_.code.size());
  patch_branches(analysis.flow, emit_instructions(analysis, machine));
  note_skipped(machine, analysis.found, first_counter);
}

}  // namespace cudasim
