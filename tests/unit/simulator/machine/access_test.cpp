// SPDX-License-Identifier: MIT
// Loads and stores of any shape against a model written from the definition. In it each lane is on its own, and sectors
// and banks are counted with sets. The machine has several ways for them: neighbouring elements at once, one test of
// the bounds for all lanes, or lane by lane. It keeps counts for patterns that repeat. Random addresses and masks go
// through all of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "checkers/init/initialised.h"
#include "checkers/registry/checks.h"
#include "decode/module.h"
#include "machine/run.h"
#include "memory/defined_bytes.h"
#include "memory/memory.h"
#include "program/launch.h"
#include "program/program.h"
#include "ptx/parser.h"
#include "timing/launch_timing.h"
#include "vector/lane_kernels.h"

namespace cudasim {
namespace {

constexpr unsigned patterns = 400, most_elements = 4, shared_bytes = 4096, global_bytes = 1 << 16;
constexpr std::uint64_t untouched = 0x5a5a5a5a;

struct Shape {
  const char* type;
  unsigned bytes, count;
  bool is_signed = false;
};
const Shape shapes[] = {{"u32", 4, 1},      {"f32", 4, 1},       {"u64", 8, 1},      {"u8", 1, 1}, {"u16", 2, 1},
                        {"u32", 4, 2},      {"u32", 4, 4},       {"u64", 8, 2},      {"u8", 1, 4}, {"u16", 2, 2},
                        {"s8", 1, 1, true}, {"s16", 2, 1, true}, {"s16", 2, 2, true}};

enum class Where { global, shared, generic };

/// Addresses and mask of one warp.
struct Pattern {
  std::uint64_t address[kWarpSize];
  Mask mask;
};

Mask random_mask(std::mt19937_64& random) {
  switch (random() % 5) {
    case 0:
      return static_cast<Mask>(random());
    case 1:
      return 1u << (random() % 32);
    case 2:
      return static_cast<Mask>((1ull << (random() % 33)) - 1);
    case 3:
      return 0xaaaaaaaa;
    default:
      return ~0u;
  }
}

/// Places of 32 elements of `bytes` among `elements`. They are neighbours, half of them whole lines, reversed, the
/// same, at a stride, mixed, neighbours but for two, anywhere.
void random_places(std::mt19937_64& random, std::uint64_t elements, std::uint64_t (&place)[kWarpSize]) {
  const std::uint64_t kind = random() % 7, stride = 1 + random() % 40;
  const std::uint64_t base = random() % elements & (random() % 2 == 0 ? ~std::uint64_t{31} : ~std::uint64_t{0});
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    const std::uint64_t i = kind == 0   ? lane
                            : kind == 1 ? 31 - lane
                            : kind == 2 ? 0
                            : kind == 3 ? lane * stride
                            : kind == 4 ? random() % 48
                            : kind == 5 ? (lane == 5   ? 9
                                           : lane == 9 ? 5
                                                       : lane)
                                        : random();
    place[lane] = (base + i) % elements;
  }
}

/// What the kernel under test is to do, and the memory that it does it to.
struct Experiment {
  Shape shape;
  Where where;
  bool is_store;
  std::vector<Pattern> warps;
  std::vector<std::byte> global, shared;  // before; shared: of each block
};

struct Observed {
  std::vector<std::byte> global, shared;  // after; shared: block after block
  std::vector<std::uint64_t> loaded;      // [warp][lane][element]
  Counters counters;                      // of the instruction under test
  GlobalAccesses::Totals lines;           // as an estimate of the time needs them: of the same
};

using Totals = GlobalAccesses::Totals;
constexpr std::uint64_t Totals::*kTotals[] = {&Totals::load_lines,      &Totals::store_lines,  &Totals::whole_sectors,
                                              &Totals::partial_sectors, &Totals::random_loads, &Totals::load_footprint,
                                              &Totals::store_footprint};

std::uint64_t stored_value(std::uint64_t thread, unsigned element) {
  return (thread * most_elements + element + 1) * 0x9e3779b97f4a7c15ull;
}

/// How many neighbouring lanes shared memory serves together: 128 bytes of them. A load wider than 32 bits has twice as
/// many, where the lanes in `mask` come in pairs that want the same. A pair is one apart or two apart.
unsigned lanes_at_once(const Experiment& e, const Pattern& p, Mask mask) {
  const unsigned bytes = e.shape.bytes * e.shape.count;
  if (bytes <= 4) return 32;
  for (const unsigned apart : {1u, 2u}) {
    bool alike = !e.is_store;
    for (unsigned lane = 0; lane < kWarpSize; ++lane) {
      const bool both = ((mask >> lane) & 1) != 0 && ((mask >> (lane ^ apart)) & 1) != 0;
      alike &= !both || p.address[lane] == p.address[lane ^ apart];
    }
    if (alike) return 2 * 128 / bytes;
  }
  return 128 / bytes;
}

/// The definition. `begin` is the device address of `global`.
Observed expected(const Experiment& e, std::uint64_t begin) {
  Observed o{e.global, {}, std::vector<std::uint64_t>(e.warps.size() * kWarpSize * most_elements, untouched), {}, {}};
  const unsigned bytes = e.shape.bytes * e.shape.count;
  std::set<std::uint64_t> footprint;
  for (std::size_t w = 0; w < e.warps.size(); ++w) {
    const Pattern& p = e.warps[w];
    std::vector<std::byte> shared = e.shared;
    std::set<std::uint64_t> sectors, lines, touched;
    std::map<unsigned, std::map<std::uint64_t, std::set<std::uint64_t>>> words;  // by part of the warp, by bank
    Mask in_global = e.where == Where::global ? ~0u : 0;
    for (unsigned lane = 0; e.where == Where::generic && lane < kWarpSize; ++lane)
      in_global |= Mask{window_of(p.address[lane]) != kSharedWindow} << lane;
    const unsigned lanes_per_part = lanes_at_once(e, p, p.mask & ~in_global);
    for (unsigned lane = 0; lane < kWarpSize; ++lane) {
      if (((p.mask >> lane) & 1) == 0) continue;
      const bool is_global = ((in_global >> lane) & 1) != 0;
      const std::uint64_t at = is_global ? p.address[lane] - begin : p.address[lane] & 0xffffffff;
      std::byte* memory = (is_global ? o.global.data() : shared.data()) + at;
      for (unsigned i = 0; i < e.shape.count; ++i) {
        const std::uint64_t thread = w * kWarpSize + lane;
        std::uint64_t& loaded = o.loaded[thread * most_elements + i];
        if (e.is_store) {
          const std::uint64_t value = stored_value(thread, i);
          std::memcpy(memory + i * e.shape.bytes, &value, e.shape.bytes);
        } else {
          loaded = 0;
          std::memcpy(&loaded, memory + i * e.shape.bytes, e.shape.bytes);
          const std::uint64_t sign = 1ull << (8 * e.shape.bytes - 1);
          if (e.shape.is_signed) loaded = ((loaded ^ sign) - sign) & 0xffffffff;
        }
      }
      for (unsigned b = 0; b < bytes; ++b) {
        if (is_global) {
          sectors.insert((p.address[lane] + b) / 32);
          lines.insert((p.address[lane] + b) / 128);
          touched.insert(p.address[lane] + b);
        } else {
          words[lane / lanes_per_part][(at + b) / 4 % 32].insert((at + b) / 4);
        }
      }
    }
    auto& c = o.counters;
    c.warp_instructions += 1;
    (e.is_store ? c.global_store_requests : c.global_load_requests) += !sectors.empty();
    (e.is_store ? c.global_store_sectors : c.global_load_sectors) += sectors.size();
    (e.is_store ? c.shared_store_requests : c.shared_load_requests) += !words.empty();
    for (const auto& [part, banks] : words) {
      std::size_t most = 0;
      for (const auto& [bank, asked] : banks) most = std::max(most, asked.size());
      (e.is_store ? c.shared_store_wavefronts : c.shared_load_wavefronts) += most;
      (e.is_store ? c.shared_store_bank_conflicts : c.shared_load_bank_conflicts) += most - 1;
    }
    (e.is_store ? o.lines.store_lines : o.lines.load_lines) += lines.size();
    o.lines.random_loads += !e.is_store && lines.size() > 16;
    for (const std::uint64_t sector : sectors) {
      footprint.insert(sector);
      const auto begins = touched.lower_bound(sector * 32), ends = touched.lower_bound(sector * 32 + 32);
      if (e.is_store) ++(std::distance(begins, ends) == 32 ? o.lines.whole_sectors : o.lines.partial_sectors);
    }
    o.shared.insert(o.shared.end(), shared.begin(), shared.end());
  }
  (e.is_store ? o.lines.store_footprint : o.lines.load_footprint) = footprint.size();
  return o;
}

/// The operands of the instruction: {%r10, %r11}.
std::string registers(const Shape& shape) {
  std::string list;
  for (unsigned i = 0; i < shape.count; ++i)
    list += std::string(i == 0 ? "" : ", ") + (shape.bytes == 8 ? "%rd1" : "%r1") + std::to_string(i);
  return shape.count == 1 ? list : "{" + list + "}";
}

std::string kernel_text(const Experiment& e) {
  const std::string space = e.where == Where::global ? ".global" : e.where == Where::shared ? ".shared" : "";
  const std::string vector = e.shape.count == 1 ? "" : ".v" + std::to_string(e.shape.count);
  const std::string address = e.where == Where::shared ? "[%r5]" : "[%rd4]";
  const std::string form = space + vector + "." + e.shape.type + " ";
  std::string text = R"(.version 8.0
.target sm_75
.address_size 64
.visible .entry k(.param .u64 plan, .param .u64 loaded, .param .u64 before, .param .u64 after) {
.reg .pred %p<3>; .reg .b32 %r<30>; .reg .b64 %rd<30>;
.shared .align 16 .b8 cells[4096];
mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mad.lo.u32 %r3, %r2, 32, %r1;
ld.param.u64 %rd1, [plan]; mul.wide.u32 %rd2, %r3, 16; add.u64 %rd3, %rd1, %rd2;
ld.global.u64 %rd4, [%rd3]; ld.global.u32 %r4, [%rd3+8]; setp.ne.u32 %p1, %r4, 0; cvt.u32.u64 %r5, %rd4;
ld.param.u64 %rd5, [before]; mul.wide.u32 %rd6, %r1, 4; add.u64 %rd5, %rd5, %rd6;
mov.u32 %r6, cells; shl.b32 %r7, %r1, 2; add.u32 %r6, %r6, %r7; mov.u32 %r8, 0;
FILL: ld.global.u32 %r9, [%rd5]; st.shared.u32 [%r6], %r9;
add.u64 %rd5, %rd5, 128; add.u32 %r6, %r6, 128; add.u32 %r8, %r8, 1; setp.lt.u32 %p2, %r8, 32; @%p2 bra FILL;
bar.warp.sync 0xffffffff;
)";
  for (unsigned i = 0; i < e.shape.count; ++i) {
    const std::string n = std::to_string(i), value = "%rd1" + n;
    if (e.is_store) {
      text += "cvt.u64.u32 " + value + ", %r3; mad.lo.u64 " + value + ", " + value + ", " +
              std::to_string(most_elements) + ", " + std::to_string(i + 1) + "; mul.lo.u64 " + value + ", " + value +
              ", 0x9e3779b97f4a7c15; cvt.u32.u64 %r1" + n + ", " + value + ";\n";
    } else {
      text += "mov.u64 " + value + ", " + std::to_string(untouched) + "; mov.u32 %r1" + n + ", " +
              std::to_string(untouched) + ";\n";
    }
  }
  text += e.is_store ? "@%p1 st" + form + address + ", " + registers(e.shape) + ";\n"
                     : "@%p1 ld" + form + registers(e.shape) + ", " + address + ";\n";
  text += "ld.param.u64 %rd7, [loaded]; mul.wide.u32 %rd8, %r3, 32; add.u64 %rd7, %rd7, %rd8;\n";
  for (unsigned i = 0; i < e.shape.count && !e.is_store; ++i) {
    const std::string n = std::to_string(i);
    if (e.shape.bytes != 8) text += "cvt.u64.u32 %rd1" + n + ", %r1" + n + "; ";
    text += "st.global.u64 [%rd7+" + std::to_string(8 * i) + "], %rd1" + n + ";\n";
  }
  return text + R"(bar.warp.sync 0xffffffff;
ld.param.u64 %rd5, [after]; mul.wide.u32 %rd9, %r2, 4096; add.u64 %rd5, %rd5, %rd9; add.u64 %rd5, %rd5, %rd6;
mov.u32 %r6, cells; add.u32 %r6, %r6, %r7; mov.u32 %r8, 0;
DRAIN: ld.shared.u32 %r9, [%r6]; st.global.u32 [%rd5], %r9;
add.u64 %rd5, %rd5, 128; add.u32 %r6, %r6, 128; add.u32 %r8, %r8, 1; setp.lt.u32 %p2, %r8, 32; @%p2 bra DRAIN;
ret;
}
)";
}

/// Runs the kernel, all of whose memory counts as written. `memory` holds the global bytes at `target`.
Observed simulate(const Experiment& e, Memory& memory, const Allocation& target, Checks* checks) {
  const std::string text = kernel_text(e);
  Module module(ptx::parse(text), memory);
  std::vector<std::uint64_t> plan;
  for (const Pattern& p : e.warps) {
    for (unsigned lane = 0; lane < kWarpSize; ++lane) {
      plan.push_back(p.address[lane]);
      plan.push_back((p.mask >> lane) & 1);
    }
  }
  auto buffer = [&](std::size_t bytes) { return memory.allocate(bytes, Origin::cuda_malloc); };
  const auto *plans = buffer(plan.size() * 8), *loaded = buffer(e.warps.size() * kWarpSize * most_elements * 8);
  const auto *before = buffer(shared_bytes), *after = buffer(e.warps.size() * shared_bytes);
  std::memcpy(plans->host, plan.data(), plan.size() * 8);
  std::memcpy(before->host, e.shared.data(), shared_bytes);
  std::memcpy(target.host, e.global.data(), global_bytes);
  for (const auto* b : {plans, loaded, before, after, &target}) written::set(b->written.get(), 0, b->size_bytes);
  Observed o;
  o.loaded.assign(e.warps.size() * kWarpSize * most_elements, untouched);
  std::memcpy(loaded->host, o.loaded.data(), o.loaded.size() * 8);
  Launch launch;
  launch.grid.x = static_cast<std::uint32_t>(e.warps.size());
  launch.block.x = kWarpSize;
  const std::uint64_t parameters[] = {plans->address, loaded->address, before->address, after->address};
  launch.parameters.resize(sizeof parameters);
  std::memcpy(launch.parameters.data(), parameters, sizeof parameters);
  launch.timing = std::make_shared<LaunchTiming>();
  Schedule schedule;
  schedule.workers = 1;  // blocks may store to the same place
  const Program& program = module.program("k");
  const Outcome outcome = run(program, launch, memory, schedule, checks);
  EXPECT_EQ(outcome.cuda_error, 0) << (outcome.findings.empty() ? "" : outcome.findings.front().message);
  const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(text.find("@%p1")), '\n');
  for (std::size_t i = 1; i < outcome.by_instruction.size(); ++i) {
    if (program.origins[i].ptx_line == line) o.counters += outcome.by_instruction[i];
  }
  launch.timing->finish(program, outcome.by_instruction);
  o.lines = launch.timing->accesses;
  o.global.assign(target.host, target.host + global_bytes);
  o.shared.assign(after->host, after->host + e.warps.size() * shared_bytes);
  std::memcpy(o.loaded.data(), loaded->host, o.loaded.size() * 8);
  for (const auto* b : {plans, loaded, before, after}) memory.release(b->address);
  return o;
}

Experiment random_experiment(std::mt19937_64& random, const Shape& shape, Where where, bool is_store,
                             std::uint64_t begin) {
  Experiment e{shape, where, is_store, {}, std::vector<std::byte>(global_bytes), std::vector<std::byte>(shared_bytes)};
  for (auto* bytes : {&e.global, &e.shared}) {
    for (std::byte& b : *bytes) b = static_cast<std::byte>(random());
  }
  const unsigned bytes = shape.bytes * shape.count;
  for (unsigned w = 0; w < patterns; ++w) {
    Pattern p;
    std::uint64_t global[kWarpSize], shared[kWarpSize];
    random_places(random, global_bytes / bytes, global);
    random_places(random, shared_bytes / bytes, shared);
    const Mask in_shared = where == Where::shared   ? ~0u
                           : where == Where::global ? 0
                           : random() % 2 == 0      ? random_mask(random)
                           : random() % 2 == 0      ? ~0u
                                                    : 0;
    const std::uint64_t window = where == Where::generic ? kSharedWindow : 0;
    for (unsigned lane = 0; lane < kWarpSize; ++lane)
      p.address[lane] = ((in_shared >> lane) & 1) != 0 ? window + shared[lane] * bytes : begin + global[lane] * bytes;
    p.mask = random_mask(random);
    if (w % 2 == 1) {  // the pattern before once more, a little further on where all of it still fits
      const Pattern& last = e.warps.back();
      const std::uint64_t step = bytes * (random() % 9);
      const bool fits = std::all_of(last.address, last.address + kWarpSize, [&](std::uint64_t a) {
        return where == Where::global ? a + step + bytes <= begin + global_bytes
                                      : where == Where::shared && a + step + bytes <= shared_bytes;
      });
      p = last;
      if (fits) std::for_each(p.address, p.address + kWarpSize, [&](std::uint64_t& a) { a += step; });
      if (random() % 4 == 0) p.mask = random_mask(random);
    }
    e.warps.push_back(p);
  }
  return e;
}

class Access : public ::testing::TestWithParam<Where> {};

TEST_P(Access, MovesAndCountsWhatTheDefinitionSays) {
  std::mt19937_64 random(7);
  Memory memory(256 << 20);
  memory.watch_writes();
  const auto* target = memory.allocate(global_bytes, Origin::cuda_malloc);
  for (const Shape& shape : shapes) {
    for (const bool is_store : {false, true}) {
      if (is_store && shape.is_signed) continue;
      SCOPED_TRACE(std::string(is_store ? "st " : "ld ") + std::to_string(shape.count) + " x " + shape.type);
      const Experiment e = random_experiment(random, shape, GetParam(), is_store, target->address);
      const Observed want = expected(e, target->address);
      Experiment none = e;
      for (Pattern& p : none.warps) p.mask = 0;
      const Totals others = simulate(none, memory, *target, nullptr).lines;  // of the other instructions
      Checks checks;  // what is told to those who watch is moved and counted in other ways
      checks.init = std::make_unique<InitChecker>();
      for (Checks* const with : {static_cast<Checks*>(nullptr), &checks}) {
        const Observed got = simulate(e, memory, *target, with);
        EXPECT_TRUE(got.loaded == want.loaded);
        EXPECT_TRUE(got.global == want.global);
        EXPECT_TRUE(got.shared == want.shared);
        for (const auto field : kTotals) EXPECT_EQ(got.lines.*field - others.*field, want.lines.*field);
        for (const auto& [name, field] : kCounterNames) {
          if (field == &Counters::thread_instructions || field == &Counters::shared_loads_used_early) continue;
          EXPECT_EQ(got.counters.*field, want.counters.*field) << name;
        }
      }
    }
  }
}

std::string space_name(const ::testing::TestParamInfo<Where>& info) {
  constexpr const char* names[] = {"global", "shared", "generic"};
  return names[static_cast<std::size_t>(info.param)];
}
INSTANTIATE_TEST_SUITE_P(Spaces, Access, ::testing::Values(Where::global, Where::shared, Where::generic), space_name);

}  // namespace
}  // namespace cudasim
