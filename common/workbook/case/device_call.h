// SPDX-License-Identifier: MIT
// DeviceCall: the host's steps around a computation on the device, written once for all problems. The steps are:
// allocate, copy, poison, guard, launch, copy back, and look for forbidden changes. A case names its inputs and outputs
// in order.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <list>
#include <string>
#include <utility>
#include <vector>

#include "workbook/case/device_memory.h"
#include "workbook/case/problem.h"
#include "workbook/student/gpu_timer.h"

// Calls of cuda_profiler_api.h, which the packages of the toolkit do not have.
extern "C" cudaError_t cudaProfilerStart();
extern "C" cudaError_t cudaProfilerStop();

namespace workbook {

/// Layout: the shape and the pitch of a matrix in memory, row by row. An array is one row.
struct Layout {
  std::size_t rows = 1;
  std::size_t columns = 0;
  std::size_t pitch = 0;     ///< Elements from one row to the next; at least `columns`.
  std::size_t misalign = 0;  ///< Elements from an aligned address (a multiple of 256 bytes) to the first element.
};

inline Layout line(std::size_t n, std::size_t misalign = 0) { return {1, n, n, misalign}; }

/// ProfilerRange: the part of the program that tools are to look at. A function of a student runs in it, which only
/// puts work into a stream. The simulator's check `host` finds there what the function must not do.
class ProfilerRange {
 public:
  ProfilerRange() { cudaProfilerStart(); }
  ProfilerRange(const ProfilerRange&) = delete;
  ProfilerRange& operator=(const ProfilerRange&) = delete;
  ~ProfilerRange() { cudaProfilerStop(); }
};

/// DeviceCall: the device memory and the host steps of one call. The destructor frees the memory. Every function throws
/// CudaError.
class DeviceCall {
 public:
  DeviceCall(const Call& call, GpuTimer& timer);
  DeviceCall(const DeviceCall&) = delete;
  DeviceCall& operator=(const DeviceCall&) = delete;
  ~DeviceCall();

  /// The stream of the computation. All work of this object goes into it.
  cudaStream_t stream() const { return stream_; }

  /// Steps 1 and 2: allocates and copies. `values` has rows * pitch elements; the caller owns it, and it must outlive
  /// this object. The computation must not change it, unless `may_change`.
  template <typename T>
  T* input(const std::string& name, const std::vector<T>& values, const Layout& layout, bool may_change = false) {
    Held& held = hold(name, layout, sizeof(T));
    held.values = values.data();
    held.may_change = may_change;
    copy_in(held);
    note_place(held, false);
    return static_cast<T*>(held.data());
  }

  /// Allocates memory for a result. All of it holds the poison (0xFF without guards, as on a simulator). The bytes
  /// before, behind and between the rows must stay unchanged.
  template <typename T>
  T* output(const std::string& name, const Layout& layout) {
    Held& held = hold(name, layout, sizeof(T));
    poison(held);
    held.is_output = true;
    note_place(held, true);
    return static_cast<T*>(held.data());
  }

  /// An input that becomes the result. Between the rows, the bytes of `values` are 0xFF.
  template <typename T>
  T* update(const std::string& name, const std::vector<T>& values, const Layout& layout) {
    T* const data = input(name, values, layout, true);
    held_.back().is_output = true;
    note_place(held_.back(), true);
    return data;
  }

  /// The bytes of an input or an output that each right function loads or stores, where these are not all.
  void needs(const void* data, std::size_t bytes);

  /// Restores this memory to its state before the launch, for another launch.
  void renew(const void* data);

  /// Allocates memory to work in. No check looks at its contents.
  template <typename T>
  T* scratch(const std::string& name, std::size_t n) {
    Held& held = hold(name, line(n), sizeof(T));
    poison(held);
    return static_cast<T*>(held.data());
  }

  /// Steps 3 to 5, between the timer's start and stop.
  template <typename Launches>
  void launch(Launches launches) {
    const ProfilerRange range;
    timer_.start();
    launches();
    timer_.stop();
  }

  /// Step 6: copies the rows of an output, without the gaps between them.
  template <typename T>
  std::vector<T> copy_back(const T* output) {
    const Held& held = held_at(output);
    std::vector<T> values(held.layout.rows * held.layout.columns);
    to_host(values.data(), held.data(), held.pitch_bytes(), held.row_bytes(), held.layout.rows);
    return values;
  }

  /// Reports forbidden writes: a changed input, or a store before, behind or between rows. The result is one sentence,
  /// or "".
  std::string mistake() const;

 private:
  struct Held {
    std::string name;
    Layout layout;
    std::size_t element_bytes = 0;
    DeviceArray<unsigned char> memory;
    std::size_t front_bytes = 0;   // Guard and misalignment.
    std::size_t back_bytes = 0;    // The guard.
    unsigned char around = 0;      // The value of these bytes.
    const void* values = nullptr;  // The host's data of an input.
    bool may_change = false;
    bool is_output = false;

    void* data() const { return memory.data() == nullptr ? nullptr : memory.data() + front_bytes; }
    std::size_t row_bytes() const { return layout.columns * element_bytes; }
    std::size_t pitch_bytes() const { return layout.pitch * element_bytes; }
  };

  // In the header, so that the simulator finds the caller's line: the first line outside of headers.
  Held& hold(const std::string& name, const Layout& layout, std::size_t element_bytes) {
    const std::size_t guard = call_.has_guards ? kGuardBytes : 0;
    const std::size_t front = guard + layout.misalign * element_bytes;
    const std::size_t bytes = layout.rows * layout.pitch * element_bytes;
    return held_.emplace_back(Held{name, layout, element_bytes,
                                   DeviceArray<unsigned char>(bytes == 0 ? 0 : front + bytes + guard), front, guard});
  }
  Held& held_at(const void* data);
  void note_place(const Held& held, bool is_output) const;
  void poison(Held& held) const;
  void copy_in(Held& held) const;
  void to_host(void* values, const void* data, std::size_t pitch_bytes, std::size_t bytes, std::size_t rows) const;
  std::string changed(const Held& held) const;
  std::size_t first_other(const unsigned char* memory, std::size_t bytes, unsigned char value) const;
  std::string stray_store(const Held& held) const;

  static constexpr std::size_t kGuardBytes = 4096;

  Call call_;
  GpuTimer& timer_;
  cudaStream_t stream_ = nullptr;
  std::list<Held> held_;
};

}  // namespace workbook
