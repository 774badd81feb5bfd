// SPDX-License-Identifier: MIT
#include "regions.h"

namespace random_kernels {

void Regions::write_sequence(const Setting& setting, unsigned length, unsigned depth) {
  for (unsigned i = 0; i < length; ++i) {
    write_item(setting, depth);
    if (tangle_ != nullptr && w_.random.chance(1, 3)) place_label();
    maybe_jump();
  }
}

void Regions::write_item(const Setting& setting, unsigned depth) {
  if (setting.company == Company::lane) return write_lane_item(setting, depth);
  const bool is_block = setting.company == Company::block;
  switch (w_.random.below(depth < max_depth ? 11 : 5)) {
    case 0:
    case 1:
      return write_straight_code(setting);
    case 2:
    case 3:
      for (unsigned i = 1 + w_.random.below(3); i > 0; --i) write_warp_statement(w_, setting);
      return;
    case 4:
      return is_block ? write_block_statement(w_) : write_warp_statement(w_, setting);
    case 5:
      return write_masked_if(setting, depth);
    case 6:
      return write_masked_loop(setting, depth);
    case 7:
      return w_.random.chance(1, 2) ? write_uniform_loop(setting, depth) : write_uniform_if(setting, depth);
    default: {
      Setting alone = setting;
      alone.company = Company::lane;
      return w_.random.chance(1, 2) ? write_tangle(alone, depth) : write_lane_item(alone, depth);
    }
  }
}

void Regions::write_lane_item(const Setting& setting, unsigned depth) {
  switch (w_.random.below(depth < max_depth ? 8 : 3)) {
    case 0:
    case 1:
      return write_straight_code(setting);
    case 2:
      return functions_ != 0 ? write_call(setting) : write_straight_code(setting);
    case 3:
    case 4:
      return write_if(setting, depth);
    case 5:
      return write_loop(setting, depth);
    case 6:
      return write_switch(setting, depth);
    default:
      return tangle_ == nullptr ? write_tangle(setting, depth) : write_if(setting, depth);
  }
}

void Regions::write_straight_code(const Setting& setting) {
  for (unsigned i = 2 + w_.random.below(5); i > 0; --i) {
    if (w_.random.chance(1, 4)) {
      write_memory_access(w_, setting);
    } else {
      write_arithmetic(w_);
    }
  }
}

/// Lanes alone: an arm or two. In a tangle an arm may hold a label that is jumped to from elsewhere.
void Regions::write_if(const Setting& setting, unsigned depth) {
  const std::string past = w_.new_label();
  const std::string condition = w_.for_branch(w_.condition());
  const bool two_arms = w_.random.chance(1, 2);
  w_.line("@" + condition + " bra " + past + ";");
  write_sequence(setting, 1 + w_.random.below(2), depth + 1);
  if (two_arms) {
    const std::string end = w_.new_label();
    w_.line("bra " + end + ";");
    w_.label(past);
    write_sequence(setting, 1 + w_.random.below(2), depth + 1);
    w_.label(end);
  } else {
    w_.label(past);
  }
}

/// Each arm knows which lanes of the mask it has, and may do things with them together.
void Regions::write_masked_if(const Setting& setting, unsigned depth) {
  const std::string past = w_.new_label(), end = w_.new_label(), arm = "%m" + std::to_string(depth + 1);
  const std::string condition = w_.condition();
  Setting inner = setting;
  inner.company = Company::warp;
  inner.mask = arm;
  w_.line("vote.sync.ballot.b32 " + arm + ", " + condition + ", " + setting.mask + ";");
  w_.line("shr.u32 %t0, " + arm + ", %lane;");
  w_.line("and.b32 %t0, %t0, 1;");
  w_.line("setp.eq.u32 %q0, %t0, 0;");
  w_.line("@%q0 bra " + past + ";");
  write_sequence(inner, 1 + w_.random.below(3), depth + 1);
  w_.line("bra " + end + ";");
  w_.label(past);
  w_.line("xor.b32 " + arm + ", " + arm + ", " + setting.mask + ";");
  write_sequence(inner, w_.random.below(3), depth + 1);
  w_.label(end);
}

/// Each lane has its own number of rounds, and may leave earlier.
void Regions::write_loop(const Setting& setting, unsigned depth) {
  if (repeats_ > 16) return write_if(setting, depth);
  const std::string top = w_.new_label(), out = w_.new_label(), counter = "%c" + std::to_string(depth);
  const bool tests_first = w_.random.chance(1, 2);
  w_.line(w_.expand("and.b32 " + counter + ", $v, <3|7|1>;"));
  repeats_ *= 4;
  w_.label(top);
  if (tests_first) {
    w_.line("setp.le.s32 %q0, " + counter + ", 0;");
    w_.line("@%q0 bra " + out + ";");
  }
  w_.line("sub.u32 " + counter + ", " + counter + ", 1;");
  write_sequence(setting, 1 + w_.random.below(2), depth + 1);
  if (w_.random.chance(1, 3)) {  // break or continue
    const std::string condition = w_.for_branch(w_.condition());
    w_.line("@" + condition + " bra " + (tests_first && w_.random.chance(1, 2) ? top : out) + ";");
    write_straight_code(setting);
  }
  if (tests_first) {
    w_.line("bra " + top + ";");
  } else {
    w_.line("setp.gt.s32 %q0, " + counter + ", 0;");
    w_.line("@%q0 bra " + top + ";");
  }
  w_.label(out);
  repeats_ /= 4;
}

/// In each round the lanes that stay agree on who they are.
void Regions::write_masked_loop(const Setting& setting, unsigned depth) {
  if (repeats_ > 16) return write_masked_if(setting, depth);
  const std::string top = w_.new_label(), out = w_.new_label();
  const std::string counter = "%c" + std::to_string(depth), mask = "%m" + std::to_string(depth + 1);
  Setting inner = setting;
  inner.company = Company::warp;
  inner.mask = mask;
  w_.line(w_.expand("and.b32 " + counter + ", $v, <3|7>;"));
  w_.line("mov.b32 " + mask + ", " + setting.mask + ";");
  repeats_ *= 4;
  w_.label(top);
  w_.line("setp.gt.s32 %q0, " + counter + ", 0;");
  w_.line("vote.sync.ballot.b32 " + mask + ", %q0, " + mask + ";");
  w_.line("@!%q0 bra " + out + ";");
  w_.line("sub.u32 " + counter + ", " + counter + ", 1;");
  write_sequence(inner, 1 + w_.random.below(2), depth + 1);
  w_.line("bra " + top + ";");
  w_.label(out);
  repeats_ /= 4;
}

/// The same number of rounds for all threads of the block: they stay together.
void Regions::write_uniform_loop(const Setting& setting, unsigned depth) {
  if (repeats_ > 16) return write_straight_code(setting);
  const std::string top = w_.new_label(), counter = "%c" + std::to_string(depth);
  w_.line("add.u32 " + counter + ", " + w_.one_of({"%block", "%uniform"}) + ", 1;");  // one to three
  // Plus 0, so that ptxas does not know that the number is the same for all: it would count in a register of the warp,
  // also where lanes come around one after the other (README.md).
  for (const char* text : {"mov.u32 %t0, %lanemask_lt;", "shr.u32 %t0, %t0, %lane;"}) w_.line(text);
  w_.line("add.u32 " + counter + ", " + counter + ", %t0;");
  repeats_ *= 3;
  w_.label(top);
  write_sequence(setting, 1 + w_.random.below(2), depth + 1);
  w_.line("sub.u32 " + counter + ", " + counter + ", 1;");
  w_.line("setp.gt.s32 %q0, " + counter + ", 0;");
  w_.line("@%q0 bra " + top + ";");
  repeats_ /= 3;
}

void Regions::write_uniform_if(const Setting& setting, unsigned depth) {
  const std::string past = w_.new_label();
  w_.line("setp.eq.u32 %q0, " + w_.one_of({"%block", "%uniform"}) + ", 1;");
  w_.line("@%q0 bra " + past + ";");
  write_sequence(setting, 1 + w_.random.below(2), depth + 1);
  w_.label(past);
}

void Regions::write_switch(const Setting& setting, unsigned depth) {
  const unsigned cases = 2 + w_.random.below(3);
  std::vector<std::string> labels;
  for (unsigned i = 0; i < cases; ++i) labels.push_back(w_.new_label());
  const std::string end = w_.new_label();
  std::string targets = labels[0];
  for (unsigned i = 1; i < 4; ++i) targets += ", " + labels[w_.random.below(cases)];
  w_.line(w_.expand("and.b32 %t0, $v, 3;"));
  w_.line("T" + end + ": .branchtargets " + targets + ";");
  w_.line("brx.idx %t0, T" + end + ";");
  for (const auto& label : labels) {
    w_.label(label);
    write_sequence(setting, 1, depth + 1);
    if (w_.random.chance(2, 3)) w_.line("bra " + end + ";");  // else it falls through
  }
  w_.label(end);
}

void Regions::write_tangle(const Setting& setting, unsigned depth) {
  Tangle tangle;
  for (unsigned i = 3 + w_.random.below(6); i > 0; --i) tangle.labels.push_back(w_.new_label());
  tangle.end = w_.new_label();
  Tangle* const outer = tangle_;
  tangle_ = &tangle;
  const unsigned outer_repeats = repeats_;
  repeats_ *= 4;
  w_.line("mov.u32 %fuel, " + std::to_string(6 + w_.random.below(outer_repeats > 4 ? 6 : 14)) + ";");
  if (w_.random.chance(1, 2)) maybe_jump();
  while (tangle.placed < tangle.labels.size()) {
    place_label();
    write_sequence(setting, 1 + w_.random.below(2), depth + 1);
  }
  w_.label(tangle.end);
  repeats_ = outer_repeats;
  tangle_ = outer;
}

/// The next label of the tangle, if one is left. Passing it costs fuel; without, the lane leaves the tangle.
void Regions::place_label() {
  if (tangle_->placed == tangle_->labels.size()) return;
  w_.label(tangle_->labels[tangle_->placed++]);
  w_.line("sub.u32 %fuel, %fuel, 1;");
  w_.line("setp.lt.s32 %q0, %fuel, 0;");
  w_.line("@%q0 bra " + tangle_->end + ";");
}

/// In a tangle: now and then a jump to any of its labels, or out of it.
void Regions::maybe_jump() {
  if (tangle_ == nullptr || !w_.random.chance(1, 2)) return;
  const unsigned where = w_.random.below(static_cast<unsigned>(tangle_->labels.size()) + 1);
  const std::string condition = w_.for_branch(w_.condition());
  w_.line("@" + condition + " bra " + (where == 0 ? tangle_->end : tangle_->labels[where - 1]) + ";");
}

/// One of the device functions, by its name or through a pointer that may differ between lanes.
void Regions::write_call(const Setting&) {
  const std::string name = "f" + std::to_string(w_.random.below(functions_));
  const bool through_pointer = functions_ > 1 && w_.random.chance(1, 3);
  const std::string block = w_.new_label();
  if (through_pointer) {
    w_.line("mov.u64 %u0, f0;");
    w_.line("mov.u64 %u1, f1;");
    w_.line("selp.b64 %u0, %u0, %u1, " + w_.predicate() + ";");
  }
  w_.line("{");
  w_.line(".param .b32 word_in; .param .b64 wide_in; .param .align 8 .b8 both_out[16];");
  w_.line(w_.expand("st.param.b32 [word_in], $v;"));
  w_.line(w_.expand("st.param.b64 [wide_in], $w;"));
  if (through_pointer) {
    w_.line(block + ": .callprototype (.param .align 8 .b8 _[16]) _ (.param .b32 _, .param .b64 _);");
    w_.line("call (both_out), %u0, (word_in, wide_in), " + block + ";");
  } else {
    w_.line("call (both_out), " + name + ", (word_in, wide_in);");
  }
  w_.line(w_.expand("ld.param.b32 $R, [both_out];"));
  w_.line(w_.expand("ld.param.b64 $D, [both_out+8];"));
  w_.line("}");
}

}  // namespace random_kernels
