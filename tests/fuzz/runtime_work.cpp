// SPDX-License-Identifier: MIT
// Calls that launch and order work, and that ask about kernels and the device.
#include <string>

#include "runtime_state.h"

// Newer than CUDA 12.0, whose headers do not declare them.
extern "C" cudaError_t cudaFuncGetName(const char** name, const void* function);
extern "C" cudaError_t cudaFuncGetParamInfo(const void* function, std::size_t index, std::size_t* offset,
                                            std::size_t* size);

namespace runtime_calls {

void host_function(void*) {
  void* pointer = nullptr;
  cudaMalloc(&pointer, 64);
  cudaFree(pointer);
}

void callback(cudaStream_t stream, cudaError_t, void*) { cudaStreamSynchronize(stream); }

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

}  // namespace runtime_calls
