// SPDX-License-Identifier: MIT
#pragma once

namespace cudasim {

/// How an access takes part in synchronisation.
struct AccessKind {
  bool store : 1;   ///< or atomic
  bool atomic : 1;  ///< atom, red
  bool strong : 1;  ///< relaxed, acquire, release
  bool is_volatile : 1;
  bool fenced : 1;     ///< A volatile store after a fence of its warp: it publishes the writes before it.
  bool of_block : 1;   ///< Atomic or strong for the threads of its own block only.
  bool observes : 1;   ///< A load, or an atomic whose result is used: the thread can know what came before.
  bool read_only : 1;  ///< A load by the read-only cache.
  AccessKind()
      : store(false),
        atomic(false),
        strong(false),
        is_volatile(false),
        fenced(false),
        of_block(false),
        observes(false),
        read_only(false) {}
};

/// One that is atomic for the threads of all blocks.
inline bool is_device_atomic(const AccessKind& kind) { return kind.atomic && !kind.of_block; }

inline bool at_least_volatile(const AccessKind& kind) { return kind.atomic || kind.strong || kind.is_volatile; }
inline bool is_plain_read(const AccessKind& kind) { return !kind.store && !at_least_volatile(kind); }

/// Whether no order makes it right: the read-only cache may hold the value from before the launch (PTX ISA,
/// ld.global.nc).
inline bool is_stale_read(const AccessKind& now, const AccessKind& earlier) { return now.read_only && earlier.store; }

}  // namespace cudasim
