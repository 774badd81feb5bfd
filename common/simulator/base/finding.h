// SPDX-License-Identifier: MIT
// What the simulator has to say about a program: a value, no text layout. report/ turns it into sentences and JSON.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cudasim {

struct Dim3 {
  std::uint32_t x = 1, y = 1, z = 1;
  std::uint64_t count() const { return std::uint64_t{x} * y * z; }
};

/// A place in the student's source. `line` 0: unknown (compiled without -lineinfo).
struct SourceLine {
  std::string file;
  int line = 0;
  std::string function;  ///< mangled; empty: the kernel itself
};

enum class FindingKind : std::uint8_t {
#define FINDING(kind, word, plural, severity, cuda_error, message, advice) kind,
#include "base/vocabulary.inc"
};

enum class Severity : std::uint8_t {
  error,    ///< the kernel is stopped; the runtime returns the error that hardware would
  defect,   ///< the program is wrong and its result cannot be trusted, but hardware goes on, and so does the kernel
  warning,  ///< against the rules of CUDA, but hardware goes on: printed, and the kernel goes on
};

/// What is known of a finding by its kind alone.
struct KindWords {
  const char* word;  ///< "out-of-bounds", ... : of the JSON report
  Severity severity;
  int cuda_error;
  const char* message;
  const char* advice;
};
const KindWords& words_of(FindingKind kind);
inline const char* name_of(FindingKind kind) { return words_of(kind).word; }

/// Return addresses of the host's calls that led to one of the runtime's functions, innermost first; null: no more.
/// Cheap to take; report/host_lines.h makes source lines of them when a finding is told.
using CallStack = std::array<std::uintptr_t, 24>;

/// The other access of a race; of an uninitialised value: where it was loaded.
struct OtherAccess {
  SourceLine where;
  int ptx_line = 0;
  std::array<std::uint32_t, 3> block{};
  std::array<std::uint32_t, 3> thread{};
  bool is_store = false;
  bool is_atomic = false;
};

struct Finding {
  FindingKind kind = FindingKind::out_of_bounds;
  Severity severity = Severity::error;
  std::string kernel;               ///< demangled name
  SourceLine where;                 ///< innermost line in a user's file
  std::vector<SourceLine> inlined;  ///< the whole chain, innermost first; empty when it is just `where`
  int ptx_line = 0;
  std::array<std::uint32_t, 3> block{};   ///< blockIdx
  std::array<std::uint32_t, 3> thread{};  ///< threadIdx of the first thread concerned
  std::uint32_t lanes = 0;                ///< lanes of that warp that are concerned: one bit a lane
  std::string message;                    ///< one sentence: what happened
  std::string advice;                     ///< one sentence: what to look at next
  std::uint64_t address = 0;              ///< memory findings only, as the four below
  std::uint32_t access_bytes = 0;
  bool is_store = false;
  bool is_atomic = false;
  std::string allocation;  ///< "directly past the end of the 4096 bytes of allocation 3 (cudaMalloc)", ...
  CallStack callers{};     ///< of the host's call that made this allocation; of a finding about the host: of that call
  CallStack other_call{};  ///< of a kernel's access and another stream's work: of the host's call that put it there
  std::uint64_t seed = 0;  ///< the schedule that replays it
  int cuda_error = 0;      ///< what the runtime returns afterwards (cudaErrorIllegalAddress = 700, ...)
  std::optional<OtherAccess> other;
  std::string scope;   ///< of a race: "warp", "block" or "grid", the smallest group that has both threads
  std::string hazard;  ///< of a race: "read-after-write", "write-after-read", "write-after-write", in this run's order
  std::string use;     ///< of an uninitialised value: "address", "branch" or "result"
  std::string value_before, value_after;  ///< of a race of two stores: what the first left, what the second stores
  std::uint64_t occurrences = 1;          ///< the same finding at the same line in this launch
};

/// Whether it is about a line of the host program, that of Finding::callers, and about no thread of a kernel.
constexpr bool is_of_host(FindingKind kind) {
  return kind == FindingKind::refused_launch || kind == FindingKind::host_crash;
}

/// The simulator cannot execute this program exactly, and says so before the first step.
struct Refusal {
  std::string message;   ///< what, with the PTX line and, where known, file:line
  std::string advice{};  ///< empty: it is a limit of the simulator, and no mistake
};

}  // namespace cudasim
