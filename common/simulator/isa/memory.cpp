// SPDX-License-Identifier: MIT
// How loads, stores, atomics, reductions and prefetches are written, in the group order of the PTX manual.
// The machine's decoder reads types, spaces and vectors from the opcode. Cache operators, eviction priorities and
// prefetch sizes are performance hints without effect here. A form with a cache-policy operand matches no row.
#include "isa/families.h"

namespace cudasim {
namespace {

#define ANY_TYPE "<.b8|.b16|.b32|.b64|.u8|.u16|.u32|.u64|.s8|.s16|.s32|.s64|.f32|.f64>"
#define SCOPE "<.cta|.cluster|.gpu|.sys>"
#define LOAD_SPACE "[.global|.shared|.shared::cta|.local|.const|.param|.param::entry|.param::func]"
#define STORE_SPACE "[.global|.shared|.shared::cta|.local|.param|.param::func]"
#define ATOMIC_SPACE "[.global|.shared|.shared::cta]"
#define LOAD_CACHE "[.ca|.cg|.cs|.lu|.cv]"
#define STORE_CACHE "[.wb|.cg|.cs|.wt]"
#define L1_PRIORITY "[.L1::evict_normal|.L1::evict_unchanged|.L1::evict_first|.L1::evict_last|.L1::no_allocate]"
#define L2_PRIORITY "[.L2::evict_normal|.L2::evict_first|.L2::evict_last]"
#define PREFETCH_SIZE "[.L2::64B|.L2::128B|.L2::256B]"
#define VECTOR "[.v2|.v4|.v8]"
#define ATOMIC_ORDER "[.relaxed|.acquire|.release|.acq_rel][.cta|.cluster|.gpu|.sys]" ATOMIC_SPACE
#define REDUCTION_ORDER "[.relaxed|.release][.cta|.cluster|.gpu|.sys]" ATOMIC_SPACE

const Row rows[] = {
    {"ld[.weak]" LOAD_SPACE LOAD_CACHE L1_PRIORITY L2_PRIORITY PREFETCH_SIZE VECTOR ANY_TYPE, "d *", Kind::load,
     nullptr, "9.7.9.8"},
    {"ld.volatile" LOAD_SPACE PREFETCH_SIZE VECTOR ANY_TYPE, "d *", Kind::load, nullptr, "9.7.9.8"},
    {"ld<.relaxed|.acquire>" SCOPE LOAD_SPACE L1_PRIORITY L2_PRIORITY PREFETCH_SIZE VECTOR ANY_TYPE, "d *", Kind::load,
     nullptr, "9.7.9.8"},
    {"ld.mmio.relaxed.sys[.global]" ANY_TYPE, "d *", Kind::load, nullptr, "9.7.9.8"},
    {"ld[.weak].global" LOAD_CACHE ".nc" L1_PRIORITY L2_PRIORITY PREFETCH_SIZE VECTOR ANY_TYPE, "d *", Kind::load,
     nullptr, "9.7.9.9"},
    {"ldu[.global]" VECTOR ANY_TYPE, "d *", Kind::load, nullptr, "9.7.9.10"},
    {"st[.weak]" STORE_SPACE STORE_CACHE L1_PRIORITY L2_PRIORITY VECTOR ANY_TYPE, "*", Kind::store, nullptr,
     "9.7.9.11"},
    {"st.volatile" STORE_SPACE VECTOR ANY_TYPE, "*", Kind::store, nullptr, "9.7.9.11"},
    {"st<.relaxed|.release>" SCOPE STORE_SPACE L1_PRIORITY L2_PRIORITY VECTOR ANY_TYPE, "*", Kind::store, nullptr,
     "9.7.9.11"},
    {"st.mmio.relaxed.sys[.global]" ANY_TYPE, "*", Kind::store, nullptr, "9.7.9.11"},

    {"atom" ATOMIC_ORDER "<.and|.or|.xor><.b32|.b64>", "d *", Kind::atomic, nullptr, "9.7.13.5"},
    {"atom" ATOMIC_ORDER ".exch<.b32|.b64>", "d *", Kind::atomic, nullptr, "9.7.13.5"},
    {"atom" ATOMIC_ORDER ".cas<.b16|.b32|.b64>", "d *", Kind::atomic, nullptr, "9.7.13.5"},
    {"atom" ATOMIC_ORDER ".add<.u32|.s32|.u64|.s64|.f32|.f64>", "d *", Kind::atomic, nullptr, "9.7.13.5"},
    {"atom" ATOMIC_ORDER ".add.noftz<.f16|.f16x2|.bf16|.bf16x2>", "d *", Kind::atomic, nullptr, "9.7.13.5"},
    {"atom" ATOMIC_ORDER "<.inc|.dec>.u32", "d *", Kind::atomic, nullptr, "9.7.13.5"},
    {"atom" ATOMIC_ORDER "<.min|.max><.u32|.s32|.u64|.s64>", "d *", Kind::atomic, nullptr, "9.7.13.5"},

    {"red" REDUCTION_ORDER "<.and|.or|.xor><.b32|.b64>", "*", Kind::reduction, nullptr, "9.7.13.6"},
    {"red" REDUCTION_ORDER ".add<.u32|.s32|.u64|.s64|.f32|.f64>", "*", Kind::reduction, nullptr, "9.7.13.6"},
    {"red" REDUCTION_ORDER ".add.noftz<.f16|.f16x2|.bf16|.bf16x2>", "*", Kind::reduction, nullptr, "9.7.13.6"},
    {"red" REDUCTION_ORDER "<.inc|.dec>.u32", "*", Kind::reduction, nullptr, "9.7.13.6"},
    {"red" REDUCTION_ORDER "<.min|.max><.u32|.s32|.u64|.s64>", "*", Kind::reduction, nullptr, "9.7.13.6"},

    // A copy is done at once, so there is nothing to wait for, and no group to keep.
    {"cp.async<.ca|.cg><.shared|.shared::cta>.global" PREFETCH_SIZE, "*", Kind::async_copy, nullptr, "9.7.9.25.3.1"},
    {"cp.async.commit_group", "*", Kind::nop, nullptr, "9.7.9.25.3.2"},
    {"cp.async.wait_group", "*", Kind::nop, nullptr, "9.7.9.25.3.3"},
    {"cp.async.wait_all", "*", Kind::nop, nullptr, "9.7.9.25.3.3"},

    {"prefetch[.global|.local]<.L1|.L2>", "*", Kind::nop, nullptr, "9.7.9.15"},
    {"prefetch.global<.L2::evict_last|.L2::evict_normal>", "*", Kind::nop, nullptr, "9.7.9.15"},
    {"prefetchu.L1", "*", Kind::nop, nullptr, "9.7.9.15"},
    {"applypriority[.global].L2::evict_normal", "*", Kind::nop, nullptr, "9.7.9.16"},
    {"discard[.global].L2", "*", Kind::nop, nullptr, "9.7.9.17"},
    {"isspacep<.const|.global|.local|.shared|.shared::cta|.param|.param::entry>", "d *", Kind::address_space, nullptr,
     "9.7.9.19"},
    {"cvta<.const|.global|.local|.shared|.shared::cta|.param|.param::entry><.u32|.u64>", "d *", Kind::address_space,
     nullptr, "9.7.9.20"},
    {"cvta.to<.const|.global|.local|.shared|.shared::cta|.param|.param::entry><.u32|.u64>", "d *", Kind::address_space,
     nullptr, "9.7.9.20"},
};

}  // namespace

RowSpan memory_rows() { return span_of(rows); }

}  // namespace cudasim
