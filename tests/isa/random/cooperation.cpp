// SPDX-License-Identifier: MIT
// Statements of lanes that are together: shuffles, votes, barriers, exchanges through shared memory. A mask names
// exactly the lanes that come, and a shuffle reads only from those.
#include <string>

#include "statements.h"

namespace random_kernels {
namespace {

/// How a shuffle divides the warp: its third operand.
unsigned segments(Random& random, const std::string& mode) {
  const unsigned width = 32u >> random.below(6);
  return ((32 - width) << 8) | (mode == "up" ? 0 : 31);
}

/// The result, with or without the predicate that tells whether the source was within the segment.
std::string shuffled(Random& random) { return random.chance(1, 2) ? "$R|$P" : "$R"; }

/// With 32 lanes here, every source is one of them.
void write_plain_shuffle(Writer& writer) {
  const std::string mode = writer.one_of({"up", "down", "bfly", "idx"});
  const std::string control = hexadecimal("0x", segments(writer.random, mode), 4);
  const std::string result = shuffled(writer.random);
  writer.statement_of_all("shfl.sync." + mode + ".b32 " + result + ", $v, <$v|$i>, " + control + ", 0xffffffff");
}

/// A lane whose source is not in the mask reads from itself.
void write_masked_shuffle(Writer& writer, const std::string& mask) {
  const std::string mode = writer.one_of({"up", "down", "bfly", "idx"});
  const unsigned control = segments(writer.random, mode);
  const std::string result = shuffled(writer.random);
  const std::string segment = std::to_string(control >> 8), inside = std::to_string(31 & ~(control >> 8));
  std::string source;
  if (mode == "up") source = "sub.u32 %t1, %lane, %t0; ";
  if (mode == "down") source = "add.u32 %t1, %lane, %t0; ";
  if (mode == "bfly") source = "xor.b32 %t1, %lane, %t0; ";
  if (mode == "idx")
    source = "and.b32 %t1, %lane, " + segment + "; and.b32 %t2, %t0, " + inside + "; or.b32 %t1, %t1, %t2; ";
  const std::string own = mode == "idx" ? "%lane" : "0";
  writer.statement_of_all("and.b32 %t0, $r, 31; " + source + "shr.u32 %t2, " + mask +
                          ", %t1; and.b32 %t2, %t2, 1; setp.ne.u32 %q0, %t2, 0; selp.b32 %t0, %t0, " + own +
                          ", %q0; shfl.sync." + mode + ".b32 " + result + ", $v, %t0, " +
                          hexadecimal("0x", control, 4) + ", " + mask);
}

/// Each lane writes its cell and reads that of another lane of the mask.
void write_warp_exchange(Writer& writer, const std::string& mask) {
  writer.statement_of_all(
      "and.b32 %t0, $v, 31; shr.u32 %t1, " + mask +
      ", %t0; and.b32 %t1, %t1, 1; setp.ne.u32 %q0, %t1, 0; selp.b32 %t0, %t0, %lane, %q0; sub.u32 %t0, %t0, %lane; "
      "add.u32 %t0, %t0, %thread; shl.b32 %t0, %t0, 4; add.u32 %t0, %t0, %cells; st.shared.<u32|b32> [%cell], $v; "
      "bar.warp.sync " +
      mask + "; ld.shared.u32 $R, [%t0]; bar.warp.sync " + mask);
}

}  // namespace

void write_warp_statement(Writer& writer, const Setting& setting) {
  const std::string& mask = setting.mask;
  const bool all = setting.whole_warps && setting.company == Company::block;
  switch (writer.random.below(setting.has_reductions ? 10 : 8)) {
    case 0:
    case 1:
    case 2:
      return all && writer.random.chance(1, 2) ? write_plain_shuffle(writer) : write_masked_shuffle(writer, mask);
    case 3:
      return writer.statement_of_all("vote.sync.<all|any|uni>.pred $P, $n, " + mask);
    case 4:
      return writer.statement_of_all("vote.sync.ballot.b32 $R, $n, " + mask);
    case 5:
      return writer.statement_of_all("and.b32 %t0, $v, <3|1|7>; match.<any|all>.sync.b32 $R, %t0, " + mask);
    case 6:
      return writer.statement_of_all("and.b64 %u0, $w, 3; match.any.sync.b64 $R, %u0, " + mask);
    case 7:
      return write_warp_exchange(writer, mask);
    case 8:
      return writer.statement_of_all("redux.sync.<add|min|max>.<u32|s32> $R, $v, " + mask);
    default:
      return writer.statement_of_all("redux.sync.<and|or|xor>.b32 $R, $v, " + mask);
  }
}

void write_block_statement(Writer& writer) {
  const std::string another = "rem.u32 %t0, $v, %threads; shl.b32 %t0, %t0, 4; add.u32 %t0, %t0, %cells; ";
  const std::string bin = "and.b32 %t0, $v, 31; shl.b32 %t0, %t0, 2; add.u32 %t0, %t0, %bins; ";
  switch (writer.random.below(7)) {
    case 0:
      return writer.statement_of_all(another +
                                     "st.shared.<u32|b32> [%cell], $v; <bar|barrier>.sync 0; "
                                     "ld.shared.u32 $R, [%t0]; bar.sync 0");
    case 1:
      return writer.statement_of_all(another +
                                     "st.shared.v4.u32 [%cell], {$v, $v, $v, $v}; bar.sync 0; "
                                     "ld.shared.v2.u32 {%t1, %t2}, [%t0+<0|8>]; bar.sync 0; "
                                     "xor.b32 $R, %t1, %t2");
    case 2:
      return writer.statement_of_all(another +
                                     "st.shared.u64 [%cell+<0|8>], $w; st.shared.u8 [%cell+<0|8>], $v; "
                                     "bar.sync 0; ld.shared.<u8|s8> $R, [%t0]; bar.sync 0");
    case 3:
    case 4: {  // all threads add to 32 bins, then look at one
      const std::string operation = writer.one_of({"add.u32", "min.s32", "max.u32", "and.b32", "or.b32", "xor.b32"});
      return writer.statement_of_all(
          "setp.lt.u32 %q0, %thread, 32; mad.lo.u32 %t0, %lane, 4, %bins; @%q0 st.shared.u32 [%t0], $v; bar.sync 0; " +
          bin + "<red|red.relaxed.cta>.shared." + operation + " [%t0], $v; bar.sync 0; ld.shared.u32 $R, [%t0]; " +
          "bar.sync 0");
    }
    case 5:
      return writer.statement_of_all("<bar|bar.cta>.red.popc.u32 $R, 0, $p");  // not barrier.red: README.md
    default:
      return writer.statement_of_all("<bar|bar.cta>.red.<and|or>.pred $P, 0, $p");
  }
}

}  // namespace random_kernels
