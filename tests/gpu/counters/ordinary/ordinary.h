// SPDX-License-Identifier: MIT
// Ordinary kernels, in the manner of samples and textbooks, each launched with a fixed input. A run of the program has
// one of three sizes.
// - `counted`: What a GPU counts is in scripts/measured/ordinary_h200.json. Few blocks, so that none share an SM and
//   arbitration adds no wavefronts.
// - `timed`: What a GPU takes is in scripts/measured/times_h200.json. It has more kernels, which waste time.
// - `timed_again`: some kernels once more, at another size.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace ordinary {

/// Memory of the GPU, filled with numbers that are the same in every run: in [0, 1), or below `range`.
float* floats(unsigned count);
double* doubles(unsigned count);
unsigned* words(unsigned count, unsigned range);
unsigned char* bytes(unsigned count, unsigned range);
/// Ascending, with gaps.
unsigned* sorted(unsigned count);
/// Memory of the GPU that holds zeros, for a result.
template <class T>
T* zeros(unsigned count);
void* zeroed(unsigned long count_bytes);
template <class T>
T* zeros(unsigned count) {
  return static_cast<T*>(zeroed(count * sizeof(T)));
}

/// A number of blocks or elements, by the size of this run. With `again` the next kernel takes part in `timed_again`.
int pick(int counted, int timed, int again = 0);
/// Whether this run has the kernels that are only timed.
bool is_timed();

/// Launches a kernel once, or measures it. Prints a line, which begins with `name`: launch n is line n. Stops the
/// program if a launch failed. `before` restores what the kernel needs to do the same work again.
void launch(const std::string& name, const std::function<void()>& kernel, const std::function<void()>& before = {});

/// What the program launches, group by group. Each set of kernels has its own.
const std::vector<void (*)()>& groups();

void matrices();
void sums();
void searches();
void sorts();
void stencils();
void images();
void layouts();
void local_array();
void numerics();
void later();
void wasteful();
void exercises();

}  // namespace ordinary
