// SPDX-License-Identifier: MIT
// Measures this GPU with about 60 small kernels, in about a minute. Prints its parameters as JSON.
// scripts/workbook calibrate makes a parameter file of them.
#include <cuda_runtime_api.h>

#include <exception>
#include <iostream>
#include <string>

#include "calibrate/results.h"

namespace {

void measure(calibrate::Results& results, const cudaDeviceProp& properties) {
  const workbook::DeviceFacts facts = workbook::device_facts();
  workbook::DeviceInstruments device(facts.l2_bytes);
  calibrate::Gpu gpu;
  gpu.instruments = device.instruments();
  gpu.multiprocessors = properties.multiProcessorCount;
  gpu.l2_bytes = static_cast<double>(facts.l2_bytes);
  std::size_t free = 0, total = 0;
  CUDA_CHECK(cudaMemGetInfo(&free, &total));
  gpu.most_bytes = std::size_t{8} << 30;
  while (gpu.most_bytes > free / 2) gpu.most_bytes /= 2;
  for (int i = 0; i < 20; ++i) gpu.instruments.clean_cache();
  gpu.clock_mhz = gpu.instruments.clock_mhz();
  results.add("multiprocessors", gpu.multiprocessors, "cudaDeviceProp");
  results.add("l2_bytes", gpu.l2_bytes, "cudaDeviceProp");
  results.add("clock_mhz", gpu.clock_mhz, "cycles of a millisecond, after reads of memory");
  for (const auto part : {calibrate::measure_launches, calibrate::measure_latencies, calibrate::measure_instructions,
                          calibrate::measure_tensor_cores, calibrate::measure_multiprocessor,
                          calibrate::measure_bandwidths, calibrate::measure_atomics}) {
    part(gpu, results);
  }
}

}  // namespace

int main() {
  try {
    cudaDeviceProp properties = {};
    CUDA_CHECK(cudaGetDeviceProperties(&properties, 0));
    if (std::string(properties.name).find("imulat") != std::string::npos) {
      std::cerr << "calibrate: this is the simulator, which has no times. Run it on a GPU.\n";
      return 2;
    }
    calibrate::Results results;
    measure(results, properties);
    results.print(std::cout, properties.name);
  } catch (const std::exception& error) {
    std::cerr << "calibrate: " << error.what() << '\n';
    return 1;
  }
}
