// SPDX-License-Identifier: MIT
// A launch, how it is scheduled, and what comes out of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/counters.h"
#include "base/finding.h"
#include "base/gpu.h"
#include "memory/memory.h"
#include "program/texture.h"

namespace cudasim {

class HostTouches;
struct LaunchTiming;

/// The limits that all simulated GPUs share (CUDA C++ Programming Guide, "Technical Specifications per Compute
/// Capability"). The others are in base/gpu.h.
struct DeviceLimits {
  static constexpr std::uint32_t kThreadsPerBlock = 1024;
  static constexpr std::uint32_t kBlockDim[3] = {1024, 1024, 64};
  static constexpr std::uint32_t kGridDim[3] = {2147483647u, 65535, 65535};
  static constexpr std::uint32_t kRegistersPerMultiprocessor = 65536;
  static constexpr std::uint32_t kSharedPerBlock = 49152;
};

/// A box of bytes in device memory that an operation reads or writes: rows and slices, mostly one of each.
struct TouchedPlaces {
  bool is_write = false;
  std::uint64_t begin = 0, width = 0;
  std::uint64_t height = 1, depth = 1;
  std::uint64_t row_stride = 0, slice_stride = 0;  ///< read only where there is more than one
  std::int64_t width_step = 0;                     ///< How much wider a row is than the one before it, in a triangle.
  std::uint64_t row_width(std::uint64_t row) const { return width + row * static_cast<std::uint64_t>(width_step); }
  bool overlap(std::uint64_t address, std::uint64_t bytes) const;
  bool overlap(const TouchedPlaces& other) const;
  /// visit(begin, bytes) for each row.
  template <typename Visit>
  void for_each_row(Visit visit) const {
    for (std::uint64_t slice = 0; slice < depth; ++slice) {
      for (std::uint64_t row = 0; row < height; ++row)
        visit(begin + slice * slice_stride + row * row_stride, row_width(row));
    }
  }
};

/// Work of another stream that may be done before a kernel, after it or at the same time. Nothing orders the two.
struct UnorderedWork {
  TouchedPlaces places;
  std::string what;     ///< "cudaMemcpyAsync, in stream 1 of the program, writes"
  CallStack callers{};  ///< of its call
};

struct Launch {
  Dim3 grid, block;
  std::uint64_t dynamic_shared_bytes = 0;
  const TextureTable* textures = nullptr;  ///< Null: there are none.
  bool cooperative = false;                ///< All blocks resident at once, grid sync works.
  std::uint64_t times_before = 0;          ///< How often the kernel has run; in random order: with the same arguments.
  std::vector<std::byte> parameters;       ///< KernelInfo::parameter_bytes long.
  std::uint64_t printf_bytes = 1 << 20;    ///< cudaLimitPrintfFifoSize.
  std::uint64_t heap_bytes = 8 << 20;      ///< cudaLimitMallocHeapSize.
  std::uint64_t stack_bytes = 1 << 10;     ///< cudaLimitStackSize, of a thread.
  std::string stream;                      ///< Its name in messages.
  std::vector<UnorderedWork> unordered;    ///< What accesses are compared with.
  std::shared_ptr<HostTouches> host_touches;  ///< Null: the launch reaches no memory that the host shares.
  std::shared_ptr<LaunchTiming> timing;       ///< Null: no counts for an estimate are wanted (timing/).
  /// Runs the launch before this one to its end, once. Null: it has ended. A programmatic dependent launch may begin
  /// before it, and comes to `griddepcontrol.wait` where it needs it.
  std::function<void()> primary;
  std::string late_kernel;  ///< "kernel fill(int*), in stream 1 of the program, had not run": one that nothing orders.
};

/// How warps and blocks are scheduled. One seed gives one order of execution, and so the same bits.
struct Schedule {
  enum class Order : std::uint8_t {
    plain,        ///< Blocks and warps in order, a warp runs until it must wait; blocks are spread over the workers.
    random,       ///< Blocks, warps and interruptions are drawn from `seed`; a repeated launch has another order.
                  ///< One worker; work of the default stream is late.
    adversarial,  ///< Reverse order; a warp is interrupted before each store and load that others may see.
                  ///< Blocks change places where one turns from telling others something to looking, or back.
                  ///< In every second launch of a kernel, blocks run side by side. Its grid and `seed` choose
                  ///< whether the first launch is such a one.
                  ///< One worker; work of created streams is late.
  };
  Order order = Order::plain;
  std::uint64_t seed = 0;
  unsigned workers = 0;  ///< host threads; 0: one a core
  /// At most so many blocks are under way at once. 0: as many as the device would run, in about their order.
  /// In a seeded order the blocks begin in any order of the whole grid, as CUDA allows and devices do not do.
  std::uint32_t blocks = 0;
  const Gpu* gpu = &default_gpu();
  std::uint32_t multiprocessors = gpu->multiprocessors;  ///< that the device has
  /// Warp instructions that a block may take before it counts as endless. 0: the default.
  /// A loop that is found to be endless (loop_detector.h) ends sooner.
  std::uint64_t step_budget = 0;
  /// Called by any of the workers' threads, one at a time, when the launch still runs after `patience_seconds`, and
  /// after twice as many, four times as many, and so on. The argument names the place where a block is, and says how
  /// far the launch is. It informs a person who waits, and changes nothing.
  std::function<void(const Finding&)> still_running;
  /// From then on, gets what the kernel has printed so far, as it comes: once at most as many bytes as
  /// Launch::printf_bytes, and then as many again. The rest is in Outcome::printed.
  std::function<void(const std::string&)> show_text;
  double patience_seconds = 4;
};

struct Outcome {
  std::vector<Finding> findings;  ///< at most a few a launch; an error comes last
  int cuda_error = 0;             ///< 0 or the sticky error that hardware would report
  Counters counters;
  std::vector<Counters> by_instruction;  ///< Index: MicroOp::counter.
  std::string printed;                   ///< What the kernel's printf wrote, in the order of execution.
  std::uint64_t printed_bytes = 0;       ///< All that it wrote, where the oldest text is lost; else 0.
  double seconds = 0;                    ///< Host time that the simulation took.
  std::exception_ptr failure;            ///< The simulator itself could not go on, and stopped the kernel midway.
};

}  // namespace cudasim
