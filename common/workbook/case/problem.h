// SPDX-License-Identifier: MIT
// A problem as data, in one place: its extents, options, block shapes, work, cases by purpose, and how one case is
// made. A program, its tests, its benchmark and (through --describe --json) CMake and Python know of a problem what
// stands here and nothing else. What a problem computes, its reference and its error bound are in a header for each of
// them.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "workbook/case/verdict.h"

namespace workbook {

/// The extents of an input, as many as Problem::extents() has, and each at most its `largest`.
using Sizes = std::vector<std::size_t>;

constexpr std::uint32_t kDefaultSeed = 12345;

/// What the command line, or a list of cases, chose.
struct Settings {
  Sizes sizes;
  std::uint32_t seed = 0;  ///< 0 where Problem::has_seed() is false
  dim3 block{0, 1, 1};     ///< threads a block; x and y
  /// The value of each option of Problem::options(), by name: of a choice the index of the word, else the number.
  std::map<std::string, double> options;

  std::size_t size() const { return sizes.at(0); }  ///< of a problem with one extent
  template <typename Choice>
  Choice choice(const std::string& option) const {
    return static_cast<Choice>(static_cast<unsigned>(options.at(option)));
  }
};

/// One extent of the input: "size", or "rows" and "columns".
struct Extent {
  std::string name;
  std::string help;          ///< "how many floats"
  std::size_t standard = 0;  ///< unless the command line says otherwise
  std::size_t largest = 0;   ///< so that neither elements nor bytes can overflow 64 bits
};

/// An option that one problem has and others have not: "--distribution NAME", or "--from A".
struct Option {
  std::string name;                ///< without dashes
  std::string help;                ///< half a sentence
  std::vector<std::string> words;  ///< the choices; empty: a number from `smallest` to `largest`
  double standard = 0.0;           ///< of a choice the index of the word
  double smallest = 0.0;
  double largest = 0.0;
  bool is_whole = false;  ///< a whole number
  bool is_row = false;    ///< a benchmark measures, at each size, every value that cases(Purpose::bench) have
};

/// The blocks that a stage is held to, the smallest first.
struct BlockRule {
  std::string words;         ///< "a power of two from 32 to 1024"
  std::vector<dim3> shapes;  ///< all that follow it
  dim3 standard;
};

/// What a computation has to do: the only source of GB/s, of operations a second, and of figures "an element".
struct Work {
  std::string unit;         ///< what a person counts: "floats"
  double elements = 0.0;    ///< of these
  double bytes_read = 0.0;  ///< that it cannot do without
  double bytes_written = 0.0;
  double operations = 0.0;  ///< arithmetic of the definition
};

/// What cases are for.
enum class Purpose : std::uint8_t {
  quick,    ///< the first few that find most mistakes
  hostile,  ///< odd sizes, every block shape, data made to show what the usual hide: with `quick`, what a yes needs
  full,     ///< what an answer is held to beside these: sizes of the lessons, special values
  lesson,   ///< the one that lessons and tables show
  bench,    ///< what a benchmark measures
};
const char* name_of(Purpose purpose);

/// How one call is made.
struct Call {
  dim3 block;
  unsigned char poison = 0xFF;  ///< what every byte of an output holds before the call
  bool has_guards = false;  ///< memory lies between guard bands: always on a GPU, where nothing else sees a stray store
  /// In a stream that does not wait for the default stream: then work in another stream than the caller's shows.
  bool has_own_stream = false;
};

/// One figure that a call came to, beside what it should be.
struct Value {
  std::string name;  ///< "sum"
  double reference = 0.0;
  double got = 0.0;
  int digits = 9;  ///< that tell two results apart: 9 for a float, 17 for a double
};

struct Outcome {
  std::vector<Value> values;
  Verdict verdict;
};

class GpuTimer;

/// An input with its reference: made once, then called with several blocks.
class Case {
 public:
  virtual ~Case() = default;
  /// Calls the student's function once through DeviceCall (device_call.h), and judges what came of it.
  /// Throws what that function throws.
  virtual Outcome call(const Call& call, GpuTimer& timer) = 0;
  /// No work at all: then nothing needs to be timed.
  virtual bool is_empty() const = 0;
  /// "Input size: 5 elements (uniform, seed 12345)": the report's line on what was computed.
  virtual std::string description() const = 0;
  /// What the reference took on one core of the CPU.
  virtual double cpu_time_ms() const = 0;
};

/// Calls a case once and gives the first figure that it came to. Throws what the student's function throws, and where
/// there is no time left.
using Measure = std::function<double(Case& one_case)>;

class Problem {
 public:
  virtual ~Problem() = default;
  virtual std::string name() const = 0;             ///< "reduction": as in "Stage 3 reduction matches reference"
  virtual std::string help() const = 0;             ///< one sentence for --help
  virtual std::vector<Extent> extents() const = 0;  ///< one to three
  virtual std::vector<Option> options() const = 0;
  virtual bool has_seed() const { return true; }
  /// The rule of the problem; a stage may narrow it down to a list of shapes (stage.h).
  virtual BlockRule block_rule() const = 0;
  virtual Work work(const Settings& settings) const = 0;
  /// Bytes of device memory that one call takes, about; and of host memory beside a device's.
  virtual double device_bytes(const Settings& settings) const = 0;
  /// Bytes of the inputs and outputs of one computation, which must have left the cache before it comes again: more
  /// than those of work() where it may end before it has met them all.
  virtual double rotating_bytes(const Settings& settings) const {
    return work(settings).bytes_read + work(settings).bytes_written;
  }
  /// The cases of a purpose, those that find most first. `standard`: default_settings() of the program, of which a case
  /// changes what it is about. `shapes`: the blocks that the stage is held to. `simulated`: smaller, where a simulator
  /// would take long.
  virtual std::vector<Settings> cases(Purpose purpose, const Settings& standard, const std::vector<dim3>& shapes,
                                      bool simulated) const = 0;
  virtual std::unique_ptr<Case> make_case(const Settings& settings) const = 0;
  /// What is wrong with a function whose result does not match with these settings, found by asking it for other inputs
  /// of the same size: sentences that are true, or "" where the answers have no simple meaning.
  virtual std::string diagnosis(const Settings& /*settings*/, const Measure& /*measure*/) const { return ""; }
};

/// The cases of `bases`, each with every block; a base that is the same but for its block is made once by who runs
/// them.
std::vector<Settings> with_blocks(const std::vector<Settings>& bases, const std::vector<dim3>& shapes);
/// The same with one block each, which take turns: every block is met, at a fraction of the cost.
std::vector<Settings> with_blocks_in_turn(const std::vector<Settings>& bases, const std::vector<dim3>& shapes);

/// The powers of two from `smallest` to `largest`, in one dimension.
BlockRule powers_of_two(unsigned smallest, unsigned largest, unsigned standard);

}  // namespace workbook

/// The problem of the program that is running. A problem's entry defines it (problem/FAMILY/NAME/entry/): compiled for
/// a program, or included within a namespace where several kernels share one (scripts/cmake/Collection.cmake).
const workbook::Problem& this_problem();
