// SPDX-License-Identifier: MIT
// What cuRAND's host interface gives: for each generator, ordering and distribution the numbers of several calls in a
// row. The same program runs with NVIDIA's library and with the simulator's:
//
//   nvcc -std=c++17 -arch=compute_75 -cudart shared curand_numbers.cu -lcurand -o curand_numbers
//   ./curand_numbers            on a GPU, or on the simulator
//   ./curand_numbers --host     generators of the host (curandCreateGeneratorHost), which need no GPU
//
// With --small it does less, as for the file that is recorded here.
//
// A line has a case, a digest of all bits, and some of the numbers. Behind "~" are numbers that go through sines and
// logarithms, whose last bits differ between a GPU and a CPU. compare_curand.py compares two such outputs.
#include <curand.h>

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

namespace {

bool on_host = false, is_small = false;

void* allocate(std::size_t bytes) {
  if (on_host) return ::operator new(bytes);
  void* memory = nullptr;
  if (cudaMalloc(&memory, bytes) != cudaSuccess) std::printf("cudaMalloc fails\n");
  return memory;
}
void release(void* memory) { on_host ? ::operator delete(memory) : static_cast<void>(cudaFree(memory)); }

struct Generator {
  const char* name;
  curandRngType_t type;
};
constexpr Generator kGenerators[] = {{"xorwow", CURAND_RNG_PSEUDO_XORWOW},
                                     {"mrg32k3a", CURAND_RNG_PSEUDO_MRG32K3A},
                                     {"philox", CURAND_RNG_PSEUDO_PHILOX4_32_10}};

struct Ordering {
  const char* name;
  curandOrdering_t value;
};
constexpr Ordering kOrderings[] = {{"default", CURAND_ORDERING_PSEUDO_DEFAULT},
                                   {"best", CURAND_ORDERING_PSEUDO_BEST},
                                   {"legacy", CURAND_ORDERING_PSEUDO_LEGACY}};

curandGenerator_t make(const Generator& generator) {
  curandGenerator_t made = nullptr;
  const auto status =
      on_host ? curandCreateGeneratorHost(&made, generator.type) : curandCreateGenerator(&made, generator.type);
  if (status != CURAND_STATUS_SUCCESS) std::printf("%s: cannot be created (%d)\n", generator.name, status);
  return made;
}

std::string text_of(std::uint32_t value) { return std::to_string(value); }
std::string text_of(float value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", static_cast<double>(value));
  return text;
}
std::string text_of(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

/// Calls of these sizes, one after the other, by one generator; a line for each.
template <typename T, typename Fill>
void print(const std::string& name, curandGenerator_t generator, const std::vector<std::size_t>& sizes, bool is_exact,
           Fill fill) {
  for (const std::size_t n : sizes) {
    T* const memory = static_cast<T*>(allocate(n * sizeof(T)));
    const int status = fill(generator, memory, n);
    std::vector<T> numbers(n);
    if (on_host) {
      std::memcpy(numbers.data(), memory, n * sizeof(T));
    } else {
      cudaMemcpy(numbers.data(), memory, n * sizeof(T), cudaMemcpyDeviceToHost);
    }
    release(memory);
    if (status != CURAND_STATUS_SUCCESS) {
      std::printf("%s %zu: status %d\n", name.c_str(), n, status);
      continue;
    }
    std::uint64_t digest = 0xcbf29ce484222325u;
    const auto* bytes = reinterpret_cast<const unsigned char*>(numbers.data());
    for (std::size_t i = 0; i < n * sizeof(T); ++i) digest = (digest ^ bytes[i]) * 0x100000001b3u;
    std::printf("%s %zu: %016" PRIx64 "%s", name.c_str(), n, digest, is_exact ? "" : " ~");
    for (const std::size_t i : {std::size_t{0}, n / 3, n - 1}) std::printf(" %s", text_of(numbers[i]).c_str());
    std::printf("\n");
  }
}

/// All distributions, each with a new generator that `prepare` sets.
template <typename Prepare>
void print_all(const Generator& of, const std::string& name, const std::vector<std::size_t>& sizes, Prepare prepare) {
  std::vector<std::size_t> even;
  for (const std::size_t n : sizes) even.push_back(n + n % 2);
  const auto with = [&](auto body) {
    curandGenerator_t generator = make(of);
    if (generator == nullptr) return;
    const int status = prepare(generator);
    if (status != CURAND_STATUS_SUCCESS) {
      std::printf("%s: status %d\n", name.c_str(), status);
    } else {
      body(generator);
    }
    curandDestroyGenerator(generator);
  };
  using G = curandGenerator_t;
  using N = std::size_t;
  with([&](G g) {
    print<std::uint32_t>(name + " bits", g, sizes, true,
                         [](G h, std::uint32_t* p, N n) { return curandGenerate(h, p, n); });
  });
  with([&](G g) {
    print<float>(name + " uniform", g, sizes, true, [](G h, float* p, N n) { return curandGenerateUniform(h, p, n); });
  });
  with([&](G g) {
    print<double>(name + " uniform-double", g, sizes, true,
                  [](G h, double* p, N n) { return curandGenerateUniformDouble(h, p, n); });
  });
  with([&](G g) {
    print<float>(name + " normal", g, even, false,
                 [](G h, float* p, N n) { return curandGenerateNormal(h, p, n, 0, 1); });
  });
  with([&](G g) {
    print<float>(name + " normal-2-3", g, even, false,
                 [](G h, float* p, N n) { return curandGenerateNormal(h, p, n, 2, 3); });
  });
  with([&](G g) {
    print<double>(name + " normal-double", g, even, false,
                  [](G h, double* p, N n) { return curandGenerateNormalDouble(h, p, n, 1, 2); });
  });
  with([&](G g) {
    print<float>(name + " log-normal", g, even, false,
                 [](G h, float* p, N n) { return curandGenerateLogNormal(h, p, n, 1, 0.5f); });
  });
  with([&](G g) {
    print<double>(name + " log-normal-double", g, even, false,
                  [](G h, double* p, N n) { return curandGenerateLogNormalDouble(h, p, n, 1, 0.5); });
  });
}

/// Different distributions by one generator: what one call leaves for the next.
void print_mixed(const Generator& of) {
  curandGenerator_t generator = make(of);
  if (generator == nullptr) return;
  curandSetPseudoRandomGeneratorSeed(generator, 5);
  const std::string name = std::string(of.name) + " mixed ";
  using G = curandGenerator_t;
  using N = std::size_t;
  for (const std::size_t n : {N{6}, N{1}, N{4098}, N{90'001}}) {
    print<std::uint32_t>(name + "bits", generator, {n}, true,
                         [](G h, std::uint32_t* p, N m) { return curandGenerate(h, p, m); });
    print<double>(name + "uniform-double", generator, {n}, true,
                  [](G h, double* p, N m) { return curandGenerateUniformDouble(h, p, m); });
    print<float>(name + "normal", generator, {n}, false,
                 [](G h, float* p, N m) { return curandGenerateNormal(h, p, m, 0, 1); });
    print<float>(name + "uniform", generator, {n}, true,
                 [](G h, float* p, N m) { return curandGenerateUniform(h, p, m); });
  }
  curandDestroyGenerator(generator);
}

void print_statuses() {
  curandGenerator_t generator = nullptr;
  std::printf("status of null handle: %d\n", curandCreateGenerator(nullptr, CURAND_RNG_PSEUDO_XORWOW));
  std::printf("status of no such type: %d\n", curandCreateGenerator(&generator, static_cast<curandRngType_t>(99)));
  if (curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_XORWOW) != CURAND_STATUS_SUCCESS) return;
  void* memory = nullptr;
  cudaMalloc(&memory, 4096);
  auto* words = static_cast<unsigned*>(memory);
  std::printf("status of nothing: %d\n", curandGenerate(generator, words, 0));
  std::printf("status of long long: %d\n",
              curandGenerateLongLong(generator, static_cast<unsigned long long*>(memory), 8));
  std::printf("status of dimensions: %d\n", curandSetQuasiRandomGeneratorDimensions(generator, 3));
  std::printf("status of quasi ordering: %d\n", curandSetGeneratorOrdering(generator, CURAND_ORDERING_QUASI_DEFAULT));
  std::printf("status of no such ordering: %d\n",
              curandSetGeneratorOrdering(generator, static_cast<curandOrdering_t>(7)));
  std::printf("status of no generator: %d\n", curandGenerate(nullptr, words, 8));
  curandDestroyGenerator(generator);
  cudaFree(memory);
}

}  // namespace

int main(int count, char** words) {
  for (int i = 1; i < count; ++i) {
    on_host |= std::strcmp(words[i], "--host") == 0;
    is_small |= std::strcmp(words[i], "--small") == 0;
  }
  using Sizes = std::vector<std::size_t>;
  for (const Generator& generator : kGenerators) {
    const std::string name = generator.name;
    print_all(generator, name, is_small ? Sizes{1, 7, 5000} : Sizes{1, 2, 7, 1000, 5000, 100'001},
              [](curandGenerator_t) { return CURAND_STATUS_SUCCESS; });
    for (const Ordering& ordering : kOrderings) {
      print_all(generator, name + " " + ordering.name, is_small ? Sizes{10, 90'000} : Sizes{10, 20'000, 1'000'003},
                [&](curandGenerator_t made) {
                  const int status = curandSetGeneratorOrdering(made, ordering.value);
                  return status != 0 ? status : static_cast<int>(curandSetPseudoRandomGeneratorSeed(made, 1234));
                });
    }
    print_all(generator, name + " seed", {9, 3000},
              [](curandGenerator_t made) { return curandSetPseudoRandomGeneratorSeed(made, 0x123456789abcdef0); });
    for (const unsigned long long offset : {3ull, 1'000'001ull, 1ull << 40}) {
      print_all(generator, name + " offset-" + std::to_string(offset), {9, 3000},
                [offset](curandGenerator_t made) { return curandSetGeneratorOffset(made, offset); });
    }
    print_mixed(generator);
  }
  if (!on_host) print_statuses();
}
