// SPDX-License-Identifier: MIT
// The decoder's frame: which functions and shared variables a kernel needs, and the order of the steps.
#include "decode/decoder.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <iterator>
#include <mutex>
#include <queue>
#include <set>
#include <stdexcept>
#include <string_view>
#include <tuple>

#include "base/demangle.h"
#include "decode/analysis/control_flow.h"
#include "decode/ptxas_model/machine_accesses.h"
#include "program/source_lines.h"

namespace cudasim {
namespace {

constexpr std::uint64_t round_up(std::uint64_t value, std::uint64_t to) { return (value + to - 1) / to * to; }

void for_each_name(const ptx::Operand& operand, const std::function<void(const std::string&)>& visit) {
  if (operand.kind == ptx::Operand::Kind::name) visit(operand.name);
  for (const auto& element : operand.elements) for_each_name(element, visit);
}

bool is_host_function(const std::string& name) {
  return name == "vprintf" || name == "__assertfail" || name == "malloc" || name == "free";
}

/// Of the toolkit's library for kernels that launch kernels: what launches.
bool launches_from_device(const std::string& name) {
  const bool is_cuda = name.rfind("__cudaCDP", 0) == 0 || name.rfind("cuda", 0) == 0;
  return is_cuda &&
         (name.find("LaunchDevice") != std::string::npos || name.find("GetParameterBuffer") != std::string::npos);
}

/// What else is in that library, by the name that one writes: "cudaMalloc" of "__cudaCDP2Malloc". Empty: nothing of it.
std::string host_function_on_device(const std::string& name) {
  constexpr std::string_view begin = "__cudaCDP2";
  return name.rfind(begin, 0) == 0 ? "cuda" + name.substr(begin.size()) : "";
}

/// Stack needed below function `f`, by the deepest chain of direct calls; sets `recursive` on a cycle.
struct StackDepth {
  std::uint32_t frame = 0, local = 0;
};

}  // namespace

Refusal refuse(const ptx::Module& text, const ptx::Instruction& instruction, const std::string& what) {
  std::string source;
  for (std::int32_t l = instruction.location; l >= 0; l = text.locations[static_cast<std::size_t>(l)].inlined_at) {
    const auto& location = text.locations[static_cast<std::size_t>(l)];
    const std::string* file = text.file_name(location.file);
    if (file == nullptr || location.line <= 0) continue;
    source =
        " (" + std::filesystem::path(*file).lexically_normal().string() + ":" + std::to_string(location.line) + ")";
    if (!is_toolkit_file(*file)) break;
  }
  return Refusal{"PTX line " + std::to_string(instruction.ptx_line) + source + ": " + what};
}

Refusal without_body(const ptx::Module& text, const ptx::Instruction& instruction, const std::string& callee) {
  Refusal refusal = refuse(text, instruction, "the function '" + demangle(callee) + "' is called but has no body");
  refusal.advice =
      "a function that is declared must also be defined, with the same name and parameters, in the same file";
  return refusal;
}

std::vector<std::uint32_t> reachable_functions(const ptx::Module& text, std::uint32_t kernel) {
  std::map<std::string, std::uint32_t> defined;
  for (std::uint32_t f = 0; f < text.functions.size(); ++f) {
    if (!text.functions[f].is_declaration) defined[text.functions[f].name] = f;
  }
  std::set<std::string> in_tables;  // functions whose address stands in a variable, such as a virtual table
  for (const auto& variable : text.variables) {
    for (const auto& initialiser : variable.initialisers) {
      if (defined.count(initialiser.symbol) != 0) in_tables.insert(initialiser.symbol);
    }
  }
  std::vector<std::uint32_t> order{kernel};
  std::set<std::uint32_t> seen{kernel};
  auto reach = [&](const std::string& name) {
    const auto it = defined.find(name);
    if (it != defined.end() && seen.insert(it->second).second) order.push_back(it->second);
  };
  for (std::size_t next = 0; next < order.size(); ++next) {
    for (const auto& instruction : text.functions[order[next]].instructions) {
      for (const auto& operand : instruction.operands) for_each_name(operand, reach);
      const bool is_call = instruction.opcode.rfind("call", 0) == 0;
      if (is_call && instruction.operands.size() > 1 && instruction.operands[1].kind == ptx::Operand::Kind::reg) {
        for (const auto& name : in_tables) reach(name);
      }
      if (is_call && instruction.operands.size() > 1 && instruction.operands[1].kind == ptx::Operand::Kind::name) {
        const auto& callee = instruction.operands[1].name;
        if (defined.count(callee) == 0 && !is_host_function(callee)) {
          if (launches_from_device(callee))
            throw refuse(text, instruction,
                         "a kernel that launches kernels (dynamic parallelism) is not simulated; let the host launch "
                         "them, one after the other");
          const std::string of_host = host_function_on_device(callee);
          if (!of_host.empty()) {
            Refusal refusal = refuse(text, instruction,
                                     "a kernel calls " + of_host +
                                         ", which is for the host (and for dynamic parallelism, "
                                         "which is not simulated)");
            refusal.advice =
                "call " + of_host + " before the launch, and hand what it gives to the kernel as a parameter";
            throw refusal;
          }
          throw without_body(text, instruction, callee);
        }
      }
    }
  }
  return order;
}

std::vector<SharedVariable> lay_out_shared(const ptx::Module& text, const std::vector<std::uint32_t>& reachable,
                                           std::uint32_t& static_bytes) {
  static_assert(shared_gap_bytes % 1024 == 0, "a gap must keep banks and alignment");
  std::set<std::string> named;
  for (auto f : reachable) {
    for (const auto& instruction : text.functions[f].instructions) {
      for (const auto& operand : instruction.operands) {
        for_each_name(operand, [&](const std::string& n) { named.insert(n); });
        if (operand.kind == ptx::Operand::Kind::special) named.insert(operand.name);
      }
    }
  }
  std::vector<const ptx::Variable*> variables;
  for (const auto& v : text.variables) {
    if (v.space == ptx::Space::shared && named.count(v.name) != 0) variables.push_back(&v);
  }
  for (auto f : reachable) {
    for (const auto& v : text.functions[f].variables) {
      if (v.space == ptx::Space::shared) variables.push_back(&v);
    }
  }
  std::vector<SharedVariable> result;
  std::uint64_t offset = 0;
  std::uint64_t dynamic_align = 16;
  for (const auto* v : variables) {
    if (v->size_bytes == 0) {
      dynamic_align = std::max<std::uint64_t>(dynamic_align, v->align);
      continue;
    }
    offset = round_up(offset, std::max<std::uint32_t>(v->align, 1));
    if (offset + v->size_bytes > 1u << 20)
      throw Refusal{"shared variable '" + v->name + "' is larger than any GPU's shared memory"};
    const auto gaps = static_cast<std::uint32_t>(result.size()) * shared_gap_bytes;
    result.push_back({v->name, static_cast<std::uint32_t>(offset) + gaps, static_cast<std::uint32_t>(v->size_bytes)});
    offset += v->size_bytes;
  }
  static_bytes = static_cast<std::uint32_t>(offset);
  if (named.count(reserved_shared) != 0) {
    offset = round_up(offset, 16);
    const auto gaps = static_cast<std::uint32_t>(result.size()) * shared_gap_bytes;
    result.push_back({reserved_shared, static_cast<std::uint32_t>(offset) + gaps, reserved_shared_bytes});
    offset += reserved_shared_bytes;
  }
  const auto dynamic = static_cast<std::uint32_t>(round_up(offset, dynamic_align) + result.size() * shared_gap_bytes);
  for (const auto* v : variables) {
    if (v->size_bytes == 0) result.push_back({v->name, dynamic, 0});
  }
  return result;
}

namespace {

StackDepth stack_depth(const Program& program, const std::vector<std::vector<std::uint32_t>>& callees,
                       std::uint32_t function, std::vector<std::uint8_t>& state, std::vector<StackDepth>& depth,
                       bool& recursive, unsigned calls = 0) {
  constexpr unsigned deepest = 1000;  // the text is not to be trusted with this program's own stack
  if (state[function] == 1 || calls > deepest) {
    recursive = true;
    return {};
  }
  if (state[function] == 2) return depth[function];
  state[function] = 1;
  StackDepth below;
  for (auto callee : callees[function]) {
    const auto d = stack_depth(program, callees, callee, state, depth, recursive, calls + 1);
    below.frame = std::max(below.frame, d.frame);
    below.local = std::max(below.local, d.local);
  }
  state[function] = 2;
  depth[function] = {below.frame + program.functions[function].frame_bytes,
                     below.local + program.functions[function].local_bytes};
  return depth[function];
}

/// How deep the stack of one warp can get. Calls through pointers may reach any function, so they count as recursion.
void size_stack(Program& program, const std::vector<std::uint32_t>& begin_of_function) {
  std::vector<std::vector<std::uint32_t>> callees(program.functions.size());
  for (std::uint32_t f = 0; f < program.functions.size(); ++f) {
    const auto end = f + 1 < program.functions.size() ? begin_of_function[f + 1] : program.code.size();
    for (std::size_t pc = begin_of_function[f]; pc < end; ++pc) {
      if (program.code[pc].kind != Kind::call) continue;
      const auto& call = program.calls[program.code[pc].extra];
      if (call.callee == Call::Callee::function) callees[f].push_back(call.function);
      if (call.callee == Call::Callee::indirect) program.recursive = true;
      program.has_calls |= call.callee == Call::Callee::function || call.callee == Call::Callee::indirect;
    }
  }
  std::vector<std::uint8_t> state(program.functions.size(), 0);
  std::vector<StackDepth> depth(program.functions.size());
  const auto total = stack_depth(program, callees, 0, state, depth, program.recursive);
  // Lanes may be in different functions at the same time, and then do not share registers.
  std::uint64_t every_frame = 0;
  for (const auto& function : program.functions) every_frame += function.frame_bytes;
  program.stack_frame_bytes = program.has_calls ? static_cast<std::uint32_t>(2 * every_frame) : total.frame;
  program.stack_local_bytes = total.local;
}

bool is_simple(const MemoryAccess& access) {
  const auto& data = access.data[0];
  const bool in_global = access.space == ptx::Space::global && access.base_kind == MemoryAccess::Base::reg64;
  const bool in_shared =
      access.space == ptx::Space::shared && access.base_kind == MemoryAccess::Base::reg32 && access.bytes == 4;
  return (in_global || in_shared) && access.count == 1 && access.bytes >= 4 && !data.sink &&
         data.wide == (access.bytes == 8) && access.joined.part == MemoryAccess::Joined::Part::none;
}

/// Marks the operations that are passed over where they stand, and the accesses whose addresses are then there.
void mark_known(Program& program) {
  std::vector<std::uint32_t> known;
  std::merge(program.settled.begin(), program.settled.end(), program.shifting.begin(), program.shifting.end(),
             std::back_inserter(known));
  for (std::size_t i = known.size(); i-- > 0;) {
    MicroOp* const op = &program.code[known[i]];
    op->settled = static_cast<std::uint16_t>(std::min(op[1].settled + 1, 0xffff));
  }
  const auto& kernel = program.functions[0];
  const auto end = program.functions.size() > 1 ? program.functions[1].entry : program.code.size();
  for (auto pc = kernel.entry; pc < end; ++pc) {
    MicroOp& op = program.code[pc];
    if (op.kind != Kind::load && op.kind != Kind::store) continue;
    auto& access = program.accesses[op.extra];
    if (!access.is_simple || access.space != ptx::Space::global || access.ordering != Ordering::weak) continue;
    access.is_shifted = std::any_of(program.shifted.begin(), program.shifted.end(),
                                    [&](const auto& shifted) { return shifted.slot == access.base; });
    if (access.is_shifted && op.guard_mode == MicroOp::Guard::always) op.e = at_shifted_address;
  }
}

bool divides_integers(const Found& found) {
  return found.name() == "rem" || (found.name() == "div" && (found.tokens[1][0] == 'u' || found.tokens[1][0] == 's'));
}

const Analysis& analysis_of(const ptx::Module& text, std::uint32_t function, Analyses& analyses) {
  try {
    return analyses.of(function);
  } catch (const std::runtime_error& error) {
    throw Refusal{"in '" + text.functions[function].name + "': " + error.what()};
  }
}

}  // namespace

Program decode(const ptx::Module& text, std::uint32_t kernel, const KernelInfo& info,
               const VariableAddresses& variables, Analyses& analyses, bool has_own_slots) {
  const auto& clusters = text.functions[kernel].cluster_blocks;
  if (clusters[0] * clusters[1] * clusters[2] > 1)
    throw Refusal{"it asks for clusters of " + std::to_string(clusters[0] * clusters[1] * clusters[2]) +
                  " blocks (__cluster_dims__), and thread block clusters are not simulated; let blocks share through "
                  "global memory, or make one block of a cluster's threads"};
  Program program;
  program.info = info;
  program.text = &text;
  program.text_kernel = kernel;
  program.variables = &variables;
  program.has_own_slots = has_own_slots;
  program.origins.emplace_back();
  const auto reachable = reachable_functions(text, kernel);
  program.shared = lay_out_shared(text, reachable, program.static_shared_bytes);
  program.functions.resize(reachable.size());
  program.function_of_text.assign(text.functions.size(), no_pc);
  for (std::uint32_t f = 0; f < reachable.size(); ++f) program.function_of_text[reachable[f]] = f;
  std::vector<FunctionDecoder> decoders;
  decoders.reserve(reachable.size());
  for (auto f : reachable) decoders.emplace_back(text, f, program, variables);
  for (auto& decoder : decoders) decoder.lay_out();
  std::vector<std::uint32_t> begin;
  for (std::size_t f = 0; f < reachable.size(); ++f) {
    begin.push_back(static_cast<std::uint32_t>(program.code.size()));
    decoders[f].decode(analysis_of(text, reachable[f], analyses));
  }
  decoders.front().finish();
  size_stack(program, begin);
  for (auto& access : program.accesses) access.is_simple = is_simple(access);
  mark_known(program);
  return program;
}

const Program& Program::with_own_slots() const {
  static std::mutex mutex;  // workers ask
  const std::lock_guard<std::mutex> lock(mutex);
  try {
    if (with_own_slots_ == nullptr) {
      Analyses analyses(*text);
      with_own_slots_ = std::make_unique<const Program>(decode(*text, text_kernel, info, *variables, analyses, true));
    }
  } catch (const Refusal&) {
    return *this;  // too many of them: words may be less exact
  }
  return *with_own_slots_;
}

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
  const bool loads = op.kind == Kind::load && program_.accesses.back().data[0].slot == slot && !text_.debug &&
                     is_plain_parameter(program_.accesses.back(), program_.info.parameter_bytes);
  if (!loads && (op.kind != Kind::pure || op.d != slot)) return;
  known_.note(program_, static_cast<std::uint32_t>(first), is_pure(*row_) ? &found : nullptr,
              slot_width(function_.registers[destination].type));
}

void FunctionDecoder::lay_out() {
  auto& function = decoded();
  function.name = function_.name;
  function.frame_bytes = 256;  // the sink: where results that nobody asked for go
  auto place = [&](const ptx::Variable& v) {
    const std::uint64_t offset = round_up(function.local_bytes, std::max<std::uint32_t>(v.align, 1));
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
  function.local_bytes = static_cast<std::uint32_t>(round_up(function.local_bytes, 16));
  for (const auto& r : function_.registers) {
    const auto size = size_of(r.type);
    if (size > 8)
      throw Refusal{"register '" + r.name + "' of '" + function_.name +
                    "' is wider than 64 bits, which is not simulated"};
  }
}

/// Gives each register a slot. Those that live one after the other share one, as on a GPU: unrolled loops have
/// thousands of registers, of which a warp would touch a new one with each instruction, and few live at a time (linear
/// scan, Poletto and Sarkar 1999). What an instruction reads and what it writes are never in one slot unless they are
/// one register.
void FunctionDecoder::place_registers(const Liveness& liveness, const std::vector<Found>& found) {
  const std::size_t registers = function_.registers.size();
  register_slots_.assign(registers, 0);
  keeps_slot_ = may_be_known(found);
  std::vector<std::size_t> order;  // by where they begin
  for (std::size_t r = 0; r < registers; ++r) {
    if (liveness.ranges[r].is_empty()) continue;
    if (keeps_slot_[r] || program_.has_own_slots) {
      register_slots_[r] = new_slot(slot_width(function_.registers[r].type));
    } else {
      order.push_back(r);
    }
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return liveness.ranges[a].first < liveness.ranges[b].first; });
  using End = std::pair<std::uint32_t, std::uint32_t>;  // the last instruction of the register there, and its slot
  struct Slots {
    std::priority_queue<End, std::vector<End>, std::greater<>> taken;
    std::vector<std::uint32_t> free;
  };
  std::map<FrameConstant::Width, Slots> slots;
  for (const std::size_t r : order) {
    const auto width = slot_width(function_.registers[r].type);
    const auto& range = liveness.ranges[r];
    auto& [taken, free] = slots[width];
    for (; !taken.empty() && taken.top().first < range.first; taken.pop()) free.push_back(taken.top().second);
    if (free.empty()) free.push_back(new_slot(width));
    register_slots_[r] = free.back();
    free.pop_back();
    taken.emplace(range.last, register_slots_[r]);
  }
}

/// The registers whose values may be computed before a block runs (KnownValues), and so live from its begin to its end:
/// each written once, in all lanes, of parameters and of what is known.
std::vector<bool> FunctionDecoder::may_be_known(const std::vector<Found>& found) const {
  std::vector<bool> result(function_.registers.size(), false);
  if (index_ != 0) return result;
  for (std::size_t i = 0; i < function_.instructions.size(); ++i) {
    const auto& instruction = function_.instructions[i];
    const auto& operands = instruction.operands;
    if (found[i].row == nullptr || instruction.guard >= 0 || operands.empty()) continue;
    const auto destination = static_cast<std::size_t>(operands[0].reg);
    if (operands[0].kind != ptx::Operand::Kind::reg || writes_[destination] != 1) continue;
    bool are_known = is_pure(*found[i].row) || instruction.opcode.rfind("ld.param", 0) == 0;
    for (std::size_t o = 1; o < operands.size(); ++o) {
      for_each_register(operands[o],
                        [&](std::int32_t r) { are_known = are_known && result[static_cast<std::size_t>(r)]; });
    }
    result[destination] = are_known;
  }
  return result;
}

void FunctionDecoder::decode(const Analysis& analysis) {
  const ControlFlow& flow = analysis.flow;
  const std::vector<Found>& found = analysis.found;
  const Liveness& liveness = analysis.liveness;
  auto& function = decoded();
  writes_.assign(function_.registers.size(), 0);
  for (std::size_t r = 0; r < function_.registers.size(); ++r) writes_[r] = liveness.undefined[r] ? 1 : 0;
  std::vector<std::size_t> reads;
  for (std::size_t i = 0; i < function_.instructions.size(); ++i) {
    const auto& instruction = function_.instructions[i];
    const bool writes = found[i].row != nullptr && writes_first_operand(*found[i].row);
    for (std::size_t o = 0; o < instruction.operands.size(); ++o) {
      for_each_register(instruction.operands[o], [&](std::int32_t r) {
        if (writes && o == 0) {
          ++writes_[static_cast<std::size_t>(r)];
        } else {
          reads.push_back(static_cast<std::size_t>(r));
        }
      });
    }
    if (instruction.guard >= 0) reads.push_back(static_cast<std::size_t>(instruction.guard));
  }
  place_registers(liveness, found);
  for (const std::size_t r : reads) known_.is_read(register_slots_[r]);
  for (std::size_t r = 0; r < function_.registers.size(); ++r) {
    if (!liveness.undefined[r]) continue;
    FrameConstant poison;
    poison.source = FrameConstant::Source::poison;
    poison.slot = register_slots_[r];
    poison.width = slot_width(function_.registers[r].type);
    function.undefined.push_back(poison);
  }
  // Blocks at which a branch that may diverge reconverges begin with a reconvergence point.
  std::vector<bool> meets(flow.blocks.size(), false);
  for (std::uint32_t b = 0; b < flow.exit_block(); ++b) {
    const auto& block = flow.blocks[b];
    // A branch to the very next instruction has one successor, and divides the lanes all the same.
    const auto& last = function_.instructions[block.end - 1];
    const bool divides = block.successors.size() > 1 || (ends_block(last) && last.guard >= 0);
    if (divides && block.post_dominator >= 0) meets[static_cast<std::size_t>(block.post_dominator)] = true;
  }
  SharedOffsets shared;
  for (const auto& variable : program_.shared) shared[variable.name] = variable.offset;
  const MachineAccesses machine = machine_accesses(function_, flow, found, shared);
  const auto first_counter = static_cast<std::uint32_t>(program_.origins.size());
  function.entry = static_cast<std::uint32_t>(program_.code.size());
  std::vector<std::uint32_t> pc_of(function_.instructions.size() + 1);
  for (std::uint32_t i = 0; i < function_.instructions.size(); ++i) {
    pc_of[i] = static_cast<std::uint32_t>(program_.code.size());
    const auto b = flow.block_of[i];
    current_ = &function_.instructions[i];
    result_unused_ = liveness.unused[i];
    if (flow.blocks[b].begin == i && meets[b]) emit(start(Kind::reconverge));
    counter_ = static_cast<std::uint32_t>(program_.origins.size());
    row_ = found[i].row;
    if (row_ == nullptr) {
      const std::string feature = feature_of(current_->opcode);
      fail("the instruction '" + current_->opcode + "'" +
           (feature.empty() ? " is not simulated" + nearest_patterns(current_->opcode) : ": " + feature));
    }
    program_.origins.push_back(
        {current_->ptx_line, current_->location, index_, row_, found[i].match, divides_integers(found[i])});
    const std::size_t first = program_.code.size();
    if (is_pure(*row_)) {
      decode_pure(found[i]);
    } else {
      row_->decode(*this, found[i]);
    }
    if (const auto joined = machine.joined.find(i); joined != machine.joined.end())
      program_.accesses.back().joined = joined->second;
    note_if_known(first, found[i]);
    counter_ = 0;
    emit_after();
  }
  current_ = nullptr;
  const auto epilogue = static_cast<std::uint32_t>(program_.code.size());
  pc_of[function_.instructions.size()] = epilogue;
  counter_ = 0;
  if (!function_.is_entry) emit(start(Kind::reconverge));
  emit(start(function_.is_entry ? Kind::exit : Kind::ret));
  for (const auto& [branch, instruction] : branch_instructions_) {
    auto& b = program_.branches[branch];
    if (const auto skipped = machine.skipped.find(instruction); skipped != machine.skipped.end()) {
      auto by_counter = [&](const std::vector<std::uint32_t>& accesses) {
        std::vector<Branch::Skipped> result;
        result.reserve(accesses.size());
        for (auto i : accesses) result.push_back({first_counter + i, found[i].name() == "st"});
        return result;
      };
      b.skipped_by_all = by_counter(skipped->second.when_all_jump);
      b.skipped_by_none = by_counter(skipped->second.when_none_jumps);
    }
    const auto& block = flow.blocks[flow.block_of[instruction]];
    const auto targets = branch_targets(function_, function_.instructions[instruction]);
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

}  // namespace cudasim
