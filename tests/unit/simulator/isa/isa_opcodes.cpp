// SPDX-License-Identifier: MIT
// Opcodes as nvcc 13.0 writes them for tutorial kernels, cooperative groups, the mathematical library, 16-bit types,
// CUB, -G and -use_fast_math code. Before each line stands the number of scalar operands (1 where the machine reads
// them).
#include "isa_helpers.h"

namespace cudasim {

const char* const compiler_opcodes = R"(
1 activemask.b32 atom.add.f32 atom.add.f64 atom.add.release.gpu.u32 atom.add.u32 atom.add.u64 atom.and.b32
1 atom.cas.b16 atom.cas.b32 atom.cas.b64 atom.cta.add.u32 atom.dec.u32 atom.exch.b32 atom.exch.b64
1 atom.global.add.f32 atom.global.add.f64 atom.global.add.u32 atom.global.add.u64 atom.global.and.b32
1 atom.global.cas.b16 atom.global.cas.b32 atom.global.cas.b64 atom.global.cta.add.u32 atom.global.dec.u32
1 atom.global.inc.u32 atom.global.max.s32 atom.global.max.s64 atom.global.min.s32 atom.global.min.u64
1 atom.global.or.b32 atom.global.sys.add.u32 atom.global.xor.b64 atom.inc.u32 atom.max.s32 atom.max.s64
1 atom.min.s32 atom.min.u64 atom.or.b32 atom.shared.add.f32 atom.shared.add.u32 atom.shared.add.u64
1 atom.shared.exch.b32 atom.shared.exch.b64 atom.sys.add.u32 atom.xor.b64 bar.red.and.pred bar.red.or.pred
1 bar.red.popc.u32 bar.sync bar.warp.sync barrier.sync bra bra.uni call call.uni cvta.const.u64 cvta.global.u64
1 cvta.local.u64 cvta.shared.u64 cvta.to.global.u64 exit isspacep.global isspacep.local isspacep.shared
1 ld.acquire.gpu.u32 ld.const.f32 ld.f32 ld.f64 ld.global.cg.f32 ld.global.cs.f32 ld.global.f32 ld.global.f64
1 ld.global.nc.f32 ld.global.nc.f64 ld.global.nc.u32 ld.global.nc.u64 ld.global.nc.u8 ld.global.nc.v2.f64
1 ld.global.nc.v2.u64 ld.global.s32 ld.global.u16 ld.global.u32 ld.global.u64 ld.global.u8 ld.global.v2.f64
1 ld.global.v2.u16 ld.global.v2.u32 ld.global.v4.f32 ld.global.v4.u8 ld.local.f32 ld.local.u32 ld.local.u64
1 ld.param.b16 ld.param.b32 ld.param.b64 ld.param.f32 ld.param.f64 ld.param.u16 ld.param.u32 ld.param.u64
1 ld.param.u8 ld.param.v4.u8 ld.relaxed.gpu.v2.u32 ld.relaxed.gpu.v2.u64 ld.shared.f32 ld.shared.f64 ld.shared.u16
1 ld.shared.u32 ld.shared.u64 ld.shared.u8 ld.shared.v2.f64 ld.shared.v2.u64 ld.shared.v4.f32 ld.shared.v4.u32
1 ld.shared.v4.u8 ld.u16 ld.u32 ld.u64 ld.u8 ld.v2.u64 ld.v4.u32 ld.volatile.f32 ld.volatile.global.f32
1 ld.volatile.global.u32 ld.volatile.shared.u32 match.all.sync.b32 match.any.sync.b32 membar.cta membar.gl
1 membar.sys nanosleep.u32 redux.sync.add.s32 redux.sync.min.s32 redux.sync.or.b32 ret shfl.sync.bfly.b32
1 shfl.sync.down.b32 shfl.sync.idx.b32 shfl.sync.up.b32 st.f32 st.f64 st.global.cs.f32 st.global.f32 st.global.f64
1 st.global.u16 st.global.u32 st.global.u64 st.global.u8 st.global.v2.f64 st.global.v2.u16 st.global.v2.u32
1 st.global.v2.u64 st.global.v4.f32 st.global.v4.u8 st.global.wt.f32 st.local.f32 st.local.f64 st.local.u32
1 st.local.u64 st.param.b16 st.param.b32 st.param.b64 st.param.f32 st.param.f64 st.param.v2.b16 st.param.v4.b8
1 st.relaxed.gpu.v2.u32 st.relaxed.gpu.v2.u64 st.shared.f32 st.shared.f64 st.shared.u16 st.shared.u32
1 st.shared.u64 st.shared.u8 st.shared.v2.f64 st.shared.v2.u64 st.shared.v4.f32 st.shared.v4.u32 st.u16 st.u32
1 st.u64 st.u8 st.v2.u64 st.v4.u32 st.volatile.f32 st.volatile.global.f32 st.volatile.global.u32
1 st.volatile.shared.u32 trap vote.ballot.sync.b32 vote.sync.all.pred vote.sync.any.pred vote.sync.ballot.b32
2 abs.f16 abs.f32 abs.f64 abs.ftz.f32 bfind.shiftamt.u32 brev.b32 brev.b64 clz.b32 clz.b64 cos.approx.f32
2 cos.approx.ftz.f32 cvt.f32.bf16 cvt.f32.f16 cvt.f64.f32 cvt.ftz.f64.f32 cvt.ftz.sat.f32.f32 cvt.rm.f32.s64
2 cvt.rmi.f32.f32 cvt.rmi.f64.f64 cvt.rmi.ftz.f32.f32 cvt.rmi.ftz.s32.f32 cvt.rmi.s32.f32 cvt.rn.bf16.f32
2 cvt.rn.f16.f32 cvt.rn.f16.f64 cvt.rn.f16.s32 cvt.rn.f32.f64 cvt.rn.f32.s16 cvt.rn.f32.s32 cvt.rn.f32.s64
2 cvt.rn.f32.u16 cvt.rn.f32.u32 cvt.rn.f32.u64 cvt.rn.f64.s16 cvt.rn.f64.s32 cvt.rn.f64.s64 cvt.rn.f64.u16
2 cvt.rn.f64.u32 cvt.rn.f64.u64 cvt.rn.ftz.f32.f64 cvt.rni.f16.f16 cvt.rni.f32.f32 cvt.rni.f64.f64
2 cvt.rni.ftz.s32.f32 cvt.rni.ftz.s64.f32 cvt.rni.ftz.u32.f32 cvt.rni.s16.f16 cvt.rni.s32.f32 cvt.rni.s32.f64
2 cvt.rni.s64.f32 cvt.rni.u32.f32 cvt.rp.f32.u32 cvt.rpi.f32.f32 cvt.rpi.f64.f64 cvt.rpi.ftz.f32.f32
2 cvt.rpi.ftz.s32.f32 cvt.rpi.s32.f32 cvt.rpi.u64.f64 cvt.rz.f32.f64 cvt.rz.f32.s32 cvt.rz.f64.s64
2 cvt.rz.ftz.f32.f64 cvt.rzi.f16.f16 cvt.rzi.f32.f32 cvt.rzi.f64.f64 cvt.rzi.ftz.s32.f32 cvt.rzi.ftz.s64.f32
2 cvt.rzi.ftz.u32.f32 cvt.rzi.ftz.u64.f32 cvt.rzi.s32.f16 cvt.rzi.s32.f32 cvt.rzi.s32.f64 cvt.rzi.s64.f32
2 cvt.rzi.s64.f64 cvt.rzi.u32.f32 cvt.rzi.u32.f64 cvt.rzi.u64.f32 cvt.rzi.u64.f64 cvt.s16.s8 cvt.s32.s16
2 cvt.s32.s8 cvt.s64.s16 cvt.s64.s32 cvt.s64.s8 cvt.sat.f32.f32 cvt.u16.u32 cvt.u16.u64 cvt.u16.u8 cvt.u32.u16
2 cvt.u32.u64 cvt.u64.u32 ex2.approx.f32 ex2.approx.ftz.f32 lg2.approx.f32 lg2.approx.ftz.f32 mov.b16 mov.b32
2 mov.b64 mov.f32 mov.f64 mov.pred mov.s32 mov.s64 mov.u16 mov.u32 mov.u64 neg.f16 neg.f32 neg.f64 neg.ftz.f32
2 neg.s16 neg.s32 neg.s64 not.b16 not.b32 not.b64 not.pred popc.b32 popc.b64 rcp.approx.ftz.f32 rcp.approx.ftz.f64
2 rcp.rn.f32 rcp.rn.f64 rcp.rn.ftz.f32 rsqrt.approx.f32 rsqrt.approx.f64 rsqrt.approx.ftz.f32 sin.approx.f32
2 sin.approx.ftz.f32 sqrt.approx.ftz.f32 sqrt.rm.f32 sqrt.rm.ftz.f32 sqrt.rn.f32 sqrt.rn.f64 tanh.approx.f32
3 add.bf16 add.cc.s64 add.cc.u32 add.f16 add.f16x2 add.f32 add.f64 add.ftz.f32 add.rn.f32 add.rn.f64
3 add.rn.ftz.f32 add.rp.f32 add.rp.ftz.f32 add.rz.f32 add.rz.f64 add.rz.ftz.f32 add.s16 add.s32 add.s64
3 add.sat.f16 add.u32 add.u64 addc.cc.s64 addc.cc.u32 addc.u32 and.b16 and.b32 and.b64 and.pred bmsk.clamp.b32
3 copysign.f32 copysign.f64 cvt.rn.bf16x2.f32 cvt.rn.f16x2.f32 div.approx.f32 div.approx.ftz.f32 div.rm.f64
3 div.rn.f32 div.rn.f64 div.rn.ftz.f32 div.rz.f32 div.rz.ftz.f32 div.s32 div.s64 div.u16 div.u32 div.u64 max.f16
3 max.f32 max.f64 max.ftz.f32 max.s32 max.s64 max.u32 max.u64 min.f32 min.f64 min.ftz.f32 min.s32 min.s64 min.u16
3 min.u32 min.u64 mul.f16 mul.f32 mul.f64 mul.ftz.f32 mul.hi.s32 mul.hi.s64 mul.hi.u32 mul.hi.u64 mul.lo.s16
3 mul.lo.s32 mul.lo.s64 mul.lo.u32 mul.rm.f32 mul.rm.ftz.f32 mul.rn.f32 mul.rn.f64 mul.rn.ftz.f32 mul.rp.f64
3 mul.sat.f16x2 mul.wide.s32 mul.wide.u32 or.b16 or.b32 or.b64 or.pred rem.s32 rem.s64 rem.u32 rem.u64
3 set.eq.f16.f16 set.eq.f16x2.f16x2 set.eq.u32.f16x2 set.lt.u32.f16x2 setp.eq.b16 setp.eq.b32 setp.eq.f32
3 setp.eq.f64 setp.eq.ftz.f32 setp.eq.s16 setp.eq.s32 setp.eq.s64 setp.ge.f32 setp.ge.f64 setp.ge.ftz.f32
3 setp.ge.s16 setp.ge.s32 setp.ge.s64 setp.ge.u16 setp.ge.u32 setp.ge.u64 setp.geu.f32 setp.geu.f64
3 setp.geu.ftz.f32 setp.gt.f32 setp.gt.f64 setp.gt.ftz.f32 setp.gt.s16 setp.gt.s32 setp.gt.s64 setp.gt.u16
3 setp.gt.u32 setp.gt.u64 setp.gtu.f32 setp.gtu.f64 setp.gtu.ftz.f32 setp.le.f32 setp.le.f64 setp.le.ftz.f32
3 setp.le.s16 setp.le.s32 setp.le.s64 setp.le.u16 setp.le.u32 setp.le.u64 setp.leu.f32 setp.leu.f64
3 setp.leu.ftz.f32 setp.lt.f16 setp.lt.f32 setp.lt.f64 setp.lt.ftz.f32 setp.lt.s16 setp.lt.s32 setp.lt.s64
3 setp.lt.u16 setp.lt.u32 setp.lt.u64 setp.ltu.f32 setp.ltu.f64 setp.ltu.ftz.f32 setp.ne.s16 setp.ne.s32
3 setp.ne.s64 setp.ne.u32 setp.neu.f32 setp.neu.f64 shl.b16 shl.b32 shl.b64 shr.b32 shr.b64 shr.s32 shr.s64
3 shr.u32 shr.u64 sub.cc.u32 sub.f32 sub.f64 sub.ftz.f32 sub.rn.f32 sub.rn.ftz.f32 sub.s16 sub.s32 sub.s64
3 subc.cc.u32 subc.u32 xor.b32 xor.b64
4 dp2a.lo.s32.s32 dp4a.u32.u32 fma.rm.f32 fma.rm.ftz.f32 fma.rn.bf16 fma.rn.f16 fma.rn.f16x2 fma.rn.f32 fma.rn.f64
4 fma.rn.ftz.f32 fma.rp.f32 fma.rp.ftz.f32 fma.rz.f32 fma.rz.ftz.f32 fns.b32 mad.lo.cc.u32 mad.lo.s32 mad.wide.u32
4 madc.hi.cc.u32 madc.hi.u32 madc.lo.cc.u32 prmt.b32 sad.s32 sad.u32 selp.b16 selp.b32 selp.b64 selp.f32 selp.f64
4 selp.u16 selp.u32 selp.u64 shf.l.wrap.b32 shf.r.clamp.b32
5 bfi.b64
1 atom.cas.acquire.cta.global.b32 ld.global.nc.L1::no_allocate.L2::128B.v4.f32 vote.ballot.sync.b32 vote.sync.ballot.b32
1 ld.relaxed.gpu.global.u32 st.release.gpu.global.u32 fence.acq_rel.gpu fence.sc.sys red.global.add.f32 elect.sync
)";

}  // namespace cudasim
