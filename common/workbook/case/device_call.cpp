// SPDX-License-Identifier: MIT
// The memory layout of a call: where its bytes lie, their values before the call, and the checks after it.
// (From the left, in order of addresses.)
//
//   [ guard | misalignment | row | gap | row | gap | ... | guard ].
//
// The simulator finds a stray access by itself and names its line. There, the allocation ends where the data end.
#include "workbook/case/device_call.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <stdexcept>

namespace workbook {
namespace {

std::string elements(std::size_t count) { return std::to_string(count) + (count == 1 ? " element" : " elements"); }

std::string place(const Layout& layout, std::size_t element) {
  if (layout.rows == 1) return "element " + std::to_string(element);
  return "row " + std::to_string(element / layout.pitch) + ", column " + std::to_string(element % layout.pitch);
}

}  // namespace

DeviceCall::DeviceCall(const Call& call, GpuTimer& timer) : call_(call), timer_(timer) {
  if (call.has_own_stream) CUDA_CHECK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
}

DeviceCall::~DeviceCall() {
  if (stream_ != nullptr) cudaStreamDestroy(stream_);
}

// Copies rows of `bytes` bytes, without the gaps between them.
void DeviceCall::to_host(void* values, const void* data, std::size_t pitch_bytes, std::size_t bytes,
                         std::size_t rows) const {
  if (bytes == 0 || rows == 0) return;
  constexpr auto kToHost = cudaMemcpyDeviceToHost;
  cudaError_t copied = rows == 1 ? cudaMemcpyAsync(values, data, bytes, kToHost, stream_)
                                 : cudaMemcpy2DAsync(values, bytes, data, pitch_bytes, bytes, rows, kToHost, stream_);
  if (copied == cudaSuccess) copied = cudaStreamSynchronize(stream_);
  check_cuda(copied, "copying a result to the host", __FILE__, __LINE__);
}

// The index of the first byte of device memory that differs from `value`, or `bytes` where all are equal.
std::size_t DeviceCall::first_other(const unsigned char* memory, std::size_t bytes, unsigned char value) const {
  std::vector<unsigned char> copy(bytes);
  to_host(copy.data(), memory, bytes, bytes, 1);
  const auto other = std::find_if(copy.begin(), copy.end(), [value](unsigned char byte) { return byte != value; });
  return static_cast<std::size_t>(other - copy.begin());
}

DeviceCall::Held& DeviceCall::held_at(const void* data) {
  for (Held& held : held_) {
    if (held.data() == data) return held;
  }
  throw std::logic_error("copy_back() and renew() are for memory that output() or update() has returned");
}

void DeviceCall::note_place(const Held& held, bool is_output) const {
  const std::size_t bytes = held.layout.rows * held.row_bytes();
  if (call_.places != nullptr && bytes > 0) call_.places->push_back({held.name, held.data(), bytes, bytes, is_output});
}

void DeviceCall::needs(const void* data, std::size_t bytes) {
  for (std::size_t i = 0; call_.places != nullptr && i < call_.places->size(); ++i) {
    if ((*call_.places)[i].address == data) (*call_.places)[i].needed = bytes;
  }
}

// On the simulator, unwritten memory holds 0xFF already, and must remain undefined: then the simulator reports a kernel
// that reads it. So this function writes only what no kernel may touch.
void DeviceCall::poison(Held& held) const {
  held.around = call_.poison;
  if (held.memory.size() == 0) return;
  if (call_.has_guards || call_.poison != 0xFF) {
    held.memory.fill(call_.poison, stream_);
    return;
  }
  if (held.front_bytes > 0) {
    CUDA_CHECK(cudaMemsetAsync(held.memory.data(), call_.poison, held.front_bytes, stream_));
  }
  const std::size_t gap = held.pitch_bytes() - held.row_bytes();
  if (gap > 0) {
    CUDA_CHECK(cudaMemset2DAsync(static_cast<unsigned char*>(held.data()) + held.row_bytes(), held.pitch_bytes(),
                                 call_.poison, gap, held.layout.rows, stream_));
  }
}

void DeviceCall::copy_in(Held& held) const {
  held.around = 0xFF;
  if (held.memory.size() == 0) return;
  if (held.front_bytes > 0) {
    CUDA_CHECK(cudaMemsetAsync(held.memory.data(), held.around, held.front_bytes, stream_));
  }
  if (held.back_bytes > 0) {
    unsigned char* const behind = held.memory.data() + held.memory.size() - held.back_bytes;
    CUDA_CHECK(cudaMemsetAsync(behind, held.around, held.back_bytes, stream_));
  }
  const std::size_t bytes = held.pitch_bytes() * held.layout.rows;
  CUDA_CHECK(cudaMemcpyAsync(held.data(), held.values, bytes, cudaMemcpyHostToDevice, stream_));
}

void DeviceCall::renew(const void* data) {
  if (data == nullptr) return;
  Held& held = held_at(data);
  if (held.values != nullptr) {
    copy_in(held);
  } else {
    held.memory.fill(call_.poison, stream_);
  }
}

std::string DeviceCall::changed(const Held& held) const {
  const std::size_t bytes = held.layout.rows * held.pitch_bytes();
  const std::unique_ptr<unsigned char[]> now(new unsigned char[bytes]);  // a vector would fill it first
  to_host(now.get(), held.data(), bytes, bytes, 1);
  const auto* const before = static_cast<const unsigned char*>(held.values);
  if (bytes == 0 || std::memcmp(now.get(), before, bytes) == 0) return "";
  const auto first = static_cast<std::size_t>(std::mismatch(now.get(), now.get() + bytes, before).first - now.get());
  return held.name + " must not change, and its " + place(held.layout, first / held.element_bytes) + " has";
}

std::string DeviceCall::stray_store(const Held& held) const {
  const unsigned char* const data = static_cast<const unsigned char*>(held.data());
  const std::size_t bytes = held.layout.rows * held.pitch_bytes();
  if (held.memory.size() == 0) return "";
  if (const std::size_t at = first_other(held.memory.data(), held.front_bytes, held.around); at < held.front_bytes) {
    return "a store before the beginning of " + held.name + ": " +
           elements((held.front_bytes - at + held.element_bytes - 1) / held.element_bytes) + " before its first";
  }
  if (const std::size_t at = first_other(data + bytes, held.back_bytes, held.around); at < held.back_bytes) {
    return "a store behind the end of " + held.name + ": " + elements(at / held.element_bytes + 1) + " behind its last";
  }
  const std::size_t gap = held.pitch_bytes() - held.row_bytes();
  if (gap == 0 || !held.is_output) return "";
  std::vector<unsigned char> gaps(gap * held.layout.rows);
  to_host(gaps.data(), data + held.row_bytes(), held.pitch_bytes(), gap, held.layout.rows);
  for (std::size_t i = 0; i < gaps.size(); ++i) {
    if (gaps[i] == held.around) continue;
    return "a store between two rows of " + held.name + ", behind row " + std::to_string(i / gap) + ": " +
           elements(i % gap / held.element_bytes + 1) + " behind its last (a row has " + elements(held.layout.columns) +
           ", and the next begins after " + std::to_string(held.layout.pitch) + ")";
  }
  return "";
}

std::string DeviceCall::mistake() const {
  for (const Held& held : held_) {
    std::string found = held.values == nullptr || held.may_change ? "" : changed(held);
    if (found.empty()) found = stray_store(held);
    if (!found.empty()) return found;
  }
  return "";
}

}  // namespace workbook
