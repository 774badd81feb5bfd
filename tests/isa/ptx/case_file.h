// SPDX-License-Identifier: MIT
// A PTX case: a file of PTX whose opening comment says what it shows, how it is launched, and what the bits are.
// This file reads and rewrites that comment and compares results with it; it knows nothing of CUDA. The format is in
// tests/isa/ptx/README.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ptx_case {

/// One value of an `in:` or `out:` line: 8 hexadecimal digits are a 32-bit word, 16 a 64-bit value. `????????` in an
/// `out:` line is a value that no device has recorded yet.
struct Value {
  std::uint64_t bits = 0;
  unsigned size_bytes = 4;
  bool is_known = true;
};

/// One line of values: for `out:` the results of one instruction form.
struct Line {
  std::string label;
  std::vector<Value> values;
  std::size_t text_line = 0;     ///< index into Case::text_lines
  std::size_t offset_bytes = 0;  ///< where the first value lies in the buffer
};

/// How far a result of an approximate instruction may be from the recorded bits.
struct Tolerance {
  enum class Type { none, f16, bf16, f32, f64 } type = Type::none;
  bool is_packed = false;  ///< two 16-bit numbers in a word
  std::uint64_t ulps = 0;
  double absolute = 0.0;  ///< enough on its own; for functions whose zeros have large relative errors
};

struct Extent {
  unsigned x = 1, y = 1, z = 1;
};

struct Case {
  std::string path;
  std::vector<std::string> text_lines;
  std::string sentence;
  std::vector<std::string> rows;
  Extent grid, block;
  std::size_t shared_bytes = 0;
  /// Lanes that take part, one run for each; the mask is the first input word. Empty: one run, all lanes.
  std::vector<std::uint32_t> masks;
  std::vector<Line> in, arguments, out;
  Tolerance tolerance;
  int expected_error = 0;  ///< cudaError_t with which the launch must fail; 0: it must succeed
  std::size_t error_line = 0;
  int target = 0;  ///< 90 for `.target sm_90`: the least compute capability that can run the case

  std::size_t out_bytes() const;
  std::string ptx() const;
};

/// Reads a case. Throws std::runtime_error with path and line where the comment is not as the format asks.
Case read_case(const std::string& path);

/// The bytes of `lines`, one after the other, as a kernel sees them.
std::vector<unsigned char> bytes_of(const std::vector<Line>& lines);

/// The byte that the output buffer is filled with before a launch.
constexpr unsigned char poison = 0xCD;

/// Differences between `got` and the `out:` lines, one sentence each; at most `limit`, then a count. Lanes outside
/// `mask` must have left their values alone (poison) and have no bit in a line of lane masks.
std::vector<std::string> differences(const Case& test, const std::vector<unsigned char>& got, std::uint32_t mask,
                                     std::size_t limit);

/// Rewrites the `out:` lines (or, where `error` is not 0, the `error:` line) of the file with what a device did.
void record(Case& test, const std::vector<unsigned char>& got, int error);

}  // namespace ptx_case
