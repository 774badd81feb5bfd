// SPDX-License-Identifier: MIT
#include "kernel.h"

#include "regions.h"

namespace random_kernels {
namespace {

using R = Registers;

std::string n(const char* prefix, unsigned i) { return prefix + std::to_string(i); }

std::string initial_values(Random& random, unsigned count) {
  std::string text;
  for (unsigned i = 0; i < count; ++i) text += (i == 0 ? "" : ", ") + hexadecimal("0x", random.next() >> 32, 8);
  return text;
}

void declare_registers(Writer& w) {
  w.line(".reg .pred %p<4>, %q<2>;");
  w.line(".reg .b16 %h<4>, %i<2>;");
  w.line(".reg .b32 %r<10>, %t<4>, %c<4>, %m<6>, %fuel, %lane, %thread, %threads, %uniform, %block;");
  w.line(".reg .b32 %local, %cells, %cell, %bins;");
  w.line(".reg .b64 %d<5>, %u<3>, %in, %own, %output, %counters, %input_of_thread, %generic_local;");
  w.line(".reg .f32 %f<5>, %x<2>;");
  w.line(".reg .f64 %g<3>, %z<2>;");
}

/// Every register gets a value from %r0 and %d0, so that nothing is read before it was written.
void set_registers(Writer& w) {
  for (unsigned i = 1; i < R::words; ++i)
    w.line("mad.lo.u32 " + n("%r", i) + ", " + n("%r", i - 1) + ", 0x9e3779b1, " + std::to_string(i) + ";");
  for (unsigned i = 1; i < R::doubles; ++i)
    w.line("mad.wide.u32 " + n("%d", i) + ", " + n("%r", i) + ", 0x85ebca6b, " + n("%d", i - 1) + ";");
  for (unsigned i = 0; i < R::floats; ++i) w.line("cvt.rn.f32.s32 " + n("%f", i) + ", " + n("%r", i) + ";");
  for (unsigned i = 0; i < R::wide_floats; ++i) w.line("cvt.rn.f64.s64 " + n("%g", i) + ", " + n("%d", i) + ";");
  for (unsigned i = 0; i < R::halves; ++i) w.line("cvt.u16.u32 " + n("%h", i) + ", " + n("%r", i + 4) + ";");
  for (unsigned i = 0; i < R::predicates; ++i)
    w.line("setp.lt.s32 " + n("%p", i) + ", " + n("%r", i + 2) + ", " + n("%r", i + 5) + ";");
  for (unsigned i = 0; i < Regions::max_depth; ++i) w.line("mov.u32 " + n("%c", i) + ", 0;");
  w.line("mov.u32 %fuel, 0;");
}

void set_local_memory(Writer& w) {
  w.line("mov.u32 %local, local;");
  w.line("cvt.u64.u32 %generic_local, %local;");
  w.line("cvta.local.u64 %generic_local, %generic_local;");
  for (unsigned i = 0; i < Buffers::local_words; ++i)
    w.line("st.local.u32 [%local+" + std::to_string(4 * i) + "], " + n("%r", i % R::words) + ";");
}

void write_function(Writer& w, const std::string& name, unsigned callable) {
  w.in_function = true;
  w.outside("\n.func (.param .align 8 .b8 result[16]) " + name + "(.param .b32 a, .param .b64 b)\n{");
  declare_registers(w);
  w.line(".local .align 16 .b8 local[64];");
  w.line("ld.param.u32 %r0, [a];");
  w.line("ld.param.u64 %d0, [b];");
  w.line("mov.u32 %lane, %laneid;");
  w.line("and.b32 %thread, %r0, 63;");
  set_registers(w);
  set_local_memory(w);
  Setting setting;
  setting.is_kernel = false;
  Regions regions(w, callable);
  regions.write_sequence(setting, 2 + w.random.below(3), 1);
  w.line("st.param.b32 [result], " + w.word() + ";");
  w.line("st.param.b64 [result+8], %d1;");
  const std::string condition = w.for_branch(w.condition());
  w.line("@" + condition + " ret;");  // some lanes come back earlier
  regions.write_sequence(setting, 1, 1);
  for (unsigned i = 1; i < R::words; ++i) w.line("xor.b32 %r0, %r0, " + n("%r", i) + ";");
  w.line("xor.b64 %d0, %d0, %d2;");
  w.line("st.param.b32 [result], %r0;");
  w.line("st.param.b64 [result+8], %d0;");
  w.line("ret;");
  w.outside("}");
  w.in_function = false;
}

/// The thread's number, its lane, the lanes of its warp that exist, and the addresses of all that it uses.
void write_addresses(Writer& w) {
  for (const char* text :
       {"ld.param.u64 %in, [in];", "ld.param.u64 %output, [out];", "ld.param.u64 %counters, [counters];",
        "cvta.to.global.u64 %in, %in;", "cvta.to.global.u64 %output, %output;",
        "cvta.to.global.u64 %counters, %counters;", "ld.param.u32 %uniform, [word];", "and.b32 %uniform, %uniform, 1;",
        "mov.u32 %lane, %laneid;",
        // The thread's number in its block.
        "mov.u32 %t0, %tid.z;", "mov.u32 %t1, %ntid.y;", "mov.u32 %t2, %tid.y;", "mad.lo.u32 %t0, %t0, %t1, %t2;",
        "mov.u32 %t1, %ntid.x;", "mov.u32 %t2, %tid.x;", "mad.lo.u32 %thread, %t0, %t1, %t2;", "mov.u32 %t2, %ntid.y;",
        "mul.lo.u32 %threads, %t1, %t2;", "mov.u32 %t2, %ntid.z;", "mul.lo.u32 %threads, %threads, %t2;",
        // %m0: the lanes of this warp that exist.
        "sub.u32 %t0, %thread, %lane;", "sub.u32 %t0, %threads, %t0;", "bmsk.clamp.b32 %m0, 0, %t0;",
        // The thread's number in the grid, in %t0.
        "mov.u32 %block, %ctaid.x;", "mad.lo.u32 %t0, %block, %threads, %thread;"})
    w.line(text);
  w.line("mad.wide.u32 %output, %t0, " + std::to_string(4 * Buffers::thread_words) + ", %output;");
  w.line("mov.u64 %own, %output;");
  w.line("and.b32 %t1, %t0, 255;");
  w.line("mad.wide.u32 %input_of_thread, %t1, 4, %in;");
  w.line("ld.global.u32 %r0, [%input_of_thread];");
  w.line("cvt.u64.u32 %d0, %t0;");
}

void write_prologue(Writer& w) {
  declare_registers(w);
  for (const char* text :
       {".local .align 16 .b8 local[64];", ".shared .align 16 .b8 cells[2048];", ".shared .align 16 .b32 bins[32];"})
    w.line(text);
  write_addresses(w);
  set_registers(w);
  set_local_memory(w);
  for (unsigned i = 0; i < Buffers::private_words; i += 4)
    w.line("st.global.v4.u32 [%own+" + std::to_string(4 * i) + "], {%r0, %r1, %r2, %r3};");
  for (const char* text : {"mov.u32 %cells, cells;", "mad.lo.u32 %cell, %thread, 16, %cells;", "mov.u32 %bins, bins;",
                           "st.shared.v4.u32 [%cell], {%r4, %r5, %r6, %r7};", "bar.sync 0;"})
    w.line(text);
}

/// All registers to the output: what differs at the end says where to look. NaN are all the same NaN.
void write_dump(Writer& w) {
  unsigned offset = 4 * Buffers::private_words;
  auto store = [&](const std::string& type, const std::string& name, unsigned size) {
    w.line("st.global." + type + " [%output+" + std::to_string(offset) + "], " + name + ";");
    offset += size;
  };
  for (unsigned i = 0; i < R::words; ++i) store("b32", n("%r", i), 4);
  for (unsigned i = 0; i < R::doubles; ++i) store("b64", n("%d", i), 8);
  for (unsigned i = 0; i < R::wide_floats; ++i) {
    w.line("setp.nan.f64 %q0, " + n("%g", i) + ", " + n("%g", i) + ";");
    w.line("mov.b64 %u0, " + n("%g", i) + ";");
    w.line("selp.b64 %u0, 0x7ff8000000000000, %u0, %q0;");
    store("b64", "%u0", 8);
  }
  for (unsigned i = 0; i < R::floats; ++i) {
    w.line("setp.nan.f32 %q0, " + n("%f", i) + ", " + n("%f", i) + ";");
    w.line("mov.b32 %t0, " + n("%f", i) + ";");
    w.line("selp.b32 %t0, 0x7fc00000, %t0, %q0;");
    store("b32", "%t0", 4);
  }
  for (unsigned i = 0; i < R::halves; ++i) {
    w.line("cvt.u32.u16 %t0, " + n("%h", i) + ";");
    store("b32", "%t0", 4);
  }
  w.line("mov.u32 %t0, 0;");
  for (unsigned i = 0; i < R::predicates; ++i) {
    w.line("selp.b32 %t1, " + std::to_string(1u << i) + ", 0, " + n("%p", i) + ";");
    w.line("or.b32 %t0, %t0, %t1;");
  }
  store("b32", "%t0", 4);
}

/// Some lanes leave the kernel; the others go on together.
void write_early_exit(Writer& w, Regions& regions, Setting setting) {
  const std::string stay = w.new_label();
  const std::string condition = w.condition();
  w.line("vote.sync.ballot.b32 %m0, " + condition + ", %m0;");
  w.line("@" + w.for_branch(condition) + " bra " + stay + ";");
  write_dump(w);
  w.line(w.one_of({"ret;", "exit;"}));
  w.label(stay);
  setting.company = Company::warp;
  regions.write_sequence(setting, 2 + w.random.below(3), 1);
}

void write_body(Writer& w, Setting& setting, unsigned functions) {
  setting.company = Company::block;
  setting.mask = "%m0";
  Regions regions(w, functions);
  regions.write_sequence(setting, 5 + w.random.below(5), 0);
  if (w.random.chance(1, 4)) write_early_exit(w, regions, setting);
}

}  // namespace

Kernel make_kernel(std::uint64_t seed, unsigned statement_limit) {
  Writer w(seed, statement_limit);
  Setting setting;
  setting.whole_warps = w.random.chance(1, 2);
  setting.has_reductions = w.random.chance(1, 4);
  const unsigned functions = w.random.below(3);
  w.outside("// Random kernel " + std::to_string(seed) + ".");
  const unsigned target = setting.has_reductions ? 80 : 75;
  w.outside(".version 8.0\n.target sm_" + std::to_string(target) + "\n.address_size 64\n");
  w.outside(".const .align 16 .b32 table[64] = {" + initial_values(w.random, Buffers::table_words) + "};");
  w.outside(".global .align 16 .b32 numbers[64] = {" + initial_values(w.random, Buffers::table_words) + "};");
  for (unsigned i = 0; i < functions; ++i) write_function(w, "f" + std::to_string(i), i);
  w.outside("\n.visible .entry test(.param .u64 in, .param .u64 out, .param .u64 counters, .param .u32 word,");
  w.outside("                     .param .u64 wide)\n{");
  write_prologue(w);
  write_body(w, setting, functions);
  write_dump(w);
  w.line("ret;");
  w.outside("}");
  return {w.text(), w.statement_count(), target, setting.whole_warps};
}

std::string word_name(unsigned i) {
  struct Group {
    const char* name;
    unsigned count, words_each;
  };
  const Group groups[] = {{"own", Buffers::private_words, 1},
                          {"%r", R::words, 1},
                          {"%d", R::doubles, 2},
                          {"%g", R::wide_floats, 2},
                          {"%f", R::floats, 1},
                          {"%h", R::halves, 1},
                          {"predicates", 1, 1}};
  for (const Group& group : groups) {
    if (i < group.count * group.words_each)
      return n(group.name, i / group.words_each) + (group.words_each == 1 ? "" : i % 2 == 0 ? ".low" : ".high");
    i -= group.count * group.words_each;
  }
  return "unused";
}

}  // namespace random_kernels
