// SPDX-License-Identifier: MIT
// Which part of the decoder an instruction goes to, and the instructions that touch memory: loads, stores, atomics and
// conversions of addresses.
#include <algorithm>
#include <cstring>

#include "module/decoder.h"
#include "module/opcode_tokens.h"

namespace cudasim {
namespace {

using Width = FrameConstant::Width;
using Source = FrameConstant::Source;
using Kinds = ptx::Operand::Kind;

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

/// The name under which people know what an instruction belongs to, for those families that are left out as a whole.
std::string feature_of(std::string_view opcode) {
  static constexpr std::pair<std::string_view, const char*> features[] = {
      {"wmma.", "tensor cores"},
      {"mma.", "tensor cores"},
      {"wgmma.", "tensor cores"},
      {"tcgen05.", "tensor cores"},
      {"ldmatrix.", "tensor cores"},
      {"stmatrix.", "tensor cores"},
      {"movmatrix.", "tensor cores"},
      {"tex.", "textures"},
      {"tld4.", "textures"},
      {"txq.", "textures"},
      {"suld.", "surfaces"},
      {"sust.", "surfaces"},
      {"sured.", "surfaces"},
      {"suq.", "surfaces"},
      {"cp.async.bulk", "bulk copies (TMA)"},
      {"cp.reduce.async.bulk", "bulk copies (TMA)"},
      {"tensormap.", "bulk copies (TMA)"},
      {"mbarrier.expect_tx", "bulk copies (TMA)"},
      {"mbarrier.complete_tx", "bulk copies (TMA)"},
      {"mbarrier.arrive.expect_tx", "bulk copies (TMA)"},
      {"barrier.cluster.", "thread block clusters"},
      {"mapa.", "thread block clusters"},
      {"getctarank.", "thread block clusters"},
      {"multimem.", "multicast addresses"},
      {"createpolicy.", "cache policies"},
  };
  for (const auto& [prefix, feature] : features) {
    if (opcode.substr(0, prefix.size()) == prefix) return feature;
  }
  return "";
}

bool is_signed(ptx::Type type) {
  return type == ptx::Type::s8 || type == ptx::Type::s16 || type == ptx::Type::s32 || type == ptx::Type::s64;
}

}  // namespace

void FunctionDecoder::decode_instruction(const ptx::Instruction& instruction) {
  const Found found = find_row(instruction, best_level());
  row_ = found.row;
  if (found.row == nullptr) {
    const std::string feature = feature_of(instruction.opcode);
    fail("the instruction '" + instruction.opcode + "'" +
         (feature.empty() ? " is not simulated" + nearest_patterns(instruction.opcode)
                          : ": " + feature + " are not simulated"));
  }
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
    case Kind::async_copy:
      return decode_async_copy();
    case Kind::mbarrier:
      return decode_mbarrier();
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
    case Kind::fence: {
      MicroOp op = start(Kind::fence);
      const auto tokens = split(instruction.opcode);
      if (!has(tokens, "cta") && !has(tokens, "proxy")) op.extra = fence_of_grid;
      return emit(op);
    }
    case Kind::exit:
    case Kind::trap:
    case Kind::breakpoint:
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
  access.is_parameter = in_function_param;
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
  access.of_block = has(tokens, "cta");
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
  atomic.address.of_block = has(tokens, "cta");
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
  // nvcc writes `atom` even where the source ignores the old value; ptxas makes `red` of it, and so must the counters.
  atomic.returns = returns && current_->operands[0].kind != Kinds::sink && !result_unused_;
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
  const bool commutes = !is_float && has_reduction(atomic.operation);
  if (atomic.address.space != ptx::Space::shared && (atomic.returns || !commutes)) program_.order_sensitive = true;
  op.extra = static_cast<std::uint32_t>(program_.atomics.size());
  program_.atomics.push_back(atomic);
  emit(op);
}

namespace {

void add_window(std::byte* frame, const MicroOp& op, Mask mask) {
  auto* d = reinterpret_cast<std::uint64_t*>(frame + op.d);
  const auto* a = reinterpret_cast<const std::uint64_t*>(frame + op.a);
  const auto* b = reinterpret_cast<const std::uint64_t*>(frame + op.b);
  if (mask == ~0u) {
    for (unsigned lane = 0; lane < warp_size; ++lane) d[lane] = a[lane] + b[lane];
    return;
  }
  for (Mask m = mask; m != 0; m &= m - 1) d[__builtin_ctz(m)] = a[__builtin_ctz(m)] + b[__builtin_ctz(m)];
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
