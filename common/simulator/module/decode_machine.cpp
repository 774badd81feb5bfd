// SPDX-License-Identifier: MIT
// Instructions that the machine carries out: memory, atomics, calls, barriers, warp-wide operations and branches
// become entries of the program's tables.
#include <algorithm>
#include <cstring>

#include "module/decoder.h"

namespace cudasim {
namespace {

using Width = FrameConstant::Width;
using Source = FrameConstant::Source;
using Kinds = ptx::Operand::Kind;

std::vector<std::string_view> split(std::string_view opcode) {
  std::vector<std::string_view> tokens;
  while (!opcode.empty()) {
    const auto dot = opcode.find('.');
    tokens.push_back(opcode.substr(0, dot));
    opcode = dot == std::string_view::npos ? std::string_view{} : opcode.substr(dot + 1);
  }
  return tokens;
}

bool has(const std::vector<std::string_view>& tokens, std::string_view token) {
  return std::find(tokens.begin(), tokens.end(), token) != tokens.end();
}

ptx::Space space_of(const std::vector<std::string_view>& tokens) {
  if (has(tokens, "global")) return ptx::Space::global;
  if (has(tokens, "shared") || has(tokens, "shared::cta")) return ptx::Space::shared;
  if (has(tokens, "local")) return ptx::Space::local;
  if (has(tokens, "const")) return ptx::Space::constant;
  if (has(tokens, "param") || has(tokens, "param::entry") || has(tokens, "param::func")) return ptx::Space::param;
  return ptx::Space::generic;
}

Ordering ordering_of(const std::vector<std::string_view>& tokens) {
  if (has(tokens, "volatile")) return Ordering::is_volatile;
  if (has(tokens, "relaxed") || has(tokens, "mmio")) return Ordering::relaxed;
  if (has(tokens, "acquire")) return Ordering::acquire;
  if (has(tokens, "release")) return Ordering::release;
  if (has(tokens, "acq_rel")) return Ordering::acquire_release;
  return Ordering::weak;
}

bool is_signed(ptx::Type type) {
  return type == ptx::Type::s8 || type == ptx::Type::s16 || type == ptx::Type::s32 || type == ptx::Type::s64;
}

}  // namespace

void FunctionDecoder::decode_instruction(const ptx::Instruction& instruction) {
  const Found found = find_row(instruction, Level::baseline);
  if (found.row == nullptr)
    fail("the instruction '" + instruction.opcode + "' is not simulated" + nearest_patterns(instruction.opcode));
  switch (found.row->kind) {
    case Kind::pure: {
      const Found best = find_row(instruction, best_level());
      return decode_pure(*best.row, best.match);
    }
    case Kind::load:
    case Kind::store:
      return decode_memory();
    case Kind::atomic:
      return decode_atomic(true);
    case Kind::reduction:
      return decode_atomic(false);
    case Kind::branch:
    case Kind::branch_indexed:
    case Kind::ret:
      return decode_branch(found.row->kind);
    case Kind::call:
      return decode_call();
    case Kind::barrier:
      return decode_barrier();
    case Kind::warp_sync:
    case Kind::shuffle:
    case Kind::vote:
    case Kind::match:
    case Kind::warp_reduce:
    case Kind::elect:
      return decode_warp_operation(found.row->kind);
    case Kind::active_mask: {
      MicroOp op = start(Kind::active_mask);
      op.d = destination(instruction.operands.at(0), ptx::Type::u32);
      return emit(op);
    }
    case Kind::address_space:
      return decode_address_space();
    case Kind::exit:
    case Kind::trap:
    case Kind::breakpoint:
    case Kind::fence:
    case Kind::nanosleep:
    case Kind::nop:
      return emit(start(found.row->kind));
    case Kind::clock:
    case Kind::special:
    case Kind::stack:
    case Kind::reconverge:
    case Kind::not_predicate:
      break;
  }
  fail("the instruction '" + instruction.opcode + "' is not simulated");
}

void FunctionDecoder::decode_address(const ptx::Operand& operand, MemoryAccess& access) {
  if (operand.kind != Kinds::address || operand.elements.size() != 1)
    fail("'" + current_->opcode + "' needs an address in brackets");
  const auto& base = operand.elements[0];
  access.displacement = operand.offset;
  const bool in_function_param = access.space == ptx::Space::param;
  switch (base.kind) {
    case Kinds::reg: {
      const auto& reg = function_.registers[static_cast<std::size_t>(base.reg)];
      if (reg.type == ptx::Type::pred || size_of(reg.type) < 4) fail("'" + reg.name + "' cannot hold an address");
      access.base_kind = size_of(reg.type) == 8 ? MemoryAccess::Base::reg64 : MemoryAccess::Base::reg32;
      access.base = register_slots_[static_cast<std::size_t>(base.reg)];
      if (in_function_param && !function_.is_entry) access.space = ptx::Space::local;
      return;
    }
    case Kinds::integer:
      access.base_kind = MemoryAccess::Base::none;
      access.displacement += static_cast<std::int64_t>(base.bits);
      return;
    case Kinds::name: {
      Source source;
      std::uint64_t bits;
      if (!address_of(base, source, bits)) fail("'" + base.name + "' is not declared");
      access.displacement += static_cast<std::int64_t>(bits);
      access.base_kind = source == Source::frame_address ? MemoryAccess::Base::frame : MemoryAccess::Base::none;
      if (source == Source::frame_address) access.space = ptx::Space::local;  // parameters of calls live there too
      if (access.space == ptx::Space::generic && find_shared(base.name) != nullptr) access.space = ptx::Space::shared;
      return;
    }
    default:
      fail("the address of '" + current_->opcode + "' has a form that is not simulated");
  }
}

void FunctionDecoder::decode_memory() {
  const auto tokens = split(current_->opcode);
  MemoryAccess access;
  access.is_store = tokens[0] == "st";
  access.space = space_of(tokens);
  access.ordering = ordering_of(tokens);
  const auto type = ptx::type_from_text(tokens.back());
  access.bytes = static_cast<std::uint8_t>(size_of(type));
  if (access.bytes == 0 || access.bytes > 8) fail("'" + current_->opcode + "' is not simulated (type)");
  access.sign_extend = is_signed(type);
  access.count = has(tokens, "v2") ? 2 : has(tokens, "v4") ? 4 : has(tokens, "v8") ? 8 : 1;
  if (access.bytes * access.count > 32) fail("'" + current_->opcode + "' is not simulated (wider than 32 bytes)");
  if (current_->operands.size() != 2) fail("'" + current_->opcode + "' takes two operands");
  const auto& address = current_->operands[access.is_store ? 0 : 1];
  const auto& data = current_->operands[access.is_store ? 1 : 0];
  decode_address(address, access);
  if (access.ordering != Ordering::weak && access.space != ptx::Space::shared && access.space != ptx::Space::local)
    program_.order_sensitive = true;
  if (access.is_store && access.space == ptx::Space::param) fail("a kernel's parameters cannot be written");
  const bool vector = data.kind == Kinds::vector;
  if ((vector ? data.elements.size() : 1) != access.count)
    fail("'" + current_->opcode + "' needs " + std::to_string(access.count) + " registers");
  for (unsigned i = 0; i < access.count; ++i) {
    const auto& element = vector ? data.elements[i] : data;
    auto& d = access.data[i];
    if (element.kind == Kinds::sink) {
      d.sink = true;
      continue;
    }
    d.wide = is_wide(element, type);
    const auto slot_type = d.wide ? ptx::Type::u64 : ptx::Type::u32;
    if (!d.wide && access.bytes == 8) fail("a register of '" + current_->opcode + "' is too narrow");
    d.slot = access.is_store ? source(element, slot_type) : destination(element, slot_type);
  }
  MicroOp op = start(access.is_store ? Kind::store : Kind::load);
  op.extra = static_cast<std::uint32_t>(program_.accesses.size());
  program_.accesses.push_back(access);
  emit(op);
}

void FunctionDecoder::decode_atomic(bool returns) {
  const auto tokens = split(current_->opcode);
  AtomicAccess atomic;
  atomic.address.space = space_of(tokens);
  atomic.address.ordering = ordering_of(tokens);
  atomic.address.is_store = true;
  atomic.type = ptx::type_from_text(tokens.back());
  atomic.address.bytes = static_cast<std::uint8_t>(size_of(atomic.type));
  static constexpr std::pair<std::string_view, AtomicOperation> operations[] = {
      {"add", AtomicOperation::add}, {"min", AtomicOperation::min},  {"max", AtomicOperation::max},
      {"inc", AtomicOperation::inc}, {"dec", AtomicOperation::dec},  {"and", AtomicOperation::and_},
      {"or", AtomicOperation::or_},  {"xor", AtomicOperation::xor_}, {"exch", AtomicOperation::exch},
      {"cas", AtomicOperation::cas}};
  bool found = false;
  for (const auto& [name, operation] : operations) {
    if (has(tokens, name)) {
      atomic.operation = operation;
      found = true;
    }
  }
  if (!found || atomic.address.bytes < 2 || atomic.address.bytes > 8 || has(tokens, "v2") || has(tokens, "v4") ||
      has(tokens, "v8")) {
    fail("'" + current_->opcode + "' is not simulated");
  }
  const std::size_t first = returns ? 1 : 0;
  const std::size_t needed = first + (atomic.operation == AtomicOperation::cas ? 3 : 2);
  if (current_->operands.size() != needed) fail("'" + current_->opcode + "' has a wrong number of operands");
  atomic.returns = returns && current_->operands[0].kind != Kinds::sink;
  decode_address(current_->operands[first], atomic.address);
  const auto slot_type = atomic.address.bytes == 8   ? ptx::Type::u64
                         : atomic.address.bytes == 2 ? ptx::Type::u16
                                                     : ptx::Type::u32;
  // An immediate of a floating-point atomic must take the operand's own representation.
  const auto value_type = atomic.type == ptx::Type::f32 || atomic.type == ptx::Type::f64 ? atomic.type : slot_type;
  const auto b = source(current_->operands[first + 1], value_type);
  const auto c = atomic.operation == AtomicOperation::cas ? source(current_->operands[first + 2], value_type) : 0;
  MicroOp op = start(Kind::atomic);
  op.b = b;
  op.c = c;
  if (returns) op.d = destination(current_->operands[0], slot_type);
  const bool is_float = atomic.type == ptx::Type::f32 || atomic.type == ptx::Type::f64 ||
                        atomic.type == ptx::Type::f16 || atomic.type == ptx::Type::f16x2 ||
                        atomic.type == ptx::Type::bf16 || atomic.type == ptx::Type::bf16x2;
  atomic.flush_to_zero = atomic.type == ptx::Type::f32 && atomic.operation == AtomicOperation::add &&
                         atomic.address.space != ptx::Space::shared;
  if (atomic.address.space != ptx::Space::shared && (is_float || atomic.returns)) program_.order_sensitive = true;
  op.extra = static_cast<std::uint32_t>(program_.atomics.size());
  program_.atomics.push_back(atomic);
  emit(op);
}

void FunctionDecoder::decode_branch(Kind kind) {
  if (kind == Kind::ret && function_.is_entry) return emit(start(Kind::exit));
  MicroOp op = start(kind == Kind::branch_indexed ? Kind::branch_indexed : Kind::branch);
  if (kind == Kind::branch_indexed) op.a = source(current_->operands.at(0), ptx::Type::u32);
  op.extra = static_cast<std::uint32_t>(program_.branches.size());
  branch_instructions_.emplace_back(program_.branches.size(),
                                    static_cast<std::uint32_t>(current_ - function_.instructions.data()));
  program_.branches.emplace_back();
  emit(op);
}

void FunctionDecoder::decode_call() {
  Call call;
  if (current_->operands.size() < 3) fail("a call without its lists of operands");
  auto offsets = [&](const ptx::Operand& list, std::vector<std::uint32_t>& at, std::vector<std::uint32_t>& bytes) {
    for (const auto& element : list.elements) {
      const auto local = local_offsets_.find(element.name);
      if (element.kind != Kinds::name || local == local_offsets_.end())
        fail("a call whose arguments are not .param variables is not simulated");
      at.push_back(local->second);
      std::uint32_t size = 0;
      for (const auto* variables : {&function_.variables, &function_.parameters, &function_.returns}) {
        for (const auto& v : *variables) {
          if (v.name == element.name) size = static_cast<std::uint32_t>(v.size_bytes);
        }
      }
      bytes.push_back(size);
    }
  };
  offsets(current_->operands[0], call.return_offsets, call.return_bytes);
  offsets(current_->operands[2], call.argument_offsets, call.argument_bytes);
  const auto& callee = current_->operands[1];
  if (callee.kind == Kinds::reg) {
    call.callee = Call::Callee::indirect;
    call.address_slot = source(callee, ptx::Type::u64);
  } else {
    std::uint32_t index = no_pc;
    for (std::size_t f = 0; f < text_.functions.size(); ++f) {
      if (text_.functions[f].name == callee.name && !text_.functions[f].is_declaration)
        index = program_.function_of_text[f];
    }
    const std::size_t arguments = call.argument_offsets.size();
    auto host = [&](const char* name, Call::Callee kind, std::size_t needs) {
      if (index != no_pc || callee.name != name) return;
      if (arguments < needs) fail("'" + callee.name + "' is called with too few arguments");
      call.callee = kind;
      index = 0;
    };
    host("vprintf", Call::Callee::printf, 2);
    host("__assertfail", Call::Callee::assert_fail, 5);
    host("malloc", Call::Callee::malloc, 1);
    host("free", Call::Callee::free, 1);
    if (index == no_pc) fail("the function '" + callee.name + "' is called but has no body in this module");
    call.function = index;
    if (call.callee == Call::Callee::function) {
      const auto& f = program_.functions[index];
      if (f.parameter_bytes != call.argument_bytes ||
          (!call.return_bytes.empty() && f.return_bytes != call.return_bytes)) {
        fail("'" + callee.name + "' is called with other parameters than it is defined with");
      }
    } else {
      program_.order_sensitive = true;  // printed text and heap addresses follow the order of execution
    }
  }
  MicroOp op = start(Kind::call);
  op.extra = static_cast<std::uint32_t>(program_.calls.size());
  const bool indirect = call.callee == Call::Callee::indirect;
  if (indirect) call.reconverge = static_cast<std::uint32_t>(program_.code.size() + 1);
  program_.calls.push_back(call);
  emit(op);
  if (indirect) {
    MicroOp meet;
    meet.kind = Kind::reconverge;
    emit(meet);
  }
}

void FunctionDecoder::decode_barrier() {
  const auto tokens = split(current_->opcode);
  BarrierOperation barrier;
  // `bar.x` is `barrier.x.aligned` (PTX ISA, "bar, barrier").
  barrier.aligned = tokens[0] == "bar" || has(tokens, "aligned");
  MicroOp op = start(Kind::barrier);
  const auto& operands = current_->operands;
  std::size_t next = 0;
  ptx::Type result = ptx::Type::none;
  if (has(tokens, "red")) {
    barrier.mode = has(tokens, "popc")  ? BarrierOperation::Mode::reduce_popc
                   : has(tokens, "and") ? BarrierOperation::Mode::reduce_and
                                        : BarrierOperation::Mode::reduce_or;
    result = barrier.mode == BarrierOperation::Mode::reduce_popc ? ptx::Type::u32 : ptx::Type::pred;
    if (operands.size() < 3) fail("'" + current_->opcode + "' lacks an operand");
    op.d = destination(operands[next++], result);
  } else if (has(tokens, "arrive")) {
    barrier.mode = BarrierOperation::Mode::arrive;
  }
  if (next >= operands.size()) fail("'" + current_->opcode + "' names no barrier");
  op.a = source(operands[next++], ptx::Type::u32);
  const std::size_t left = operands.size() - next - (result != ptx::Type::none ? 1 : 0);
  if (left > 1) fail("'" + current_->opcode + "' has too many operands");
  if (left == 1) {
    barrier.has_count = true;
    op.b = source(operands[next++], ptx::Type::u32);
  }
  if (result != ptx::Type::none) op.c = source(operands[next], ptx::Type::pred);
  op.extra = static_cast<std::uint32_t>(program_.barriers.size());
  program_.barriers.push_back(barrier);
  emit(op);
}

void FunctionDecoder::decode_warp_operation(Kind kind) {
  using Mode = WarpOperation::Mode;
  const auto tokens = split(current_->opcode);
  const auto& operands = current_->operands;
  if (!has(tokens, "sync"))
    fail("'" + current_->opcode + "' (without .sync) is not simulated: no GPU since Volta has it");
  auto need = [&](std::size_t count) {
    if (operands.size() != count) fail("'" + current_->opcode + "' takes " + std::to_string(count) + " operands");
  };
  WarpOperation w;
  MicroOp op = start(kind);
  auto destinations = [&](ptx::Type type) {
    const auto& first = operands[0];
    if (first.kind == Kinds::pair) {
      op.d = destination(first.elements.at(0), type);
      op.e = destination(first.elements.at(1), ptx::Type::pred);
      w.has_predicate = first.elements[1].kind != Kinds::sink;
    } else {
      op.d = destination(first, type);
    }
  };
  switch (kind) {
    case Kind::shuffle:
      need(5);
      w.mode = has(tokens, "up")     ? Mode::shuffle_up
               : has(tokens, "down") ? Mode::shuffle_down
               : has(tokens, "bfly") ? Mode::shuffle_butterfly
                                     : Mode::shuffle_index;
      op.a = source(operands[1], ptx::Type::b32);
      op.b = source(operands[2], ptx::Type::u32);
      op.c = source(operands[3], ptx::Type::u32);
      op.f = source(operands[4], ptx::Type::u32);
      destinations(ptx::Type::b32);
      break;
    case Kind::vote:
      need(3);
      w.mode = has(tokens, "all")   ? Mode::vote_all
               : has(tokens, "any") ? Mode::vote_any
               : has(tokens, "uni") ? Mode::vote_uniform
                                    : Mode::vote_ballot;
      op.a = source(operands[1], ptx::Type::pred);
      op.f = source(operands[2], ptx::Type::u32);
      destinations(w.mode == Mode::vote_ballot ? ptx::Type::b32 : ptx::Type::pred);
      break;
    case Kind::match: {
      need(3);
      w.mode = has(tokens, "any") ? Mode::match_any : Mode::match_all;
      w.wide = has(tokens, "b64");
      op.a = source(operands[1], w.wide ? ptx::Type::b64 : ptx::Type::b32);
      op.f = source(operands[2], ptx::Type::u32);
      destinations(ptx::Type::b32);
      break;
    }
    case Kind::warp_reduce: {
      need(3);
      const auto type = ptx::type_from_text(tokens.back());
      if (size_of(type) != 4 || type == ptx::Type::f32) fail("'" + current_->opcode + "' is not simulated");
      w.is_signed = type == ptx::Type::s32;
      w.mode = has(tokens, "add")   ? Mode::reduce_add
               : has(tokens, "min") ? Mode::reduce_min
               : has(tokens, "max") ? Mode::reduce_max
               : has(tokens, "and") ? Mode::reduce_and
               : has(tokens, "or")  ? Mode::reduce_or
                                    : Mode::reduce_xor;
      op.a = source(operands[1], ptx::Type::b32);
      op.f = source(operands[2], ptx::Type::u32);
      destinations(ptx::Type::b32);
      break;
    }
    case Kind::elect:
      need(2);
      w.mode = Mode::elect;
      op.f = source(operands[1], ptx::Type::u32);
      destinations(ptx::Type::b32);
      break;
    default:
      need(1);
      w.mode = Mode::sync;
      op.f = source(operands[0], ptx::Type::u32);
      w.has_destination = false;
      break;
  }
  op.extra = static_cast<std::uint32_t>(program_.warp_operations.size());
  program_.warp_operations.push_back(w);
  emit(op);
}

namespace {

void add_window(std::byte* frame, const MicroOp& op, Mask mask) {
  auto* d = reinterpret_cast<std::uint64_t*>(frame + op.d);
  const auto* a = reinterpret_cast<const std::uint64_t*>(frame + op.a);
  const auto* b = reinterpret_cast<const std::uint64_t*>(frame + op.b);
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    if ((mask >> lane) & 1) d[lane] = a[lane] + b[lane];
  }
}

template <bool inside_wanted>
void in_window(std::byte* frame, const MicroOp& op, Mask mask) {
  const auto* a = reinterpret_cast<const std::uint64_t*>(frame + op.a);
  const auto* b = reinterpret_cast<const std::uint64_t*>(frame + op.b);
  Mask result = 0;
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    const auto window = window_of(a[lane]);
    const bool inside =
        inside_wanted ? window == b[lane] : window != shared_window && window != local_window && window != param_window;
    result |= Mask{inside} << lane;
  }
  Mask d;
  std::memcpy(&d, frame + op.d, sizeof d);
  d = (d & ~mask) | (result & mask);
  std::memcpy(frame + op.d, &d, sizeof d);
}

}  // namespace

void FunctionDecoder::decode_address_space() {
  const auto tokens = split(current_->opcode);
  if (current_->operands.size() != 2) fail("'" + current_->opcode + "' takes two operands");
  const auto space = space_of(tokens);
  std::uint64_t window = 0;
  if (space == ptx::Space::shared) window = shared_window;
  if (space == ptx::Space::local) window = local_window;
  if (space == ptx::Space::param) window = param_window;
  MicroOp op = start(Kind::pure);
  if (tokens[0] == "isspacep") {
    if (space == ptx::Space::constant) fail("'isspacep.const' is not simulated");
    op.a = source(current_->operands[1], ptx::Type::u64);
    op.b = constant(Source::bits, Width::wide, window);
    op.d = destination(current_->operands[0], ptx::Type::pred);
    op.execute = window != 0 ? in_window<true> : in_window<false>;
    return emit(op);
  }
  if (tokens.back() != "u64") fail("32-bit generic addresses are not simulated");
  // A parameter of a device function lives in its local memory.
  if (space == ptx::Space::param && !function_.is_entry) window = local_window;
  op.a = source(current_->operands[1], ptx::Type::u64);
  op.b = constant(Source::bits, Width::wide, has(tokens, "to") ? 0 - window : window);
  op.d = destination(current_->operands[0], ptx::Type::u64);
  op.execute = add_window;
  emit(op);
}

}  // namespace cudasim
