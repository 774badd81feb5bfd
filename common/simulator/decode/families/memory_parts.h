// SPDX-License-Identifier: MIT
// The common parts of loads, stores, atomics and copies: how spaces, orders and hints are written, and what they mean.
#pragma once

#include "decode/decoder.h"
#include "isa/families.h"

#define ANY_TYPE "<.b8|.b16|.b32|.b64|.u8|.u16|.u32|.u64|.s8|.s16|.s32|.s64|.f32|.f64>"
#define SHARED_SPACE "[.shared|.shared::cta]"
#define PREFETCH_SIZE "[.L2::64B|.L2::128B|.L2::256B]"

namespace cudasim {

inline ptx::Space space_of(const Found& found) {
  if (found.has("global")) return ptx::Space::global;
  if (found.has("shared") || found.has("shared::cta")) return ptx::Space::shared;
  if (found.has("local")) return ptx::Space::local;
  if (found.has("const")) return ptx::Space::constant;
  if (found.has("param") || found.has("param::entry") || found.has("param::func")) return ptx::Space::param;
  return ptx::Space::generic;
}

inline Ordering ordering_of(const Found& found) {
  if (found.has("volatile")) return Ordering::is_volatile;
  if (found.has("relaxed") || found.has("mmio")) return Ordering::relaxed;
  if (found.has("acquire")) return Ordering::acquire;
  if (found.has("release")) return Ordering::release;
  if (found.has("acq_rel")) return Ordering::acquire_release;
  return Ordering::weak;
}

}  // namespace cudasim
