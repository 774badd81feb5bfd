// SPDX-License-Identifier: MIT
// The simplest kind of problem: a function from one array to another array of the same size. A new problem of this kind
// is an ArrayTask, as problem/example/reverse shows. Everything else follows from it.
#pragma once

#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "workbook/case/problem.h"
#include "workbook/judge/number_text.h"

namespace workbook {

/// The definition of a problem on arrays. T: float, int or another type of 32 bits.
template <typename T>
struct ArrayTask {
  static_assert(sizeof(T) == sizeof(std::uint32_t));

  std::string name;         ///< As Problem::name().
  std::string help;         ///< As Problem::help().
  std::string unit;         ///< The name of the elements: "floats".
  double operations = 0.0;  ///< The arithmetic of the definition, for each element.
  std::function<std::vector<T>(std::size_t n, std::uint32_t seed)> input{};
  std::function<std::vector<T>(const std::vector<T>& input)> reference{};
  /// The error bound of each element, for T = float. None: every bit must match.
  std::function<std::vector<float>(const std::vector<T>& input)> bounds{};
  /// The text of an element for a report. None: the number.
  std::function<std::string(T element)> text{};
  /// The function that the stage defines.
  std::function<void(const T* input, T* output, std::size_t n, unsigned block_size, cudaStream_t stream)> on_device{};

  /// The sizes of cases: both sides of a warp, of a block and of a vector. No block divides 65,539.
  Sizes quick{1003, 1, 2, 33, 257, 4097};
  Sizes hostile{0, 3, 31, 32, 63, 65, 127, 255, 256, 511, 513, 1023, 1025, 2049, 8191, 16'385, 65'539};
  Sizes full{0, 1, 2, 31, 32, 33, 255, 256, 257, 1023, 1025, 4097, 65'537, 100'003, 1'000'003};
};

/// A problem that an ArrayTask defines.
class ArrayProblem : public Problem {
 public:
  template <typename T>
  explicit ArrayProblem(ArrayTask<T> task) : task_(of_words(std::move(task))) {}

  std::string name() const override { return task_.name; }
  std::string help() const override { return task_.help; }
  std::vector<Extent> extents() const override;
  std::vector<Option> options() const override;  ///< --misalign and --output-misalign
  BlockRule block_rule() const override { return powers_of_two(32, 1024, 256); }
  Work work(const Settings& settings) const override;
  double device_bytes(const Settings& settings) const override { return 2.0 * work(settings).bytes_read + 65536.0; }
  std::vector<Settings> cases(Purpose purpose, const Settings& standard, const std::vector<dim3>& shapes,
                              bool simulated) const override;
  std::unique_ptr<Case> make_case(const Settings& settings) const override;

  /// The task, with its elements as words, for the benchmark (array_benchmark.h).
  const ArrayTask<std::uint32_t>& task() const { return task_; }

 private:
  template <typename To, typename From>
  static std::vector<To> as(const std::vector<From>& from) {
    std::vector<To> to(from.size());
    if (!from.empty()) std::memcpy(to.data(), from.data(), from.size() * sizeof(From));
    return to;
  }

  template <typename T>
  static ArrayTask<std::uint32_t> of_words(ArrayTask<T> task) {
    using Word = std::uint32_t;
    ArrayTask<Word> words{task.name, task.help, task.unit, task.operations};
    words.quick = task.quick, words.hostile = task.hostile, words.full = task.full;
    words.input = [f = task.input](std::size_t n, std::uint32_t seed) { return as<Word>(f(n, seed)); };
    words.reference = [f = task.reference](const std::vector<Word>& input) { return as<Word>(f(as<T>(input))); };
    if (task.bounds) words.bounds = [f = task.bounds](const std::vector<Word>& input) { return f(as<T>(input)); };
    words.text = [f = task.text](Word word) {
      const T element = as<T>(std::vector<Word>{word})[0];
      if (f) return f(element);
      return std::is_floating_point_v<T> ? plain(static_cast<double>(element), 9) : std::to_string(element);
    };
    words.on_device = [f = task.on_device](const Word* input, Word* output, std::size_t n, unsigned block_size,
                                           cudaStream_t stream) {
      f(reinterpret_cast<const T*>(input), reinterpret_cast<T*>(output), n, block_size, stream);
    };
    return words;
  }

  ArrayTask<std::uint32_t> task_;
};

}  // namespace workbook
