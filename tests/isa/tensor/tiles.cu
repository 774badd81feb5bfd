// SPDX-License-Identifier: MIT
// The arithmetic of tensor cores, tile by tile, against what an H200 made of the same tiles (h200.txt). Each thousand
// tiles have a hash of every bit that came out. The first ten tiles also have their first row, to look at. Runs on the
// simulator and on a GPU.
//
//   tensor-tiles h200.txt           the first thousand tiles of each format
//   tensor-tiles h200.txt --all     all hundred thousand
//   tensor-tiles --write h200.txt   on a GPU: writes the file
//
// To compare another GPU with an H200, which the bounds of stages 37 and 38 are for:
//
//   nvcc -arch=native -o tensor-tiles tests/isa/tensor/tiles.cu && ./tensor-tiles tests/isa/tensor/h200.txt
#include <mma.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "tiles.h"

using tiles::Element;

__host__ __device__ constexpr int bits_of(Element element) {
  return element == Element::f64                                                          ? 64
         : element == Element::tf32 || element == Element::f32 || element == Element::s32 ? 32
         : element == Element::s8 || element == Element::u8                               ? 8
                                                                                          : 16;
}

/// Registers of a fragment, and how many of its elements each holds.
template <Element element, int count>
struct Fragment {
  static constexpr int word_bits = element == Element::f64 ? 64 : 32;
  static constexpr int per = word_bits / bits_of(element);
  static constexpr int registers = count * bits_of(element) / word_bits / 32;
  std::uint64_t words[registers];
};

#define REGISTERS_1(x) "r"((unsigned)x[0])
#define REGISTERS_2(x) REGISTERS_1(x), "r"((unsigned)x[1])
#define REGISTERS_4(x) REGISTERS_2(x), "r"((unsigned)x[2]), "r"((unsigned)x[3])
#define DOUBLES_1(x) "d"(__longlong_as_double(x[0]))
#define DOUBLES_2(x) DOUBLES_1(x), "d"(__longlong_as_double(x[1]))
#define DOUBLES_4(x) DOUBLES_2(x), "d"(__longlong_as_double(x[2])), "d"(__longlong_as_double(x[3]))
#define DOUBLES_8(x)                                                                                               \
  DOUBLES_4(x), "d"(__longlong_as_double(x[4])), "d"(__longlong_as_double(x[5])), "d"(__longlong_as_double(x[6])), \
      "d"(__longlong_as_double(x[7]))

#define OPERANDS_4_2_4 "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%10,%11,%12,%13};"
#define OPERANDS_2_1_4 "{%0,%1,%2,%3}, {%4,%5}, {%6}, {%7,%8,%9,%10};"
#define OPERANDS_4_2_2 "{%0,%1}, {%2,%3,%4,%5}, {%6,%7}, {%8,%9};"
#define OPERANDS_2_1_2 "{%0,%1}, {%2,%3}, {%4}, {%5,%6};"
#define OPERANDS_1_1_2 "{%0,%1}, {%2}, {%3}, {%4,%5};"
#define OPERANDS_8_4_4 "{%0,%1,%2,%3}, {%4,%5,%6,%7,%8,%9,%10,%11}, {%12,%13,%14,%15}, {%16,%17,%18,%19};"

#define FORMAT(NAME, M, N, K, A, B, C, WORD, CONSTRAINT, KIND, NA, NB, NC, TEXT)                             \
  struct NAME {                                                                                              \
    static constexpr bool is_wmma = false;                                                                   \
    static constexpr const char* name = #NAME;                                                               \
    static constexpr int m = M, n = N, k = K;                                                                \
    static constexpr Element a = Element::A, b = Element::B, c = Element::C;                                 \
    __device__ static void multiply(const std::uint64_t* x, const std::uint64_t* y, const std::uint64_t* z,  \
                                    std::uint64_t* out) {                                                    \
      WORD d[NC];                                                                                            \
      asm volatile(TEXT " " OPERANDS_##NA##_##NB##_##NC                                                      \
                   : OUT_##NC(CONSTRAINT)                                                                    \
                   : KIND##_##NA(x), KIND##_##NB(y), KIND##_##NC(z));                                        \
      for (int i = 0; i < NC; ++i) out[i] = sizeof(WORD) == 8 ? __double_as_longlong(d[i]) : (unsigned)d[i]; \
    }                                                                                                        \
  };
#define OUT_2(c) c(d[0]), c(d[1])
#define OUT_4(c) OUT_2(c), c(d[2]), c(d[3])
#define R_OUT "=r"
#define D_OUT "=d"

FORMAT(f16_k16, 16, 8, 16, f16, f16, f32, unsigned, R_OUT, REGISTERS, 4, 2, 4,
       "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32")
FORMAT(f16_k8, 16, 8, 8, f16, f16, f32, unsigned, R_OUT, REGISTERS, 2, 1, 4,
       "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32")
FORMAT(f16_k16_to_f16, 16, 8, 16, f16, f16, f16, unsigned, R_OUT, REGISTERS, 4, 2, 2,
       "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16")
FORMAT(f16_k8_to_f16, 16, 8, 8, f16, f16, f16, unsigned, R_OUT, REGISTERS, 2, 1, 2,
       "mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16")
FORMAT(bf16_k16, 16, 8, 16, bf16, bf16, f32, unsigned, R_OUT, REGISTERS, 4, 2, 4,
       "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32")
FORMAT(bf16_k8, 16, 8, 8, bf16, bf16, f32, unsigned, R_OUT, REGISTERS, 2, 1, 4,
       "mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32")
FORMAT(tf32_k8, 16, 8, 8, tf32, tf32, f32, unsigned, R_OUT, REGISTERS, 4, 2, 4,
       "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32")
FORMAT(tf32_k4, 16, 8, 4, tf32, tf32, f32, unsigned, R_OUT, REGISTERS, 2, 1, 4,
       "mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32")
FORMAT(s8_k32, 16, 8, 32, s8, s8, s32, unsigned, R_OUT, REGISTERS, 4, 2, 4,
       "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32")
FORMAT(u8_s8_k32_sat, 16, 8, 32, u8, s8, s32, unsigned, R_OUT, REGISTERS, 4, 2, 4,
       "mma.sync.aligned.m16n8k32.row.col.satfinite.s32.u8.s8.s32")
FORMAT(s8_u8_k16_sat, 16, 8, 16, s8, u8, s32, unsigned, R_OUT, REGISTERS, 2, 1, 4,
       "mma.sync.aligned.m16n8k16.row.col.satfinite.s32.s8.u8.s32")
FORMAT(u8_m8_k16_sat, 8, 8, 16, u8, u8, s32, unsigned, R_OUT, REGISTERS, 1, 1, 2,
       "mma.sync.aligned.m8n8k16.row.col.satfinite.s32.u8.u8.s32")
FORMAT(f64_k4, 8, 8, 4, f64, f64, f64, double, D_OUT, DOUBLES, 1, 1, 2,
       "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64")
FORMAT(f64_m16_k4, 16, 8, 4, f64, f64, f64, double, D_OUT, DOUBLES, 2, 1, 4,
       "mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64")
FORMAT(f64_m16_k8, 16, 8, 8, f64, f64, f64, double, D_OUT, DOUBLES, 4, 2, 4,
       "mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64")
FORMAT(f64_m16_k16, 16, 8, 16, f64, f64, f64, double, D_OUT, DOUBLES, 8, 4, 4,
       "mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64")

/// wmma, through its C++ functions: a format as the above.
#define WMMA_FORMAT(NAME, M, N, K, A, B, C, D, INPUT, SOURCE, RESULT, SATURATES) \
  struct NAME {                                                                  \
    static constexpr bool is_wmma = true;                                        \
    static constexpr const char* name = #NAME;                                   \
    static constexpr int m = M, n = N, k = K;                                    \
    static constexpr Element a = Element::A, b = Element::B, c = Element::C;     \
    static constexpr Element d = Element::D;                                     \
    static constexpr bool saturates = SATURATES;                                 \
    using Input = INPUT;                                                         \
    using Source = SOURCE;                                                       \
    using Result = RESULT;                                                       \
  };

WMMA_FORMAT(wmma_f16_16_16, 16, 16, 16, f16, f16, f32, f32, __half, float, float, false)
WMMA_FORMAT(wmma_f16_32_8, 32, 8, 16, f16, f16, f16, f16, __half, __half, __half, false)
WMMA_FORMAT(wmma_f16_8_32, 8, 32, 16, f16, f16, f32, f32, __half, float, float, false)
WMMA_FORMAT(wmma_f16_widens, 16, 16, 16, f16, f16, f16, f32, __half, __half, float, false)
WMMA_FORMAT(wmma_f16_narrows, 16, 16, 16, f16, f16, f32, f16, __half, float, __half, false)
WMMA_FORMAT(wmma_bf16_16_16, 16, 16, 16, bf16, bf16, f32, f32, __nv_bfloat16, float, float, false)
WMMA_FORMAT(wmma_bf16_8_32, 8, 32, 16, bf16, bf16, f32, f32, __nv_bfloat16, float, float, false)
WMMA_FORMAT(wmma_bf16_32_8, 32, 8, 16, bf16, bf16, f32, f32, __nv_bfloat16, float, float, false)
WMMA_FORMAT(wmma_tf32, 16, 16, 8, tf32, tf32, f32, f32, nvcuda::wmma::precision::tf32, float, float, false)
WMMA_FORMAT(wmma_s8_16_16, 16, 16, 16, s8, s8, s32, s32, signed char, int, int, true)
WMMA_FORMAT(wmma_s8_32_8, 32, 8, 16, s8, s8, s32, s32, signed char, int, int, false)
WMMA_FORMAT(wmma_u8_8_32, 8, 32, 16, u8, u8, s32, s32, unsigned char, int, int, true)
WMMA_FORMAT(wmma_f64, 8, 8, 4, f64, f64, f64, f64, double, double, double, false)

constexpr int warps_per_block = 4, chunk = 1000, sample_tiles = 10, sample_columns = 8;

struct Results {
  unsigned long long* hashes;  // one a chunk
  std::uint64_t* sample;       // of the first tiles, [tile][column] of row 0
  __device__ void add(std::uint64_t tile, int row, int column, int columns, std::uint64_t bits) const {
    const auto place = static_cast<std::uint64_t>(row * columns + column);
    atomicAdd(&hashes[tile / chunk],
              static_cast<unsigned long long>(tiles::mix(bits ^ tiles::mix(tile * 256 + place))));
    if (tile < sample_tiles && row == 0 && column < sample_columns) sample[tile * sample_columns + column] = bits;
  }
};

/// One function, not a copy at each place.
__device__ __noinline__ std::uint64_t make(Element type, std::uint64_t tile, int operand, int row, int column,
                                           int along, int length) {
  return tiles::element(type, tile, operand, row, column, along, length);
}

/// Makes the fragments of a tile as the PTX manual lays them out, and multiplies them.
template <class F>
__device__ void multiply_tile(std::uint64_t tile, const Results& results) {
  const int lane = threadIdx.x % 32, g = lane / 4, t = lane % 4;
  constexpr int halves = F::m / 8;
  using A = Fragment<F::a, F::m * F::k>;
  using B = Fragment<F::b, F::n * F::k>;
  using C = Fragment<F::c, F::m * F::n>;
  A a = {};
  B b = {};
  C c = {};
  for (int i = 0; i < A::registers * A::per; ++i) {
    const int word = i / A::per, row = g + 8 * (word % halves);
    const int column = (word / halves * 4 + t) * A::per + i % A::per;
    a.words[word] |= make(F::a, tile, 0, row, column, column, F::k) << (i % A::per * bits_of(F::a));
  }
  for (int i = 0; i < B::registers * B::per; ++i) {
    const int word = i / B::per, row = (word * 4 + t) * B::per + i % B::per;
    b.words[word] |= make(F::b, tile, 1, row, g, row, F::k) << (i % B::per * bits_of(F::b));
  }
  for (int i = 0; i < C::registers * C::per; ++i) {
    const std::uint64_t bits = make(F::c, tile, 2, g + 8 * (i / 2), 2 * t + i % 2, 0, F::k);
    c.words[i / C::per] |= bits << (i % C::per * bits_of(F::c));
  }
  std::uint64_t d[C::registers];
  F::multiply(a.words, b.words, c.words, d);
  constexpr std::uint64_t mask = bits_of(F::c) == 64 ? ~0ull : (1ull << (bits_of(F::c) % 64)) - 1;
  for (int i = 0; i < C::registers * C::per; ++i) {
    const std::uint64_t bits = d[i / C::per] >> (i % C::per * bits_of(F::c)) & mask;
    results.add(tile, g + 8 * (i / 2), 2 * t + i % 2, F::n, bits);
  }
}

/// Element i of an array of elements of so many bits.
__device__ void put(void* array, int i, int bits, std::uint64_t value) {
  memcpy(static_cast<char*>(array) + i * (bits / 8), &value, bits / 8);
}
__device__ std::uint64_t get(const void* array, int i, int bits) {
  std::uint64_t value = 0;
  memcpy(&value, static_cast<const char*>(array) + i * (bits / 8), bits / 8);
  return value;
}

/// The same through shared memory and nvcuda::wmma, which hides the layout of fragments.
template <class F>
__device__ void multiply_tile_by_wmma(std::uint64_t tile, const Results& results) {
  using namespace nvcuda;
  __shared__ __align__(32) char memory[warps_per_block][4][2048];
  auto& mine = memory[threadIdx.x / 32];
  for (int i = threadIdx.x % 32; i < F::m * F::k; i += 32)  // by rows
    put(mine[0], i, bits_of(F::a), make(F::a, tile, 0, i / F::k, i % F::k, i % F::k, F::k));
  for (int i = threadIdx.x % 32; i < F::k * F::n; i += 32)  // by columns
    put(mine[1], i, bits_of(F::b), make(F::b, tile, 1, i % F::k, i / F::k, i % F::k, F::k));
  for (int i = threadIdx.x % 32; i < F::m * F::n; i += 32)
    put(mine[2], i, bits_of(F::c), make(F::c, tile, 2, i / F::n, i % F::n, 0, F::k));
  __syncwarp();
  wmma::fragment<wmma::matrix_a, F::m, F::n, F::k, typename F::Input, wmma::row_major> a;
  wmma::fragment<wmma::matrix_b, F::m, F::n, F::k, typename F::Input, wmma::col_major> b;
  wmma::fragment<wmma::accumulator, F::m, F::n, F::k, typename F::Source> c;
  wmma::fragment<wmma::accumulator, F::m, F::n, F::k, typename F::Result> d;
  using Memory = std::conditional_t<F::a == Element::tf32, float, typename F::Input>;
  wmma::load_matrix_sync(a, reinterpret_cast<const Memory*>(mine[0]), F::k);
  wmma::load_matrix_sync(b, reinterpret_cast<const Memory*>(mine[1]), F::k);
  wmma::load_matrix_sync(c, reinterpret_cast<const typename F::Source*>(mine[2]), F::n, wmma::mem_row_major);
  if constexpr (F::saturates) {
    wmma::mma_sync(d, a, b, c, true);
  } else {
    wmma::mma_sync(d, a, b, c);
  }
  wmma::store_matrix_sync(reinterpret_cast<typename F::Result*>(mine[3]), d, F::n, wmma::mem_row_major);
  __syncwarp();
  for (int i = threadIdx.x % 32; i < F::m * F::n; i += 32)
    results.add(tile, i / F::n, i % F::n, F::n, get(mine[3], i, bits_of(F::d)));
}

template <class F>
__global__ void multiply_tiles(std::uint32_t count, Results results) {
  const std::uint32_t tile = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (tile >= count) return;
  if constexpr (F::is_wmma) {
    multiply_tile_by_wmma<F>(tile, results);
  } else {
    multiply_tile<F>(tile, results);
  }
}

using Figures = std::vector<std::uint64_t>;

void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
  std::exit(2);
}

template <class T>
struct Array {
  explicit Array(std::size_t count) : size(count) {
    check(cudaMalloc(&data, count * sizeof(T)));
    check(cudaMemset(data, 0, count * sizeof(T)));
  }
  ~Array() { cudaFree(data); }
  Figures on_host() const {
    Figures host(size);
    check(cudaMemcpy(host.data(), data, size * sizeof(T), cudaMemcpyDeviceToHost));
    return host;
  }
  T* data = nullptr;
  std::size_t size;
};

/// The sample and the hashes of all formats, by name.
template <class... Formats>
std::map<std::string, Figures> multiply_all(std::uint32_t count) {
  std::map<std::string, Figures> figures;
  const auto multiply = [&](auto format) {
    using F = decltype(format);
    Array<unsigned long long> hashes(count / chunk);
    Array<std::uint64_t> sample(sample_tiles * sample_columns);
    multiply_tiles<F><<<(count + warps_per_block - 1) / warps_per_block, 32 * warps_per_block>>>(
        count, Results{hashes.data, sample.data});
    check(cudaGetLastError());
    figures[std::string(F::name) + " sample"] = sample.on_host();
    figures[F::name] = hashes.on_host();
  };
  (multiply(Formats{}), ...);
  return figures;
}

std::map<std::string, Figures> read(const char* path) {
  std::map<std::string, Figures> figures;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    const auto colon = line.find(':');
    if (line.empty() || line[0] == '#' || colon == std::string::npos) continue;
    std::istringstream words(line.substr(colon + 1));
    for (std::string word; words >> word;)
      figures[line.substr(0, colon)].push_back(std::strtoull(word.c_str(), nullptr, 16));
  }
  return figures;
}

void write(const char* path, const std::map<std::string, Figures>& figures) {
  std::ofstream out(path);
  cudaDeviceProp device;
  check(cudaGetDeviceProperties(&device, 0));
  out << "# What an " << device.name << " makes of the tiles of tiles.h: written by tensor-tiles --write.\n"
      << std::hex;
  for (const auto& [name, numbers] : figures) {
    out << name << ':';
    for (const auto number : numbers) out << ' ' << number;
    out << '\n';
  }
}

/// Figures that are not the GPU's, told; how many formats have such.
int compare(const std::map<std::string, Figures>& expected, const std::map<std::string, Figures>& found) {
  int wrong = 0;
  for (const auto& [name, numbers] : found) {
    const auto known = expected.find(name);
    if (known == expected.end() || known->second.size() < numbers.size()) {
      std::printf("%s: not in the file\n", name.c_str());
      ++wrong;
      continue;
    }
    std::size_t first = 0, differ = 0;
    for (std::size_t i = numbers.size(); i-- > 0;) {
      if (numbers[i] == known->second[i]) continue;
      first = i;
      ++differ;
    }
    if (differ == 0) continue;
    ++wrong;
    std::printf("%s: %zu of %zu differ; the first is number %zu: GPU %llx, here %llx\n", name.c_str(), differ,
                numbers.size(), first, static_cast<unsigned long long>(known->second[first]),
                static_cast<unsigned long long>(numbers[first]));
  }
  return wrong;
}

int main(int argc, char** argv) {
  const std::string first = argc > 1 ? argv[1] : "", second = argc > 2 ? argv[2] : "";
  const bool writes = first == "--write";
  if (first.empty() || (writes && second.empty())) {
    std::fprintf(stderr, "usage: %s FILE [--all] | --write FILE\n", argv[0]);
    return 2;
  }
  const std::uint32_t count = writes || second == "--all" ? 100 * chunk : chunk;
  const auto figures =
      multiply_all<f16_k16, f16_k8, f16_k16_to_f16, f16_k8_to_f16, bf16_k16, bf16_k8, tf32_k8, tf32_k4, s8_k32,
                   u8_s8_k32_sat, s8_u8_k16_sat, u8_m8_k16_sat, f64_k4, f64_m16_k4, f64_m16_k8, f64_m16_k16,
                   wmma_f16_16_16, wmma_f16_32_8, wmma_f16_8_32, wmma_f16_widens, wmma_f16_narrows, wmma_bf16_16_16,
                   wmma_bf16_8_32, wmma_bf16_32_8, wmma_tf32, wmma_s8_16_16, wmma_s8_32_8, wmma_u8_8_32, wmma_f64>(
          count);
  if (writes) {
    write(argv[2], figures);
    return 0;
  }
  const int wrong = compare(read(argv[1]), figures);
  std::printf("%u tiles of each of %zu formats: %d differ\n", count, figures.size() / 2, wrong);
  return wrong == 0 ? 0 : 1;
}
