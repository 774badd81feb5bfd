// SPDX-License-Identifier: MIT
// Loads, stores, prefetches and conversions of addresses, in the group order of the PTX manual. Cache operators,
// eviction priorities and prefetch sizes are performance hints without effect here. A form with a cache-policy operand
// matches no row.
#include <cstring>

#include "decode/families/memory_parts.h"

namespace cudasim {
namespace {

using Width = FrameConstant::Width;
using Source = FrameConstant::Source;
using Kinds = ptx::Operand::Kind;

bool is_signed(ptx::Type type) {
  return type == ptx::Type::s8 || type == ptx::Type::s16 || type == ptx::Type::s32 || type == ptx::Type::s64;
}

void decode_load_or_store(FunctionDecoder& decoder, const Found& found) {
  MemoryAccess access;
  access.is_store = found.name() == "st";
  access.space = space_of(found);
  access.ordering = ordering_of(found);
  access.of_block = found.has("cta");
  access.of_system = found.has("sys");
  access.read_only = found.has("nc");
  const auto type = found.type();
  access.bytes = static_cast<std::uint8_t>(size_of(type));
  if (access.bytes == 0 || access.bytes > 8) decoder.fail_here("is not simulated (type)");
  access.sign_extend = is_signed(type);
  access.count = found.has("v2") ? 2 : found.has("v4") ? 4 : found.has("v8") ? 8 : 1;
  if (access.bytes * access.count > 32) decoder.fail_here("is not simulated (wider than 32 bytes)");
  decoder.need_operands(2);
  const auto& address = decoder.operand(access.is_store ? 0 : 1);
  const auto& data = decoder.operand(access.is_store ? 1 : 0);
  decoder.decode_address(address, access);
  if (access.ordering != Ordering::weak && access.space != ptx::Space::shared && access.space != ptx::Space::local)
    decoder.program().order_sensitive = true;
  if (access.is_store && access.space == ptx::Space::param) decoder.fail("a kernel's parameters cannot be written");
  const bool vector = data.kind == Kinds::vector;
  if ((vector ? data.elements.size() : 1) != access.count)
    decoder.fail_here("needs " + std::to_string(access.count) + " registers");
  for (unsigned i = 0; i < access.count; ++i) {
    const auto& element = vector ? data.elements[i] : data;
    auto& d = access.data[i];
    if (element.kind == Kinds::sink) {
      d.sink = true;
      continue;
    }
    d.wide = decoder.is_wide(element, type);
    const auto slot_type = d.wide ? ptx::Type::u64 : ptx::Type::u32;
    if (!d.wide && access.bytes == 8)
      decoder.fail("a register of '" + decoder.instruction().opcode + "' is too narrow");
    d.slot = access.is_store ? decoder.source(element, slot_type) : decoder.destination(element, slot_type);
  }
  decoder.emit(decoder.start(access.is_store ? MicroOpcode::store : MicroOpcode::load), decoder.program().accesses,
               access);
}

void add_window(std::byte* frame, const MicroOp& op, Mask mask) {
  auto* d = reinterpret_cast<std::uint64_t*>(frame + op.d);
  const auto* a = reinterpret_cast<const std::uint64_t*>(frame + op.a);
  const auto* b = reinterpret_cast<const std::uint64_t*>(frame + op.b);
  if (mask == ~0u) {
    for (unsigned lane = 0; lane < kWarpSize; ++lane) d[lane] = a[lane] + b[lane];
    return;
  }
  for (Mask m = mask; m != 0; m &= m - 1) d[__builtin_ctz(m)] = a[__builtin_ctz(m)] + b[__builtin_ctz(m)];
}

template <bool inside_wanted>
void in_window(std::byte* frame, const MicroOp& op, Mask mask) {
  const auto* a = reinterpret_cast<const std::uint64_t*>(frame + op.a);
  const auto* b = reinterpret_cast<const std::uint64_t*>(frame + op.b);
  Mask result = 0;
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    const auto window = window_of(a[lane]);
    const bool inside =
        inside_wanted ? window == b[lane] : window != kSharedWindow && window != kLocalWindow && window != kParamWindow;
    result |= Mask{inside} << lane;
  }
  Mask d;
  std::memcpy(&d, frame + op.d, sizeof d);
  d = (d & ~mask) | (result & mask);
  std::memcpy(frame + op.d, &d, sizeof d);
}

void decode_address_space(FunctionDecoder& decoder, const Found& found) {
  decoder.need_operands(2);
  const auto space = space_of(found);
  std::uint64_t window = 0;
  if (space == ptx::Space::shared) window = kSharedWindow;
  if (space == ptx::Space::local) window = kLocalWindow;
  if (space == ptx::Space::param) window = kParamWindow;
  MicroOp op = decoder.start(MicroOpcode::pure);
  if (found.name() == "isspacep") {
    if (space == ptx::Space::constant) decoder.fail("'isspacep.const' is not simulated");
    op.a = decoder.source(decoder.operand(1), ptx::Type::u64);
    op.b = decoder.constant(Source::bits, Width::wide, window);
    op.d = decoder.destination(decoder.operand(0), ptx::Type::pred);
    op.execute = window != 0 ? in_window<true> : in_window<false>;
    return decoder.emit(op);
  }
  if (!found.has("u64")) decoder.fail("32-bit generic addresses are not simulated");
  // A parameter of a device function lives in its local memory.
  if (space == ptx::Space::param && !decoder.function().is_entry) window = kLocalWindow;
  op.a = decoder.source(decoder.operand(1), ptx::Type::u64);
  op.b = decoder.constant(Source::bits, Width::wide, found.has("to") ? 0 - window : window);
  op.d = decoder.destination(decoder.operand(0), ptx::Type::u64);
  op.execute = add_window;
  decoder.emit(op);
}

#define SCOPE "<.cta|.cluster|.gpu|.sys>"
#define LOAD_SPACE "[.global|.shared|.shared::cta|.local|.const|.param|.param::entry|.param::func]"
#define STORE_SPACE "[.global|.shared|.shared::cta|.local|.param|.param::func]"
#define LOAD_CACHE "[.ca|.cg|.cs|.lu|.cv]"
#define STORE_CACHE "[.wb|.cg|.cs|.wt]"
#define L1_PRIORITY "[.L1::evict_normal|.L1::evict_unchanged|.L1::evict_first|.L1::evict_last|.L1::no_allocate]"
#define L2_PRIORITY "[.L2::evict_normal|.L2::evict_first|.L2::evict_last]"
#define VECTOR "[.v2|.v4|.v8]"

}  // namespace

InstructionDefinitions memory_rows() {
  static const InstructionDefinition rows[] = {
      {"ld[.weak]" LOAD_SPACE LOAD_CACHE L1_PRIORITY L2_PRIORITY PREFETCH_SIZE VECTOR ANY_TYPE, "d *", nullptr,
       "9.7.9.8", decode_load_or_store},
      {"ld.volatile" LOAD_SPACE PREFETCH_SIZE VECTOR ANY_TYPE, "d *", nullptr, "9.7.9.8", decode_load_or_store},
      {"ld<.relaxed|.acquire>" SCOPE LOAD_SPACE L1_PRIORITY L2_PRIORITY PREFETCH_SIZE VECTOR ANY_TYPE, "d *", nullptr,
       "9.7.9.8", decode_load_or_store},
      {"ld.mmio.relaxed.sys[.global]" ANY_TYPE, "d *", nullptr, "9.7.9.8", decode_load_or_store},
      {"ld[.weak].global" LOAD_CACHE ".nc" L1_PRIORITY L2_PRIORITY PREFETCH_SIZE VECTOR ANY_TYPE, "d *", nullptr,
       "9.7.9.9", decode_load_or_store},
      {"ldu[.global]" VECTOR ANY_TYPE, "d *", nullptr, "9.7.9.10", decode_load_or_store},
      {"st[.weak]" STORE_SPACE STORE_CACHE L1_PRIORITY L2_PRIORITY VECTOR ANY_TYPE, "*", nullptr, "9.7.9.11",
       decode_load_or_store},
      {"st.volatile" STORE_SPACE VECTOR ANY_TYPE, "*", nullptr, "9.7.9.11", decode_load_or_store},
      {"st<.relaxed|.release>" SCOPE STORE_SPACE L1_PRIORITY L2_PRIORITY VECTOR ANY_TYPE, "*", nullptr, "9.7.9.11",
       decode_load_or_store},
      {"st.mmio.relaxed.sys[.global]" ANY_TYPE, "*", nullptr, "9.7.9.11", decode_load_or_store},
      {"prefetch[.global|.local]<.L1|.L2>", "*", nullptr, "9.7.9.15", decode_as<MicroOpcode::nop>},
      {"prefetch.global<.L2::evict_last|.L2::evict_normal>", "*", nullptr, "9.7.9.15", decode_as<MicroOpcode::nop>},
      {"prefetchu.L1", "*", nullptr, "9.7.9.15", decode_as<MicroOpcode::nop>},
      {"applypriority[.global].L2::evict_normal", "*", nullptr, "9.7.9.16", decode_as<MicroOpcode::nop>},
      {"discard[.global].L2", "*", nullptr, "9.7.9.17", decode_as<MicroOpcode::nop>},
      {"isspacep<.const|.global|.local|.shared|.shared::cta|.param|.param::entry>", "d *", nullptr, "9.7.9.19",
       decode_address_space},
      {"cvta<.const|.global|.local|.shared|.shared::cta|.param|.param::entry><.u32|.u64>", "d *", nullptr, "9.7.9.20",
       decode_address_space},
      {"cvta.to<.const|.global|.local|.shared|.shared::cta|.param|.param::entry><.u32|.u64>", "d *", nullptr,
       "9.7.9.20", decode_address_space},
  };
  return span_of(rows);
}

}  // namespace cudasim
