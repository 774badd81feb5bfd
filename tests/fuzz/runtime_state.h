// SPDX-License-Identifier: MIT
// What the calls of an input go by: its bytes, and what earlier calls have made.
#pragma once

#include <cuda.h>
#include <cuda_runtime_api.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <tuple>
#include <type_traits>

#include "runtime_kernels.h"

namespace runtime_calls {

constexpr std::size_t slots = 4;
constexpr std::size_t host_bytes = 1 << 16;

inline char host_memory[2][host_bytes];
inline char never_a_handle;

/// The arguments of an input, cut off where it ends.
class Bytes {
 public:
  Bytes(const std::uint8_t* data, std::size_t size) : at_(data), end_(data + size) {}
  bool empty() const { return at_ == end_; }
  unsigned byte() { return at_ == end_ ? 0 : *at_++; }
  unsigned word() {
    const unsigned low = byte();
    return low | byte() << 8;
  }
  bool flip() { return byte() % 2 != 0; }
  /// Sizes at which something ends, small ones, and impossible ones.
  std::size_t size() {
    static constexpr std::size_t special[] = {0,       1,          4,          255,        4096,  65536,
                                              1 << 20, 1ull << 26, 1ull << 40, 1ull << 63, ~0ull, ~0ull - 511};
    const unsigned chosen = byte();
    return chosen < std::size(special) ? special[chosen] : chosen < 128 ? chosen : word();
  }
  int number() {
    static constexpr int special[] = {0, 1, -1, 2, 100, 1024, 65536, 1 << 30, -2147483647 - 1, 2147483647};
    const unsigned chosen = byte();
    return chosen < std::size(special) ? special[chosen] : static_cast<int>(chosen) - 64;
  }

 private:
  const std::uint8_t *at_, *end_;
};

/// What the calls of one input have made.
struct State {
  explicit State(Bytes& bytes_of_input) : bytes(bytes_of_input) {}
  Bytes& bytes;
  std::array<void*, slots> memory{};
  std::array<cudaStream_t, slots> streams{};
  std::array<cudaEvent_t, slots> events{};
  std::array<cudaLibrary_t, 2> libraries{};
  std::array<cudaKernel_t, 2> kernels{};
  std::array<cudaArray_t, 2> arrays{};
  std::array<cudaTextureObject_t, 2> textures{};
  std::array<cudaGraph_t, 3> graphs{};
  std::array<cudaGraphNode_t, slots> nodes{};
  std::array<cudaGraphExec_t, 2> execs{};
  std::array<cudaMemPool_t, 2> pools{};
  std::array<CUcontext, 2> contexts{};
  std::array<CUmodule, 2> modules{};
  std::array<CUfunction, 2> functions{};
  int graphs_within = 0;

  void forget() {
    memory = {};
    streams = {};
    events = {};
    libraries = {};
    kernels = {};
    arrays = {};
    textures = {};
    graphs = {};
    nodes = {};
    execs = {};
    pools = {};
    contexts = {};
    modules = {};
    functions = {};
  }
  template <class Handle, std::size_t n>
  Handle& slot(std::array<Handle, n>& handles) {
    return handles[bytes.byte() % n];
  }
  /// One of the handles, mostly; else one that there never was.
  template <class Handle, std::size_t n>
  Handle handle(std::array<Handle, n>& handles) {
    const unsigned chosen = bytes.byte();
    return chosen == 255 ? reinterpret_cast<Handle>(&never_a_handle) : handles[chosen % n];
  }
  cudaStream_t stream() {
    const unsigned chosen = bytes.byte();
    if (chosen >= 254) return chosen == 254 ? cudaStreamLegacy : cudaStreamPerThread;
    return chosen < 128 ? nullptr : handle(streams);
  }
  /// Device memory, at its start or elsewhere, or no memory at all.
  char* device() {
    char* const begin = static_cast<char*>(handle(memory));
    if (begin == &never_a_handle) return reinterpret_cast<char*>(std::uintptr_t{0x70} << 48);
    const unsigned offset = bytes.byte();
    return begin == nullptr || offset < 128 ? begin : begin + (offset - 128) * 513;
  }
  /// Where nullptr is a bad argument worth trying.
  template <class Value>
  Value* perhaps(Value* pointer) {
    return bytes.byte() == 255 ? nullptr : pointer;
  }
  const void* kernel() {
    const unsigned chosen = bytes.byte();
    if (chosen >= 250) return handle(kernels);
    return chosen == 249 ? nullptr : &runtime_kernels::stubs[chosen % runtime_kernels::count];
  }
  dim3 extent(bool is_grid) {
    static constexpr unsigned special[] = {1, 2, 3, 0, 65536, 4294967295u};
    const unsigned chosen = bytes.byte();
    dim3 result(is_grid ? chosen % 4 + 1 : chosen * 5, 1, 1);
    if (chosen % 16 == 15) result = {special[bytes.byte() % 6], special[bytes.byte() % 6], special[bytes.byte() % 6]};
    return result;
  }
  cudaMemcpyKind kind() { return static_cast<cudaMemcpyKind>(bytes.byte() % 6); }
};

struct Arguments {  // of every kernel: a pointer and a number
  explicit Arguments(State& s) : pointer(s.device()), number(s.bytes.byte()) {}
  char* pointer;
  unsigned number;
  void* addresses[2] = {&pointer, &number};
};

/// Arguments in braces are evaluated from left to right, so that an input means the same to every compiler.
template <class... Parameters>
void call(cudaError_t (*function)(Parameters...), const std::tuple<std::common_type_t<Parameters>...>& arguments) {
  std::apply(function, arguments);
}

// Each makes one call of its kind.
void copy(State& s);
void fill(State& s);
void allocate(State& s);
void release(State& s);
void launch(State& s);
void streams(State& s);
void events(State& s);
void device(State& s);
void functions(State& s);
void pointers(State& s);
void libraries(State& s);
void arrays(State& s);
void textures(State& s);
void graphs(State& s);
void captures(State& s);
void pools(State& s);
void driver(State& s);
void graph_memory(State& s);
void driver_graphs(State& s);

}  // namespace runtime_calls
