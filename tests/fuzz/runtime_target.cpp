// SPDX-License-Identifier: MIT
// Calls of the runtime and of the driver in any order and with bad arguments. A byte chooses a call, those behind it
// its arguments. These are handles that are alive, dead or never were, null pointers, and sizes from nothing to more
// than there is. Pointers to the host's memory are good and within its bounds, since nothing could find that they are
// not. Each input ends with cudaDeviceReset(). Settings are read once a process: CUDASIM_SCHEDULE and CUDASIM_CHECK may
// be set outside.
#include <cstdlib>

#include "runtime_state.h"

namespace {

using namespace runtime_calls;

constexpr std::size_t most_calls = 200;

using Call = void (*)(State&);
constexpr Call calls[] = {copy,         fill,         allocate,      allocate,     release,  launch,    launch,
                          streams,      events,       device,        functions,    pointers, libraries, arrays,
                          textures,     graphs,       graphs,        captures,     pools,    driver,    driver,
                          graph_memory, graph_memory, driver_graphs, driver_graphs};

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  setenv("CUDASIM_MEMORY", "64M", 0);
  setenv("CUDASIM_STEP_BUDGET", "2000", 0);
  setenv("CUDASIM_WORKERS", "1", 0);
  setenv("PATH", "/nowhere", 1);  // no addr2line: a process for each line of the host would take most of the time
  runtime_kernels::register_all();
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Bytes bytes(data, size);
  State state(bytes);
  for (std::size_t i = 0; i < most_calls && !bytes.empty(); ++i) calls[bytes.byte() % std::size(calls)](state);
  cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
  cudaThreadExchangeStreamCaptureMode(&mode);
  cudaDeviceReset();
  return 0;
}
