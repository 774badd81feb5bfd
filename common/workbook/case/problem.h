// SPDX-License-Identifier: MIT
// A problem as data, in one place: its extents, options, block shapes, work, cases by purpose, and how to make a case.
// Programs, tests and benchmarks know only this interface of a problem. CMake and Python read it through --describe
// --json. The header of each problem has its definition, reference and error bound.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "workbook/case/verdict.h"

namespace workbook {

/// The extents of an input: as many as Problem::extents() has, and each at most its `largest`.
using Sizes = std::vector<std::size_t>;

constexpr std::uint32_t kDefaultSeed = 12345;

/// The settings of one case, from the command line or from a list of cases.
struct Settings {
  Sizes sizes;
  std::uint32_t seed = 0;  ///< The value is 0 where Problem::has_seed() is false.
  dim3 block{0, 1, 1};     ///< Threads a block, in x and y.
  /// The value of each option of Problem::options(), by name: the index of a choice, or else the number.
  std::map<std::string, double> options;
  std::optional<std::uint64_t> changed{};  ///< Draws an element of the input that is another one (changed_element.h).

  std::size_t size() const { return sizes.at(0); }  ///< the size of a problem with one extent
  template <typename Choice>
  Choice choice(const std::string& option) const {
    return static_cast<Choice>(static_cast<unsigned>(options.at(option)));
  }
};

/// One extent of the input: "size", or "rows" and "columns".
struct Extent {
  std::string name;
  std::string help;          ///< Example: "how many floats".
  std::size_t standard = 0;  ///< The default of the command line.
  std::size_t largest = 0;   ///< A limit that keeps elements and bytes within 64 bits.
};

/// An option that only some problems have: "--distribution NAME", or "--from A".
struct Option {
  std::string name;                ///< Without dashes.
  std::string help;                ///< Half a sentence.
  std::vector<std::string> words;  ///< The choices. If empty, the value is a number from `smallest` to `largest`.
  double standard = 0.0;           ///< The index, for a choice.
  double smallest = 0.0;
  double largest = 0.0;
  bool is_whole = false;  ///< The value is a whole number.
  bool is_row = false;    ///< A benchmark measures, at each size, every value that cases(Purpose::bench) have.
};

/// The blocks that a stage must accept, the smallest first.
struct BlockRule {
  std::string words;         ///< Example: "a power of two from 32 to 1024".
  std::vector<dim3> shapes;  ///< All shapes that follow the rule.
  dim3 standard;
};

/// The work of a computation. GB/s, operations a second and all figures "an element" come from here alone.
struct Work {
  std::string unit;         ///< The name of the elements: "floats".
  double elements = 0.0;    ///< The number of elements.
  double bytes_read = 0.0;  ///< The bytes that any solution must read.
  double bytes_written = 0.0;
  double operations = 0.0;  ///< The arithmetic of the definition.
};

/// The purpose of a list of cases.
enum class Purpose : std::uint8_t {
  quick,    ///< The first few cases, which find most mistakes.
  hostile,  ///< Odd sizes, every block shape and difficult data. A verdict "solved" needs `quick` and `hostile`.
  full,     ///< More cases for an answer: the sizes of the lessons and special values.
  lesson,   ///< The one case of lessons and tables.
  bench,    ///< The cases that a benchmark measures.
};
const char* name_of(Purpose purpose);

/// Where an input or an output of a call lies in device memory.
struct ArrayPlace {
  std::string name;
  const void* address = nullptr;  ///< Null: the student's function decides it.
  std::size_t bytes = 0;          ///< Of its rows, without what lies between them.
  std::size_t needed = 0;         ///< So many bytes of it each right function loads, or stores. At first, all.
  bool is_output = false;
};

/// The conditions of one call.
struct Call {
  dim3 block;
  unsigned char poison = 0xFF;  ///< The value of every byte of an output before the call.
  bool has_guards = false;  ///< Memory lies between guard bands. This is always so on a GPU, because nothing else finds
                            ///< a stray store there.
  /// The call uses a stream that does not wait for the default stream. Then work in another stream becomes visible.
  bool has_own_stream = false;
  std::vector<ArrayPlace>* places = nullptr;  ///< The call adds its inputs and outputs. Null: nobody asks.
};

/// A result value of a call, beside its reference.
struct Value {
  std::string name;  ///< Example: "sum".
  double reference = 0.0;
  double got = 0.0;
  int digits = 9;  ///< The digits that tell two results apart: 9 for a float, 17 for a double.
};

/// The outcome of one call: its verdict and its result values.
struct Outcome {
  std::vector<Value> values;
  Verdict verdict;
};

class GpuTimer;

/// A test case: an input with its reference. It is made once, then called with several blocks.
class Case {
 public:
  virtual ~Case() = default;
  /// Calls the student's function once through DeviceCall (device_call.h), and judges the result. Lets the function's
  /// exceptions through.
  virtual Outcome call(const Call& call, GpuTimer& timer) = 0;
  /// True where there is no work: then nothing needs to be timed.
  virtual bool is_empty() const = 0;
  /// The report's line on the computation: "Input size: 5 elements (uniform, seed 12345)".
  virtual std::string description() const = 0;
  /// The time of the reference on one core of the CPU.
  virtual double cpu_time_ms() const = 0;
};

/// Calls a case once and returns the first of its result values. Throws what the student's function throws, and throws
/// when there is no time left.
using Measure = std::function<double(Case& one_case)>;

/// A problem: the interface that each problem implements.
class Problem {
 public:
  virtual ~Problem() = default;
  virtual std::string name() const = 0;  ///< Example: "reduction", as in "Stage 3 reduction matches reference".
  virtual std::string help() const = 0;  ///< One sentence for --help.
  virtual std::vector<Extent> extents() const = 0;  ///< One to three extents.
  virtual std::vector<Option> options() const = 0;
  virtual bool has_seed() const { return true; }
  /// The rule of the problem. A stage may narrow it to a list of shapes (stage.h).
  virtual BlockRule block_rule() const = 0;
  virtual Work work(const Settings& settings) const = 0;
  /// The device memory of one call in bytes, about. The host needs a multiple of it (too_large() in program.h).
  virtual double device_bytes(const Settings& settings) const = 0;
  /// The bytes of a computation's inputs and outputs that must leave the cache before the computation runs again. They
  /// are more than those of work() where a computation may end early.
  virtual double rotating_bytes(const Settings& settings) const {
    return work(settings).bytes_read + work(settings).bytes_written;
  }
  /// The cases of a purpose; those that find most come first.
  /// * `standard`: the default_settings() of the program; a case changes some of them.
  /// * `shapes`: the blocks that the stage must accept.
  /// * `simulated`: asks for smaller cases where a simulator is slow.
  virtual std::vector<Settings> cases(Purpose purpose, const Settings& standard, const std::vector<dim3>& shapes,
                                      bool simulated) const = 0;
  virtual std::unique_ptr<Case> make_case(const Settings& settings) const = 0;
  /// A diagnosis: what is wrong with a function whose result does not match with these settings. It asks the function
  /// for other inputs of the same size. Returns true sentences, or "" where the answers have no simple meaning.
  virtual std::string diagnosis(const Settings& /*settings*/, const Measure& /*measure*/) const { return ""; }
};

/// The cases of `bases`, each with every block. Code that runs them makes a base once if only its block differs.
std::vector<Settings> with_blocks(const std::vector<Settings>& bases, const std::vector<dim3>& shapes);
/// The cases of `bases` with one block each. The blocks take turns, so every block occurs at a fraction of the cost.
std::vector<Settings> with_blocks_in_turn(const std::vector<Settings>& bases, const std::vector<dim3>& shapes);

/// The powers of two from `smallest` to `largest`, in one dimension.
BlockRule powers_of_two(unsigned smallest, unsigned largest, unsigned standard);

}  // namespace workbook

/// The problem of the running program. Each problem has one file that defines it (its folder entry/). A program
/// compiles that file, or includes it in a namespace where several kernels share one program
/// (scripts/cmake/Collection.cmake).
const workbook::Problem& this_problem();
