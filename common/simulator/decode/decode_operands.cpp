// SPDX-License-Identifier: MIT
// Operands: registers, immediates, special registers and addresses become slots of the frame.
#include <cstring>
#include <stdexcept>

#include "decode/decoder.h"
#include "isa/instruction.h"

namespace cudasim {
namespace {

using Width = FrameConstant::Width;
using Source = FrameConstant::Source;

// A register may be wider than the instruction's type (PTX ISA, "Operand Size Exceeding Instruction-Type Size"). The
// value is cut on the way in, and extended on the way out.
void narrow(std::byte* frame, const MicroOp& op, Mask mask) {
  auto* d = reinterpret_cast<std::uint32_t*>(frame + op.d);
  const auto* a = reinterpret_cast<const std::uint64_t*>(frame + op.a);
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    if ((mask >> lane) & 1) d[lane] = static_cast<std::uint32_t>(a[lane]);
  }
}
void widen_unsigned(std::byte* frame, const MicroOp& op, Mask mask) {
  auto* d = reinterpret_cast<std::uint64_t*>(frame + op.d);
  const auto* a = reinterpret_cast<const std::uint32_t*>(frame + op.a);
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    if ((mask >> lane) & 1) d[lane] = a[lane];
  }
}
void widen_signed(std::byte* frame, const MicroOp& op, Mask mask) {
  auto* d = reinterpret_cast<std::int64_t*>(frame + op.d);
  const auto* a = reinterpret_cast<const std::int32_t*>(frame + op.a);
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    if ((mask >> lane) & 1) d[lane] = a[lane];
  }
}

void not_predicate(std::byte* frame, const MicroOp& op, Mask mask) {
  Mask d, a;
  std::memcpy(&d, frame + op.d, sizeof d);
  std::memcpy(&a, frame + op.a, sizeof a);
  d = (d & ~mask) | (~a & mask);
  std::memcpy(frame + op.d, &d, sizeof d);
}

struct SpecialRegister {
  const char* name;
  Source source;
};
constexpr SpecialRegister kSpecialRegisters[] = {
    {"%tid.x", Source::tid_x},
    {"%tid.y", Source::tid_y},
    {"%tid.z", Source::tid_z},
    {"%ntid.x", Source::ntid_x},
    {"%ntid.y", Source::ntid_y},
    {"%ntid.z", Source::ntid_z},
    {"%ctaid.x", Source::ctaid_x},
    {"%ctaid.y", Source::ctaid_y},
    {"%ctaid.z", Source::ctaid_z},
    {"%nctaid.x", Source::nctaid_x},
    {"%nctaid.y", Source::nctaid_y},
    {"%nctaid.z", Source::nctaid_z},
    {"%laneid", Source::laneid},
    {"%warpid", Source::warpid},
    {"%nwarpid", Source::nwarpid},
    {"%smid", Source::smid},
    {"%nsmid", Source::nsmid},
    {"%gridid", Source::gridid},
    {"%lanemask_eq", Source::lanemask_eq},
    {"%lanemask_le", Source::lanemask_le},
    {"%lanemask_lt", Source::lanemask_lt},
    {"%lanemask_ge", Source::lanemask_ge},
    {"%lanemask_gt", Source::lanemask_gt},
    {"%dynamic_smem_size", Source::dynamic_smem_size},
    {"%total_smem_size", Source::total_smem_size},
    {"%envreg1", Source::envreg1},
    {"%envreg2", Source::envreg2},
    // A launch without clusters is a grid of clusters of one block (PTX ISA, section 10).
    {"%cluster_ctaid.x", Source::zero},
    {"%cluster_ctaid.y", Source::zero},
    {"%cluster_ctaid.z", Source::zero},
    {"%cluster_ctarank", Source::zero},
    {"%clusterid.x", Source::ctaid_x},
    {"%clusterid.y", Source::ctaid_y},
    {"%clusterid.z", Source::ctaid_z},
    {"%nclusterid.x", Source::nctaid_x},
    {"%nclusterid.y", Source::nctaid_y},
    {"%nclusterid.z", Source::nctaid_z},
    {"%is_explicit_cluster", Source::zero},
    {"%reserved_smem_offset_begin", Source::zero},
};
constexpr const char* kClocks[] = {"%clock",       "%clock_hi",       "%clock64",
                                   "%globaltimer", "%globaltimer_lo", "%globaltimer_hi"};

}  // namespace

std::uint32_t FunctionDecoder::constant(Source source, Width width, std::uint64_t bits) {
  const auto key = std::make_tuple(static_cast<int>(source), static_cast<int>(width), bits);
  const auto it = constants_.find(key);
  if (it != constants_.end()) {
    known_.is_read(it->second);
    return it->second;
  }
  const auto slot = new_slot(width);
  FrameConstant c;
  c.source = source;
  c.slot = slot;
  c.width = width;
  c.bits = bits;
  decoded().constants.push_back(c);
  known_.begins_with(c);
  known_.is_read(slot);
  constants_[key] = slot;
  return slot;
}

MicroOp FunctionDecoder::start_uncounted(MicroOpcode kind) const {
  MicroOp op = start(kind);
  op.counter = 0;
  return op;
}

MicroOp FunctionDecoder::start(MicroOpcode kind) const {
  MicroOp op;
  op.kind = kind;
  op.counter = counter_;
  if (current_ != nullptr && counter_ != 0 && current_->guard >= 0) {
    op.guard = register_slots_[static_cast<std::size_t>(current_->guard)];
    op.guard_mode = current_->guard_negated ? MicroOp::Guard::if_false : MicroOp::Guard::if_true;
  }
  return op;
}

void FunctionDecoder::emit_after() {
  for (const auto& op : after_) emit(op);
  after_.clear();
}

bool FunctionDecoder::is_wide(const ptx::Operand& operand, ptx::Type fallback) const {
  if (operand.kind == ptx::Operand::Kind::reg)
    return size_of(function_.registers[static_cast<std::size_t>(operand.reg)].type) == 8;
  return size_of(fallback) == 8;
}

std::uint32_t FunctionDecoder::source(const ptx::Operand& operand, ptx::Type type) {
  using K = ptx::Operand::Kind;
  const Width width = slot_width(type);
  switch (operand.kind) {
    case K::reg: {
      const auto& reg = function_.registers[static_cast<std::size_t>(operand.reg)];
      const auto slot = register_slots_[static_cast<std::size_t>(operand.reg)];
      if ((reg.type == ptx::Type::pred) != (width == Width::predicate))
        fail("'" + reg.name + "' has the wrong type for '" + current_->opcode + "'");
      if (operand.negated) {
        if (width != Width::predicate) fail("only a predicate can be negated");
        MicroOp op;
        op.kind = MicroOpcode::not_predicate;
        op.execute = not_predicate;
        op.a = slot;
        op.d = new_slot(Width::predicate);
        emit(op);
        return op.d;
      }
      if (width == Width::predicate) return slot;
      const bool wide_register = size_of(reg.type) == 8;
      if (wide_register == (width == Width::wide)) return slot;
      if (!wide_register) fail("'" + reg.name + "' is too narrow for '" + current_->opcode + "'");
      MicroOp op;
      op.kind = MicroOpcode::not_predicate;  // an uncounted register operation
      op.execute = narrow;
      op.a = slot;
      op.d = new_slot(Width::narrow);
      emit(op);
      return op.d;
    }
    case K::integer:
      if (width == Width::predicate) return constant(Source::bits, width, operand.bits != 0 ? ~0ull : 0);
      return constant(Source::bits, width,
                      size_of(type) == 2       ? operand.bits & 0xffff
                      : width == Width::narrow ? operand.bits & 0xffffffff
                                               : operand.bits);
    case K::f32_bits:
      if (type == ptx::Type::f64) {
        float f;
        const auto bits = static_cast<std::uint32_t>(operand.bits);
        std::memcpy(&f, &bits, sizeof f);
        const double d = f;
        std::uint64_t wide;
        std::memcpy(&wide, &d, sizeof wide);
        return constant(Source::bits, width, wide);
      }
      return constant(Source::bits, width, operand.bits);
    case K::f64_bits:
      if (type == ptx::Type::f32) {
        double d;
        std::memcpy(&d, &operand.bits, sizeof d);
        const float f = static_cast<float>(d);
        std::uint32_t bits;
        std::memcpy(&bits, &f, sizeof bits);
        return constant(Source::bits, width, bits);
      }
      return constant(Source::bits, width, operand.bits);
    case K::special:
      return special(operand, type);
    case K::name: {
      Source kind;
      std::uint64_t bits;
      if (!address_of(operand, kind, bits)) fail("'" + operand.name + "' is not declared");
      return constant(kind, width, bits);
    }
    case K::sink:
      return 0;
    case K::address:
    case K::vector:
    case K::pair:
    case K::list:
      break;
  }
  fail("an operand of '" + current_->opcode + "' has a form that is not simulated");
}

std::uint32_t FunctionDecoder::special(const ptx::Operand& operand, ptx::Type type) {
  for (const auto& s : kSpecialRegisters) {
    if (operand.name == s.name) return constant(s.source, slot_width(type));
  }
  if (const auto* reserved = find_shared(operand.name))
    return constant(Source::bits, slot_width(type), reserved->offset);
  for (std::uint32_t c = 0; c < sizeof kClocks / sizeof *kClocks; ++c) {
    if (operand.name != kClocks[c]) continue;
    MicroOp op;
    op.kind = MicroOpcode::clock;
    op.d = new_slot(Width::wide);
    op.extra = c;
    op.f = slot_width(type) == Width::wide;
    emit(op);
    return op.d;
  }
  fail("the special register '" + operand.name + "' is not simulated");
}

std::uint32_t FunctionDecoder::destination(const ptx::Operand& operand, ptx::Type type) {
  // The rows tell which registers live how long.
  if (!writes_first_operand(*row_))
    throw std::logic_error(std::string(row_->pattern) + ": its row names no destination");
  if (operand.kind == ptx::Operand::Kind::sink) return 0;
  if (operand.kind != ptx::Operand::Kind::reg) fail("the destination of '" + current_->opcode + "' is not a register");
  const auto& reg = function_.registers[static_cast<std::size_t>(operand.reg)];
  const auto slot = register_slots_[static_cast<std::size_t>(operand.reg)];
  const Width width = slot_width(type);
  if ((reg.type == ptx::Type::pred) != (width == Width::predicate))
    fail("'" + reg.name + "' has the wrong type for '" + current_->opcode + "'");
  if (width == Width::predicate) return slot;
  const bool wide_register = size_of(reg.type) == 8;
  if (wide_register == (width == Width::wide)) return slot;
  if (!wide_register) fail("'" + reg.name + "' is too narrow for '" + current_->opcode + "'");
  MicroOp op = start_uncounted(MicroOpcode::not_predicate);
  const bool is_signed = type == ptx::Type::s8 || type == ptx::Type::s16 || type == ptx::Type::s32;
  op.execute = is_signed ? widen_signed : widen_unsigned;
  op.a = new_slot(Width::narrow);
  op.d = slot;
  after_.push_back(op);
  return op.a;
}

const SharedVariable* FunctionDecoder::find_shared(const std::string& name) const {
  for (const auto& v : program_.shared) {
    if (v.name == name) return &v;
  }
  return nullptr;
}

bool FunctionDecoder::address_of(const ptx::Operand& operand, Source& source, std::uint64_t& bits) const {
  source = Source::bits;
  bits = static_cast<std::uint64_t>(operand.offset);
  const auto local = local_offsets_.find(operand.name);
  if (local != local_offsets_.end()) {
    source = Source::frame_address;
    bits += local->second;
    return true;
  }
  if (const auto* shared = find_shared(operand.name)) {
    bits += shared->offset;
    return true;
  }
  if (function_.is_entry) {
    for (std::size_t p = 0; p < function_.parameters.size(); ++p) {
      if (function_.parameters[p].name == operand.name) {
        bits += program_.info.parameters[p].offset_bytes;
        return true;
      }
    }
  }
  const auto variable = variables_.find(operand.name);
  if (variable != variables_.end()) {
    bits += variable->second;
    return true;
  }
  for (std::size_t f = 0; f < text_.functions.size(); ++f) {
    if (text_.functions[f].name == operand.name && !text_.functions[f].is_declaration) {
      bits += kFunctionWindow + 16 * (f + 1);
      return true;
    }
  }
  return false;
}

namespace {

ptx::Type twice_as_wide(ptx::Type type) {
  switch (type) {
    case ptx::Type::u8:
      return ptx::Type::u16;
    case ptx::Type::s8:
      return ptx::Type::s16;
    case ptx::Type::u16:
      return ptx::Type::u32;
    case ptx::Type::s16:
      return ptx::Type::s32;
    case ptx::Type::u32:
      return ptx::Type::u64;
    case ptx::Type::s32:
      return ptx::Type::s64;
    default:
      return ptx::Type::none;
  }
}

ptx::Type type_of(const Found& found, std::string_view type) {
  if (type.size() == 2 && (type[0] == 'G' || type[0] == 'W') && type[1] >= '0' && type[1] <= '9') {
    auto text = token(*found.row, found.match, static_cast<unsigned>(type[1] - '0'));
    if (!text.empty() && text.front() == '.') text.remove_prefix(1);
    const auto t = ptx::type_from_text(text);
    return type[0] == 'W' ? twice_as_wide(t) : t;
  }
  return ptx::type_from_text(type);
}

std::uint32_t& slot_of(MicroOp& op, char name) {
  switch (name) {
    case 'd':
      return op.d;
    case 'e':
      return op.e;
    case 'a':
      return op.a;
    case 'b':
      return op.b;
    case 'c':
      return op.c;
    default:
      return op.f;
  }
}

}  // namespace

void FunctionDecoder::decode_pure(const Found& found) {
  MicroOp op = start(MicroOpcode::pure);
  op.execute = found.row->select(found.match);
  if (op.execute == nullptr) fail_here("is not simulated");
  std::size_t next = 0;
  for (const RowOperand& o : *found.operands) {
    if (o.shape == RowOperand::Shape::carry) {
      if (carry_slot_ == 0)
        carry_slot_ =
            constant(Source::bits, Width::predicate, 0x1'0000'0000ull);  // bits beyond the mask: a slot of its own
      op.e = carry_slot_;
      continue;
    }
    const auto type = type_of(found, o.type);
    if (type == ptx::Type::none) fail_here("is not simulated (operand type)");
    if (next >= operand_count()) {  // an optional operand
      for (unsigned i = 0; i < o.count; ++i)
        slot_of(op, o.slots[i]) =
            o.written ? 0 : constant(Source::bits, slot_width(type), type == ptx::Type::pred ? ~0ull : 0);
      continue;
    }
    const auto& given = operand(next++);
    for (unsigned i = 0; i < o.count; ++i) {
      const auto& element = given.elements.empty() ? given : given.elements[i];
      slot_of(op, o.slots[i]) = o.written ? destination(element, type) : source(element, type);
    }
  }
  emit(op);
}

void FunctionDecoder::decode_address(const ptx::Operand& operand, MemoryAccess& access) {
  if (operand.kind != ptx::Operand::Kind::address || operand.elements.size() != 1)
    fail("'" + current_->opcode + "' needs an address in brackets");
  const auto& base = operand.elements[0];
  access.displacement = operand.offset;
  const bool in_function_param = access.space == ptx::Space::param;
  access.is_parameter = in_function_param;
  switch (base.kind) {
    case ptx::Operand::Kind::reg: {
      const auto& reg = function_.registers[static_cast<std::size_t>(base.reg)];
      if (reg.type == ptx::Type::pred || size_of(reg.type) < 4) fail("'" + reg.name + "' cannot hold an address");
      access.base_kind = size_of(reg.type) == 8 ? MemoryAccess::Base::reg64 : MemoryAccess::Base::reg32;
      access.base = register_slots_[static_cast<std::size_t>(base.reg)];
      if (in_function_param && !function_.is_entry) access.space = ptx::Space::local;
      return;
    }
    case ptx::Operand::Kind::integer:
      access.base_kind = MemoryAccess::Base::none;
      access.displacement += static_cast<std::int64_t>(base.bits);
      return;
    case ptx::Operand::Kind::name: {
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

}  // namespace cudasim
