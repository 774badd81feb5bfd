// SPDX-License-Identifier: MIT
// Two methods: read the partial sums of the blocks. If that is not possible, give a block's numbers to the function
// alone.
#include "workbook/problem/sums/statistics/partial_sums_diagnosis.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace workbook {
namespace {

constexpr std::size_t kMostThreads = 1024;

class Blocks {
 public:
  Blocks(const ElementCounts& counts, const QuestionsOfBlocks& ask)
      : counts_(counts),
        ask_(ask),
        first_(static_cast<std::size_t>(
            std::find_if(counts.times.begin(), counts.times.end(), [](double times) { return times != 1.0; }) -
            counts.times.begin())),
        times_(counts.times.at(first_)) {}

  std::string words() const {
    std::vector<bool> wrong(size());
    for (std::size_t i = 0; i < size(); ++i) {
      wrong[i] = counts_.times[i] != 1.0;
      if (wrong[i] && counts_.times[i] != times_) return "";
    }
    const PartialSums of_ones = ask_.partial_sums(std::vector<bool>(size(), true));
    if (of_ones.of_blocks.empty() || of_ones.is_in_place) return describe_segment();
    const std::size_t blocks = ask_.are_states ? count_states(of_ones) : of_ones.of_blocks.size();
    const double count = static_cast<double>(std::count(wrong.begin(), wrong.end(), true));
    const double kept = total(partial_sums(wrong));
    const bool is_lost = times_ == 0.0;
    if (kept == count && blocks == 1 && is_lost) {
      return " The partial sum of the only block still has what is lost: is it the result?";
    }
    if (blocks < 2) return "";
    if (kept == count) {
      return std::string(" The partial sums of the blocks ") +
             (is_lost ? "still have what is lost" : "have all of it once") + ": look at what adds these up.";
    }
    if (kept != times_ * count || !of_ones.is_sum_apart) return "";
    return is_lost ? describe_loss() : describe_excess();
  }

 private:
  std::size_t size() const { return counts_.times.size(); }
  static double total(const std::vector<double>& sums) { return std::accumulate(sums.begin(), sums.end(), 0.0); }

  // The partial sums without unwritten ones: the poison is below 1, or a NaN.
  std::vector<double> partial_sums(const std::vector<bool>& which) const {
    std::vector<double> sums = ask_.partial_sums(which).of_blocks;
    for (double& sum : sums) sum = sum >= 1.0 ? sum : 0.0;
    return sums;
  }
  std::vector<double> partial_sums_of(std::size_t element) const {
    std::vector<bool> which(size());
    which[element] = true;
    return partial_sums(which);
  }
  // The block that has the element once, or the number of blocks.
  std::size_t block_of(std::size_t element) const {
    const std::vector<double> sums = partial_sums_of(element);
    const auto found = std::find(sums.begin(), sums.end(), 1.0);
    return total(sums) == 1.0 ? static_cast<std::size_t>(found - sums.begin()) : sums.size();
  }

  // The number of blocks that stored a number, if each has some of the ones and none of the zeros. 0: these are no
  // numbers of the type.
  std::size_t count_states(const PartialSums& of_ones) const {
    std::vector<double> sums = of_ones.of_blocks;
    const auto end = std::find_if(sums.begin(), sums.end(), [](double sum) { return !(sum >= 1.0); });
    const auto is_number = [](double sum) { return sum == std::trunc(sum) && sum <= 1e9; };
    const bool are_numbers = std::all_of(sums.begin(), end, is_number) &&
                             std::none_of(end, sums.end(), [](double sum) { return sum >= 1.0; }) &&
                             total(partial_sums(std::vector<bool>(size()))) == 0.0;
    return are_numbers ? static_cast<std::size_t>(end - sums.begin()) : 0;
  }

  std::string describe_loss() const {
    const std::string already = " The partial sums of the blocks lack it already";
    const auto begin = counts_.times.begin() + static_cast<std::ptrdiff_t>(first_);
    const auto behind = std::find(begin, counts_.times.end(), 1.0);
    if (first_ == 0 || behind == counts_.times.end()) return already + ".";
    const std::size_t block = block_of(first_ - 1);
    const bool is_sure = block == block_of(static_cast<std::size_t>(behind - counts_.times.begin())) &&
                         block < partial_sums_of(first_).size();
    return already + (is_sure ? ": the first lies between elements of block " + std::to_string(block) + "." : ".");
  }

  std::string describe_excess() const {
    const std::vector<double> sums = partial_sums_of(first_);
    if (total(sums) != times_) return "";
    std::string blocks;
    std::size_t count = 0;
    for (std::size_t block = 0; block < sums.size(); ++block) {
      if (sums[block] == 0.0 || ++count > 3) continue;
      blocks += (count == 1 ? "" : ", ") + std::to_string(block);
    }
    const std::string first = std::to_string(first_);
    if (count == 1) return " The partial sum of block " + blocks + " already has element " + first + " too often.";
    return " Element " + first + " is in the partial sums of " + std::to_string(count) + " blocks: " + blocks +
           (count > 3 ? ", ..." : "") + ".";
  }

  // For stages whose partial sums are not readable, or whose blocks work in place. Block b has as many numbers as it
  // has threads, from b * blockDim.x on.
  std::string describe_segment() const {
    const std::size_t threads = counts_.block_threads, block = first_ / threads, begin = block * threads;
    if (size() <= threads || threads > kMostThreads) return "";
    const std::size_t count = std::min(threads, size() - begin);
    const std::vector<double> times = ask_.times_alone(count);
    const std::string alone =
        " Alone, the numbers of block " + std::to_string(block) + " (--size " + std::to_string(count) + ") ";
    if (std::count(times.begin(), times.end(), 1.0) == static_cast<std::ptrdiff_t>(count)) {
      return alone + "are added up right: look at the grid, at where a block's numbers begin, and at the next pass.";
    }
    if (!std::equal(times.begin(), times.end(), counts_.times.begin() + static_cast<std::ptrdiff_t>(begin))) return "";
    return alone + "go wrong in the same way: " +
           (count == threads ? "look at what a block does with its numbers."
                             : "is there a block for so few, and do its threads know where the numbers end?");
  }

  const ElementCounts& counts_;
  const QuestionsOfBlocks& ask_;
  std::size_t first_;
  double times_;
};

}  // namespace

std::string describe_blocks(const ElementCounts& counts, const QuestionsOfBlocks& ask) {
  return Blocks(counts, ask).words();
}

}  // namespace workbook
