// SPDX-License-Identifier: MIT
// Ordinary kernels, in the manner of samples and textbooks, each launched once with a fixed input. What a GPU counts
// for them is in scripts/measured/ordinary_h200.json. Few blocks, so that none share an SM and arbitration adds no
// wavefronts.
#pragma once

#include <string>

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

/// Waits for the launch before it, stops the program if that failed, and prints `name`: launch n is line n.
void launched(const std::string& name);

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

}  // namespace ordinary
