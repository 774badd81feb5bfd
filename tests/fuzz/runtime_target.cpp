// SPDX-License-Identifier: MIT
// Calls of the runtime in any order and with bad arguments. A byte chooses a call, those behind it its arguments:
// handles that are alive, dead or never were, null pointers, sizes from nothing to more than there is. Pointers to the
// host's memory are good and within its bounds, since nothing could tell that they are not. Each input ends with
// cudaDeviceReset(). Settings are read once a process: CUDASIM_SCHEDULE and CUDASIM_CHECK may be set outside.
#include <cuda_runtime_api.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <string>
#include <tuple>
#include <type_traits>

#include "runtime_kernels.h"

// Newer than CUDA 12.0, whose headers do not declare them.
extern "C" cudaError_t cudaFuncGetName(const char** name, const void* function);
extern "C" cudaError_t cudaFuncGetParamInfo(const void* function, std::size_t index, std::size_t* offset,
                                            std::size_t* size);

namespace {

constexpr std::size_t slots = 4;
constexpr std::size_t host_bytes = 1 << 16;
constexpr std::size_t most_calls = 200;

char host_memory[2][host_bytes];
char never_a_handle;

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

  void forget() {
    memory = {};
    streams = {};
    events = {};
    libraries = {};
    kernels = {};
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

void host_function(void*) {
  void* pointer = nullptr;
  cudaMalloc(&pointer, 64);
  cudaFree(pointer);
}

void callback(cudaStream_t stream, cudaError_t, void*) { cudaStreamSynchronize(stream); }

/// Arguments in braces are evaluated from left to right, so that an input means the same to every compiler.
template <class... Parameters>
void call(cudaError_t (*function)(Parameters...), const std::tuple<std::common_type_t<Parameters>...>& arguments) {
  std::apply(function, arguments);
}

void copy(State& s) {
  const cudaMemcpyKind kind = s.kind();
  const cudaStream_t stream = s.stream();
  switch (s.bytes.byte() % 8) {
    case 0:
      call(cudaMemcpy, {s.device(), s.device(), s.bytes.size(), kind});
      break;
    case 1:
      call(cudaMemcpyAsync, {s.device(), s.perhaps(host_memory[0]), s.bytes.word(), kind, stream});
      break;
    case 2:
      call(cudaMemcpyAsync, {s.perhaps(host_memory[0]), s.device(), s.bytes.word(), kind, stream});
      break;
    case 3: {
      const std::size_t pitch = s.bytes.byte(), width = s.bytes.byte();
      call(cudaMemcpy2DAsync, {s.device(), s.bytes.size(), host_memory[0], pitch, width, s.bytes.byte(), kind, stream});
      break;
    }
    case 4:
      call(cudaMemcpy2D,
           {s.device(), s.bytes.size(), s.device(), s.bytes.size(), s.bytes.size(), s.bytes.size(), kind});
      break;
    case 5: {
      cudaMemcpy3DParms p{};
      p.srcPtr = {s.device(), s.bytes.size(), s.bytes.size(), s.bytes.size()};
      p.dstPtr = {s.device(), s.bytes.size(), s.bytes.size(), s.bytes.size()};
      p.srcPos = {s.bytes.size(), s.bytes.size(), s.bytes.size()};
      p.dstPos = {s.bytes.size(), s.bytes.size(), s.bytes.size()};
      p.extent = {s.bytes.size(), s.bytes.size(), s.bytes.size()};
      p.kind = cudaMemcpyDeviceToDevice;
      call(cudaMemcpy3DAsync, {s.perhaps(&p), stream});
      break;
    }
    case 6: {
      const void* symbol = s.perhaps(&runtime_kernels::symbol);
      // Of more bytes than the host has the symbol has not so many either.
      call(cudaMemcpyToSymbolAsync, {symbol, host_memory[0], s.bytes.size(), s.bytes.size(), kind, stream});
      call(cudaMemcpyFromSymbol, {host_memory[1], symbol, s.bytes.size(), s.bytes.size(), kind});
      break;
    }
    case 7:
      call(cudaMemcpy, {host_memory[0], host_memory[1], s.bytes.word(), kind});
      break;
  }
}

void fill(State& s) {
  char* const at = s.device();
  const int value = s.bytes.number();
  const cudaStream_t stream = s.stream();
  switch (s.bytes.byte() % 4) {
    case 0:
      call(cudaMemset, {at, value, s.bytes.size()});
      break;
    case 1:
      call(cudaMemsetAsync, {at, value, s.bytes.size(), stream});
      break;
    case 2:
      call(cudaMemset2DAsync, {at, s.bytes.size(), value, s.bytes.size(), s.bytes.size(), stream});
      break;
    case 3:
      call(cudaMemset3D, {{at, s.bytes.size(), s.bytes.size(), s.bytes.size()},
                          value,
                          {s.bytes.size(), s.bytes.size(), s.bytes.size()}});
      break;
  }
}

void allocate(State& s) {
  void** const pointer = s.perhaps(&s.slot(s.memory));
  std::size_t pitch = 0;
  // What the host shares is taken from the host's memory, which must last.
  const std::size_t shared_bytes = s.bytes.flip() ? s.bytes.word() : s.bytes.size() | 1ull << 40;
  switch (s.bytes.byte() % 6) {
    case 0:
      call(cudaMalloc, {pointer, s.bytes.size()});
      break;
    case 1:
      call(cudaMallocAsync, {pointer, s.bytes.size(), s.stream()});
      break;
    case 2:
      call(cudaMallocManaged, {pointer, shared_bytes, s.bytes.byte() % 5});
      break;
    case 3:
      call(cudaHostAlloc, {pointer, shared_bytes, s.bytes.byte() % 16});
      break;
    case 4:
      call(cudaMallocPitch, {pointer, s.perhaps(&pitch), s.bytes.size(), s.bytes.size()});
      break;
    case 5: {
      cudaPitchedPtr result{};
      call(cudaMalloc3D, {s.perhaps(&result), {s.bytes.size(), s.bytes.size(), s.bytes.size()}});
      s.slot(s.memory) = result.ptr;
      break;
    }
  }
}

void release(State& s) {
  char* const pointer = s.device();
  switch (s.bytes.byte() % 5) {
    case 0:
      call(cudaFree, {pointer});
      break;
    case 1:
      call(cudaFreeAsync, {pointer, s.stream()});
      break;
    case 2:
      call(cudaFreeHost, {pointer});
      break;
    case 3:
      call(cudaHostRegister, {host_memory[0], s.bytes.word(), s.bytes.byte()});
      break;
    case 4:
      call(cudaHostUnregister, {s.perhaps(host_memory[0])});
      break;
  }
}

void launch(State& s) {
  const void* const kernel = s.kernel();
  const dim3 grid = s.extent(true), block = s.extent(false);
  const std::size_t shared_bytes = s.bytes.flip() ? 0 : s.bytes.size();
  const cudaStream_t stream = s.stream();
  Arguments arguments(s);
  void** const addresses = s.perhaps(arguments.addresses);
  switch (s.bytes.byte() % 4) {
    case 0:
    case 1:
      call(cudaLaunchKernel, {kernel, grid, block, addresses, shared_bytes, stream});
      break;
    case 2:
      call(cudaLaunchCooperativeKernel, {kernel, grid, block, addresses, shared_bytes, stream});
      break;
    case 3: {
      cudaLaunchAttribute attribute{};
      attribute.id = static_cast<cudaLaunchAttributeID>(s.bytes.byte() % 16);
      attribute.val.clusterDim = {s.bytes.byte(), s.bytes.byte(), s.bytes.byte()};
      cudaLaunchConfig_t config{};
      config.gridDim = grid;
      config.blockDim = block;
      config.dynamicSmemBytes = shared_bytes;
      config.stream = stream;
      config.attrs = s.perhaps(&attribute);
      config.numAttrs = s.bytes.byte() % 2;
      call(cudaLaunchKernelExC, {s.perhaps(&config), kernel, addresses});
      break;
    }
  }
}

void streams(State& s) {
  const cudaStream_t stream = s.stream();
  unsigned flags = 0;
  cudaStreamAttrValue value{};
  cudaStreamCaptureStatus status{};
  switch (s.bytes.byte() % 12) {
    case 0:
      call(cudaStreamCreateWithPriority, {s.perhaps(&s.slot(s.streams)), s.bytes.byte() % 3, s.bytes.number()});
      break;
    case 1:
      call(cudaStreamDestroy, {stream});
      break;
    case 2:
      call(cudaStreamSynchronize, {stream});
      break;
    case 3:
      call(cudaStreamQuery, {stream});
      break;
    case 4:
      call(cudaStreamWaitEvent, {stream, s.handle(s.events), s.bytes.byte()});
      break;
    case 5:
      call(cudaStreamGetFlags, {stream, s.perhaps(&flags)});
      break;
    case 6:
      call(cudaStreamSetAttribute, {stream, static_cast<cudaStreamAttrID>(s.bytes.byte() % 16), s.perhaps(&value)});
      break;
    case 7:
      call(cudaStreamIsCapturing, {stream, s.perhaps(&status)});
      break;
    case 8:
      call(cudaStreamAttachMemAsync, {stream, s.device(), s.bytes.size(), s.bytes.byte()});
      break;
    case 9:
      call(cudaLaunchHostFunc, {stream, s.perhaps(&host_function), nullptr});
      break;
    case 10:
      call(cudaStreamAddCallback, {stream, s.perhaps(&callback), nullptr, s.bytes.byte() % 2});
      break;
    case 11:
      call(cudaStreamBeginCapture, {stream, cudaStreamCaptureModeGlobal});
      break;
  }
}

void events(State& s) {
  const cudaEvent_t event = s.handle(s.events);
  float time_ms = 0;
  switch (s.bytes.byte() % 6) {
    case 0:
      call(cudaEventCreateWithFlags, {s.perhaps(&s.slot(s.events)), s.bytes.byte() % 9});
      break;
    case 1:
      call(cudaEventDestroy, {event});
      break;
    case 2:
      call(cudaEventRecordWithFlags, {event, s.stream(), s.bytes.byte()});
      break;
    case 3:
      call(cudaEventQuery, {event});
      break;
    case 4:
      call(cudaEventSynchronize, {event});
      break;
    case 5:
      call(cudaEventElapsedTime, {s.perhaps(&time_ms), event, s.handle(s.events)});
      break;
  }
}

void device(State& s) {
  int value = 0;
  std::size_t bytes = 0;
  cudaDeviceProp properties;
  switch (s.bytes.byte() % 10) {
    case 0:
      cudaDeviceSynchronize();
      break;
    case 1:
      cudaDeviceReset();
      s.forget();
      break;
    case 2:
      cudaGetLastError();
      break;
    case 3:
      call(cudaSetDevice, {s.bytes.number()});
      break;
    case 4:
      call(cudaDeviceGetAttribute,
           {s.perhaps(&value), static_cast<cudaDeviceAttr>(s.bytes.byte()), s.bytes.byte() % 2});
      break;
    case 5:
      call(cudaDeviceSetLimit, {static_cast<cudaLimit>(s.bytes.byte() % 8), s.bytes.size()});
      break;
    case 6:
      call(cudaDeviceGetLimit, {s.perhaps(&bytes), static_cast<cudaLimit>(s.bytes.byte() % 8)});
      break;
    case 7:
      call(cudaMemGetInfo, {s.perhaps(&bytes), &bytes});
      break;
    case 8:
      call(cudaGetDeviceProperties, {s.perhaps(&properties), s.bytes.byte() % 2});
      break;
    case 9:
      call(cudaDeviceCanAccessPeer, {s.perhaps(&value), s.bytes.number(), s.bytes.number()});
      break;
  }
}

void functions(State& s) {
  const void* const kernel = s.kernel();
  cudaFuncAttributes attributes;
  int number = 0;
  std::size_t bytes = 0;
  const char* name = nullptr;
  switch (s.bytes.byte() % 6) {
    case 0:
      call(cudaFuncGetAttributes, {s.perhaps(&attributes), kernel});
      break;
    case 1:
      call(cudaFuncSetAttribute, {kernel, static_cast<cudaFuncAttribute>(s.bytes.byte() % 16), s.bytes.number()});
      break;
    case 2:
      call(cudaOccupancyMaxActiveBlocksPerMultiprocessor,
           {s.perhaps(&number), kernel, s.bytes.number(), s.bytes.size()});
      break;
    case 3:
      call(cudaOccupancyAvailableDynamicSMemPerBlock, {s.perhaps(&bytes), kernel, s.bytes.number(), s.bytes.number()});
      break;
    case 4:
      call(cudaFuncGetName, {s.perhaps(&name), kernel});
      break;
    case 5:
      call(cudaFuncGetParamInfo, {kernel, s.bytes.size(), s.perhaps(&bytes), s.perhaps(&bytes)});
      break;
  }
}

void pointers(State& s) {
  char* const pointer = s.device();
  cudaPointerAttributes attributes;
  void* result = nullptr;
  std::size_t bytes = 0;
  unsigned flags = 0;
  cudaMemPool_t pool = nullptr;
  std::uint64_t value[8] = {};
  switch (s.bytes.byte() % 8) {
    case 0:
      call(cudaPointerGetAttributes, {s.perhaps(&attributes), pointer});
      break;
    case 1:
      call(cudaHostGetDevicePointer, {s.perhaps(&result), pointer, s.bytes.byte() % 2});
      break;
    case 2:
      call(cudaHostGetFlags, {s.perhaps(&flags), pointer});
      break;
    case 3:
      call(cudaGetSymbolAddress, {s.perhaps(&result), s.perhaps(&runtime_kernels::symbol)});
      break;
    case 4:
      call(cudaGetSymbolSize, {s.perhaps(&bytes), s.perhaps(&runtime_kernels::symbol)});
      break;
    case 5:
#if CUDART_VERSION >= 13000
      call(cudaMemPrefetchAsync, {pointer, s.bytes.size(), {}, 0, s.stream()});
#endif
      break;
    case 6:
      call(cudaDeviceGetDefaultMemPool, {&pool, 0});
      call(cudaMemPoolSetAttribute,
           {s.perhaps(pool), static_cast<cudaMemPoolAttr>(s.bytes.byte() % 12), s.perhaps(value)});
      call(cudaMemPoolGetAttribute,
           {s.perhaps(pool), static_cast<cudaMemPoolAttr>(s.bytes.byte() % 12), s.perhaps(value)});
      break;
    case 7:
      call(cudaMallocFromPoolAsync, {&s.slot(s.memory), s.bytes.word(), s.perhaps(pool), s.stream()});
      break;
  }
}

void libraries(State& s) {
  cudaLibrary_t& library = s.slot(s.libraries);
  void* pointer = nullptr;
  std::size_t bytes = 0;
  switch (s.bytes.byte() % 4) {
    case 0: {
      // The text, whole or cut off somewhere.
      const std::string text = std::string(runtime_kernels::ptx).substr(0, s.bytes.flip() ? ~0ull : s.bytes.word());
      call(cudaLibraryLoadData,
           {s.perhaps(&library), s.perhaps(text.c_str()), nullptr, nullptr, 0, nullptr, nullptr, 0});
      break;
    }
    case 1:
      call(cudaLibraryUnload, {s.bytes.byte() == 255 ? reinterpret_cast<cudaLibrary_t>(&never_a_handle) : library});
      break;
    case 2:
      call(cudaLibraryGetKernel, {s.perhaps(&s.slot(s.kernels)), library,
                                  s.perhaps(runtime_kernels::names[s.bytes.byte() % runtime_kernels::count])});
      break;
    case 3:
      call(cudaLibraryGetGlobal, {s.perhaps(&pointer), s.perhaps(&bytes), library, s.perhaps("variable")});
      break;
  }
}

using Call = void (*)(State&);
constexpr Call calls[] = {copy,    fill,   allocate, allocate,  release,  launch,   launch,
                          streams, events, device,   functions, pointers, libraries};

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  setenv("CUDASIM_MEMORY", "64M", 0);
  setenv("CUDASIM_STEP_BUDGET", "2000", 0);
  setenv("CUDASIM_WORKERS", "1", 0);
  runtime_kernels::register_all();
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Bytes bytes(data, size);
  State state(bytes);
  for (std::size_t i = 0; i < most_calls && !bytes.empty(); ++i) calls[bytes.byte() % std::size(calls)](state);
  cudaDeviceReset();
  return 0;
}
