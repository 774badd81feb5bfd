// SPDX-License-Identifier: MIT
// The CUDA calls before and after a student's call, and the message for a machine without a device.
#include "workbook/case/device.h"

#include <algorithm>
#include <vector>

#include "workbook/case/device_memory.h"

namespace workbook {
namespace {

std::string no_device_message(cudaError_t code) {
  return std::string("no CUDA device to run on: ") + cudaGetErrorString(code) +
         ". `scripts/workbook run` runs the same program on a simulated GPU; `scripts/workbook doctor` says what is "
         "missing for a real one";
}

}  // namespace

bool is_simulated_name(std::string_view device_name) {
  constexpr std::string_view kPrefix = "Simulated";
  return device_name.substr(0, kPrefix.size()) == kPrefix;
}

Device current_device() {
  int count = 0;
  const cudaError_t code = cudaGetDeviceCount(&count);
  if (code != cudaSuccess) throw NoDevice(no_device_message(code));
  if (count == 0) throw NoDevice(no_device_message(cudaErrorNoDevice));

  int index = 0;
  CUDA_CHECK(cudaGetDevice(&index));
  cudaDeviceProp properties{};
  CUDA_CHECK(cudaGetDeviceProperties(&properties, index));
  Device device;
  device.name = properties.name;
  device.is_simulated = is_simulated_name(device.name);
  CUDA_CHECK(cudaMemGetInfo(&device.free_bytes, &device.total_bytes));
  return device;
}

std::string too_old_for(int compute_capability) {
  int index = 0;
  cudaDeviceProp properties{};
  if (compute_capability == 0 || cudaGetDevice(&index) != cudaSuccess ||
      cudaGetDeviceProperties(&properties, index) != cudaSuccess ||
      10 * properties.major + properties.minor >= compute_capability) {
    return "";
  }
  const auto shown = [](int capability) {
    return std::to_string(capability / 10) + "." + std::to_string(capability % 10);
  };
  return std::string(properties.name) + " has compute capability " + shown(10 * properties.major + properties.minor) +
         ", and this program needs " + shown(compute_capability) +
         ". `scripts/workbook run --device simulator` runs it on a simulated H200";
}

std::shared_ptr<void> poison_free_memory(const Device& device, double wanted_bytes) {
  if (device.is_simulated) return nullptr;
  // One block for the input and the partial sums, and a page of 2 MiB in pieces. Small allocations come from such
  // pages. This leaves some memory free, because other programs may share the device.
  constexpr std::size_t kMebibyte = std::size_t{1} << 20;
  constexpr std::size_t kPieces = 32;
  auto keeper = std::make_shared<DeviceArray<char>>(512);
  keeper->fill(0xFF);
  std::vector<DeviceArray<char>> blocks;
  blocks.emplace_back(static_cast<std::size_t>(
      std::min(wanted_bytes + static_cast<double>(kMebibyte), static_cast<double>(device.free_bytes / 2 + 1))));
  for (std::size_t i = 0; i < kPieces; ++i) blocks.emplace_back(2 * kMebibyte / kPieces);
  for (DeviceArray<char>& block : blocks) block.fill(0xFF);
  return keeper;
}

void check_device_after_call() {
  const cudaError_t finished = cudaDeviceSynchronize();
  const cudaError_t last = cudaGetLastError();  // also clears the error, so that no later call reports it
  if (finished != cudaSuccess) {
    throw UncheckedFailure(std::string("a kernel failed after the stage's function had returned: ") +
                           cudaGetErrorName(finished) + " (" + cudaGetErrorString(finished) + ")");
  }
  if (last != cudaSuccess) {
    throw UncheckedFailure(
        std::string("a launch or a CUDA call of the stage failed, and nothing there checked it: ") +
        cudaGetErrorName(last) + " (" + cudaGetErrorString(last) +
        "); put CUDA_CHECK(...) around each call, and CUDA_CHECK(cudaGetLastError()) after each launch");
  }
}

}  // namespace workbook
