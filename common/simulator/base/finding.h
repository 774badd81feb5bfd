// SPDX-License-Identifier: MIT
// A finding (compilers: diagnostic) is the simulator's report about a program: a value, no text layout. The folder
// report/ turns it into sentences and JSON.
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
  error,    ///< The kernel stops. The runtime returns the error that hardware would return.
  defect,   ///< The program is wrong and its result is not reliable. Hardware continues, and so does the kernel.
  warning,  ///< It breaks a rule of CUDA, but hardware continues. It is printed, and the kernel continues.
  remark,   ///< The program is right. It lacks what would show another mistake.
};

/// The facts of a finding that depend on its kind alone.
struct KindDescription {
  const char* word;  ///< "out-of-bounds", ... : of the JSON report
  Severity severity;
  int cuda_error;
  const char* message;
  const char* advice;
};
const KindDescription& words_of(FindingKind kind);
inline const char* name_of(FindingKind kind) { return words_of(kind).word; }

/// Return addresses of the host's calls that led to one of the runtime's functions, innermost first; null: no more.
/// They cost little. report/host_lines.h makes source lines of them when a finding is reported.
using CallStack = std::array<std::uintptr_t, 24>;

/// The other access of a race; for an uninitialised value: where it was loaded.
struct OtherAccess {
  SourceLine where;
  int ptx_line = 0;
  std::array<std::uint32_t, 3> block{};
  std::array<std::uint32_t, 3> thread{};
  bool is_store = false;
  bool is_atomic = false;
};

/// Two lines of another race that the same mistake makes.
struct LinePair {
  SourceLine where, other;
};

/// An earlier finding of the same launch.
struct Cause {
  FindingKind kind;
  SourceLine where;
  int ptx_line = 0;
};

struct Finding {
  // Out of line: each vector and each sort of findings repeats them otherwise, which is a tenth of the compile time of
  // the files that make findings.
  Finding();
  Finding(const Finding& other);
  Finding(Finding&& other) noexcept;
  Finding& operator=(const Finding& other);
  Finding& operator=(Finding&& other) noexcept;
  ~Finding();

  FindingKind kind = FindingKind::out_of_bounds;
  Severity severity = Severity::error;
  std::string kernel;               ///< demangled name
  SourceLine where;                 ///< innermost line in a user's file
  std::vector<SourceLine> inlined;  ///< the whole chain, innermost first; empty when it is just `where`
  int ptx_line = 0;
  std::array<std::uint32_t, 3> block{};   ///< blockIdx.
  std::array<std::uint32_t, 3> thread{};  ///< threadIdx of the first thread concerned.
  std::uint32_t lanes = 0;                ///< Lanes of that warp that are concerned: one bit a lane.
  std::string message;                    ///< One sentence: what happened.
  std::string advice;                     ///< One sentence: what to look at next.
  std::uint64_t address = 0;              ///< Memory findings only, as the four below.
  std::uint32_t access_bytes = 0;
  bool is_store = false;
  bool is_atomic = false;
  std::string allocation;  ///< "directly past the end of the 4096 bytes of allocation 3 (cudaMalloc)", ...
  CallStack callers{};  ///< That of the host's call that made this allocation. In a finding about the host: that call.
  CallStack other_call{};  ///< In a finding about a kernel's access and another stream's work: the host's call that put
                           ///< the work there.
  std::uint64_t seed = 0;  ///< The schedule that replays it.
  std::string replay;      ///< The settings that repeat this run, as "CUDASIM_SEED=7". Empty: any run shows it.
  int cuda_error = 0;      ///< The runtime returns it afterwards (cudaErrorIllegalAddress = 700, ...).
  std::optional<OtherAccess> other;
  std::string scope;  ///< For a race: "warp", "block" or "grid", the smallest group that has both threads.
  std::string
      hazard;       ///< For a race: "read-after-write", "write-after-read", "write-after-write", in this run's order.
  std::string use;  ///< For an uninitialised value: "address", "branch" or "result".
  std::string value_before, value_after;  ///< For a race of two stores: what the first left, what the second stores.
  std::vector<LinePair> also;             ///< For a race: further pairs of lines that the same barrier concerns.
  std::optional<Cause> follows;           ///< The finding whose value comes to this access or to a branch around it.
  std::uint64_t occurrences = 1;          ///< The same finding at the same line in this launch.
};

/// Whether it is about a line of the host program, that of Finding::callers, and about no thread of a kernel.
constexpr bool is_of_host(FindingKind kind) {
  return kind == FindingKind::refused_launch || kind == FindingKind::refused_copy ||
         kind == FindingKind::refused_call || kind == FindingKind::host_crash || kind == FindingKind::host_access ||
         kind == FindingKind::early_event || kind == FindingKind::host_wait || kind == FindingKind::unasked_launch;
}

/// The simulator cannot execute this program exactly, and reports so before the first step.
struct Refusal {
  std::string message;   ///< The cause, with the PTX line and, where known, file:line.
  std::string advice{};  ///< Empty: it is a limit of the simulator, and no mistake.
};

}  // namespace cudasim
