// SPDX-License-Identifier: MIT
// Sizes go up from 1; then a search goes back into the gap before the first size that fails.
#include "workbook/judge/shrink.h"

#include <algorithm>

namespace workbook {
namespace {

// The sizes 1 to 40, and both sides of each larger power of two up to `largest`, which is the last.
Sizes steps_to(std::size_t largest) {
  Sizes steps;
  for (std::size_t size = 1; size <= 40 && size < largest; ++size) steps.push_back(size);
  for (std::size_t power = 64; power - 1 < largest; power *= 2) {
    for (const std::size_t size : {power - 1, power, power + 1}) {
      if (size < largest) steps.push_back(size);
    }
  }
  if (largest > 0) steps.push_back(largest);
  return steps;
}

bool is_same(const dim3& one, const dim3& other) { return one.x == other.x && one.y == other.y; }

class Search {
 public:
  Search(const Settings& failing, const std::vector<dim3>& shapes, const std::function<bool(const Settings&)>& fails)
      : found_(failing), fails_(fails), blocks_{failing.block} {
    if (!is_same(shapes.front(), failing.block)) blocks_.insert(blocks_.begin(), shapes.front());
  }

  // The first size that fails, among those that set_size(settings, size) makes. All sizes are less than
  // `size_of(found)`.
  template <typename SetSize>
  void shrink(std::size_t largest, SetSize set_size) {
    std::size_t passes = 0;  // the largest size below which no failure is known
    for (std::size_t size : steps_to(largest)) {
      if (!fails_with(size, set_size)) {
        passes = size;
        continue;
      }
      while (size - passes > 1) {
        const std::size_t middle = passes + (size - passes) / 2;
        (fails_with(middle, set_size) ? size : passes) = middle;
      }
      return;
    }
  }

  // Takes the first of `shapes` with which the found case fails too.
  void shrink_block(const std::vector<dim3>& shapes) {
    for (const dim3& shape : shapes) {
      Settings smaller = found_;
      smaller.block = shape;
      if (is_same(shape, found_.block) || fails_(smaller)) {
        found_ = smaller;
        return;
      }
    }
  }

  const Settings& found() const { return found_; }

 private:
  template <typename SetSize>
  bool fails_with(std::size_t size, SetSize set_size) {
    for (const dim3& block : blocks_) {
      Settings smaller = found_;
      set_size(smaller.sizes, size);
      smaller.block = block;
      if (!fails_(smaller)) continue;
      found_ = smaller;
      return true;
    }
    return false;
  }

  Settings found_;
  const std::function<bool(const Settings&)>& fails_;
  std::vector<dim3> blocks_;  // the smallest first
};

}  // namespace

Settings smallest_failing(const Settings& failing, const std::vector<dim3>& shapes,
                          const std::function<bool(const Settings&)>& fails) {
  Search search(failing, shapes, fails);
  const Sizes limits = failing.sizes;
  search.shrink(*std::max_element(limits.begin(), limits.end()), [&limits](Sizes& sizes, std::size_t size) {
    for (std::size_t i = 0; i < sizes.size(); ++i) sizes[i] = std::min(size, limits[i]);
  });
  for (std::size_t i = 0; limits.size() > 1 && i < limits.size(); ++i) {
    search.shrink(search.found().sizes[i], [i](Sizes& sizes, std::size_t size) { sizes[i] = size; });
  }
  search.shrink_block(shapes);
  return search.found();
}

}  // namespace workbook
