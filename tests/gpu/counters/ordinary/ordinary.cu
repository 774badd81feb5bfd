// SPDX-License-Identifier: MIT
// Inputs of the kernels, and the program that launches them all, in a fixed order.
#include <cstdint>
#include <iostream>
#include <memory>
#include <vector>

#include "ordinary.h"
#include "times.h"
#include "workbook/student/cuda_check.h"

namespace ordinary {
namespace {

enum class Size { counted, timed, timed_again };
Size run_size = Size::counted;
std::unique_ptr<Stopwatch> stopwatch;  // none where each kernel is launched once
std::string wanted;                    // a part of the names of all kernels that are launched
bool is_again = false;                 // since the last kernel, pick() had a third number
std::vector<void*> memories;

void* allocated(unsigned long count_bytes) {
  void* memory = nullptr;
  CUDA_CHECK(cudaMalloc(&memory, count_bytes));
  memories.push_back(memory);
  return memory;
}

void release() {
  for (void* memory : memories) CUDA_CHECK(cudaFree(memory));
  memories.clear();
}

std::uint32_t mixed(std::uint32_t i) {
  i = (i + 1) * 2654435761u;
  i = (i ^ (i >> 15)) * 2246822519u;
  i = (i ^ (i >> 13)) * 3266489917u;
  return i ^ (i >> 16);
}

/// `of(i)` for each i below `count`, on the GPU.
template <class T, class Of>
T* filled(unsigned count, Of of) {
  std::vector<T> values(count);
  for (unsigned i = 0; i < count; ++i) values[i] = of(i);
  void* memory = allocated(count * sizeof(T));
  CUDA_CHECK(cudaMemcpy(memory, values.data(), count * sizeof(T), cudaMemcpyHostToDevice));
  return static_cast<T*>(memory);
}

/// Reads the options. Returns whether they are known.
bool read_options(int count, char** words) {
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    if (word == "--timed") {
      run_size = Size::timed;
    } else if (word == "--timed-again") {
      run_size = Size::timed_again;
    } else if (word == "--times") {
      stopwatch = std::make_unique<Stopwatch>();
    } else if (word == "--only" && i + 1 < count) {
      wanted = words[++i];
    } else {
      return false;
    }
  }
  return true;
}

}  // namespace

float* floats(unsigned count) {
  return filled<float>(count, [](unsigned i) { return static_cast<float>(mixed(i) >> 8) / 16777216.0f; });
}
double* doubles(unsigned count) {
  return filled<double>(count, [](unsigned i) { return mixed(i) / 4294967296.0; });
}
unsigned* words(unsigned count, unsigned range) {
  return filled<unsigned>(count, [=](unsigned i) { return mixed(i) % range; });
}
unsigned char* bytes(unsigned count, unsigned range) {
  return filled<unsigned char>(count, [=](unsigned i) { return static_cast<unsigned char>(mixed(i) % range); });
}
unsigned* sorted(unsigned count) {
  return filled<unsigned>(count, [](unsigned i) { return 7 * i + mixed(i) % 7; });
}

void* zeroed(unsigned long count_bytes) {
  void* memory = allocated(count_bytes);
  CUDA_CHECK(cudaMemset(memory, 0, count_bytes));
  return memory;
}

int pick(int counted, int timed, int again) {
  is_again = is_again || again != 0;
  return run_size == Size::counted ? counted : run_size == Size::timed || again == 0 ? timed : again;
}

bool is_timed() { return run_size != Size::counted; }

void launch(const std::string& name, const std::function<void()>& kernel, const std::function<void()>& before) {
  const bool is_left_out = (run_size == Size::timed_again && !is_again) || name.find(wanted) == std::string::npos;
  is_again = false;
  if (is_left_out) return;
  if (stopwatch) {
    std::cout << name << '\t' << stopwatch->measure(kernel, before) << std::endl;
    return;
  }
  kernel();
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaDeviceSynchronize());
  std::cout << name << '\n';
}

}  // namespace ordinary

int main(int count, char** words) {
  using namespace ordinary;
  if (!read_options(count, words)) {
    std::cerr << "usage: " << words[0] << " [--timed | --timed-again] [--times] [--only PART_OF_A_NAME]\n";
    return 2;
  }
  if (stopwatch) std::cout << "nothing\t" << stopwatch->of_nothing() << '\n';
  for (const auto group : groups()) {
    group();
    release();
  }
}
