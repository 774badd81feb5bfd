// SPDX-License-Identifier: MIT
// The bytes of copies and fills. Each pointer is checked against its allocation before a byte moves. A refusal names
// the pointer and the number of bytes that it had.
#include "runtime/copy.h"

#include <algorithm>
#include <cstring>
#include <memory>

#include "report/finding_text.h"
#include "report/host_lines.h"
#include "runtime/base/host_stack.h"
#include "runtime/capture.h"
#include "runtime/copied_values.h"
#include "runtime/refusals.h"

namespace cudasim {
namespace {

enum class Place { host, device, any };

struct Side {
  const char* name;  // "source" or "destination"
  const void* pointer;
  Place place;
};

std::string hexadecimal(const void* pointer) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(reinterpret_cast<std::uint64_t>(pointer)));
  return text;
}

/// ". Allocated: todo.cu:12: ..."; empty where that is not known.
std::string allocated_at(const Allocation& allocation) {
  const bool is_known = allocation.callers[0] != 0;
  const std::string where = is_known ? host_place(host_line(allocation.callers, Wanted::caller)) : "";
  return where.empty() ? "" : ". Allocated: " + where;
}

/// The bytes behind [pointer, pointer + size) in this process, or nullptr and the reason.
std::byte* resolve(Runtime& runtime, const Side& side, std::size_t size, std::string& reason) {
  const auto address = reinterpret_cast<std::uint64_t>(side.pointer);
  const auto refuse = [&](const std::string& why) {
    reason = "the " + std::string(side.name) + ", " + hexadecimal(side.pointer) + ", " + why;
    return nullptr;
  };
  if (side.pointer == nullptr) return refuse("is a null pointer");
  const Memory& memory = runtime.memory();
  const Allocation* allocation = memory.find(address);
  if (allocation == nullptr) {
    // User space of every supported host ends far below device addresses.
    const bool may_be_host = address < std::uint64_t{1} << 52 && !memory.is_reserved(address);
    if (const Allocation* below = may_be_host ? nullptr : memory.nearest_below(address);
        below != nullptr && below->host != nullptr) {
      const std::uint64_t past = address - below->address - below->size_bytes;
      return refuse("lies in no allocation, but " + (past == 0 ? "directly" : std::to_string(past) + " bytes") +
                    " past the end of one of " + std::to_string(below->size_bytes) + " bytes" + allocated_at(*below));
    }
    if (side.place == Place::device) return refuse("is not device memory, but the call takes it for that");
    if (!may_be_host) return refuse("lies in no allocation");
    if (const auto left = bytes_left_on_stack(address); left && *left < size) {
      return refuse("is a variable of a function of the host, and there are " + std::to_string(*left) +
                    " bytes to the end of all variables of that function, but " + std::to_string(size) +
                    " were asked for: is the number of bytes too large?");
    }
    return reinterpret_cast<std::byte*>(address);
  }
  if (allocation->host == nullptr) return refuse("was freed");
  const bool host_sees_it = allocation->address == reinterpret_cast<std::uint64_t>(allocation->host);
  if (side.place == Place::host && !host_sees_it)
    return refuse("is device memory, but the direction of the copy says host");
  std::byte* bytes = memory.resolve(address, size);
  if (bytes == nullptr) {
    const std::uint64_t left = allocation->address + allocation->size_bytes - address;
    return refuse("has " + std::to_string(left) + " bytes to the end of its allocation of " +
                  std::to_string(allocation->size_bytes) + " bytes, but " + std::to_string(size) + " were asked for" +
                  allocated_at(*allocation));
  }
  return bytes;
}

bool places_of(cudaMemcpyKind kind, Place& destination, Place& source) {
  switch (kind) {
    case cudaMemcpyHostToHost:
      destination = source = Place::host;
      return true;
    case cudaMemcpyHostToDevice:
      destination = Place::device;
      source = Place::host;
      return true;
    case cudaMemcpyDeviceToHost:
      destination = Place::host;
      source = Place::device;
      return true;
    case cudaMemcpyDeviceToDevice:
      destination = source = Place::device;
      return true;
    case cudaMemcpyDefault:
      destination = source = Place::any;
      return true;
  }
  return false;
}

/// Bytes from the start of the first row to the end of the last. False when that overflows.
bool span_of(const Box& box, const Stride& stride, std::size_t& bytes) {
  std::size_t rows = 0;
  return !__builtin_mul_overflow(box.depth - 1, stride.slice, &bytes) &&
         !__builtin_mul_overflow(box.height - 1, stride.row, &rows) && !__builtin_add_overflow(bytes, rows, &bytes) &&
         !__builtin_add_overflow(bytes, box.width, &bytes);
}

/// Whether rows or slices would overlap.
bool is_too_narrow(const Box& box, const Stride& stride) {
  std::size_t rows = 0;
  const bool endless = __builtin_mul_overflow(box.height, stride.row, &rows);
  return (box.height > 1 && box.width > stride.row) ||
         (box.depth > 1 && (endless || std::max(rows, box.width) > stride.slice));
}

template <typename Body>
void for_each_row(const Box& box, Body body) {
  for (std::size_t slice = 0; slice < box.depth; ++slice) {
    for (std::size_t row = 0; row < box.height; ++row) body(slice, row);
  }
}

struct Copy : CopyCall {
  const char* call;
  std::uint64_t result = 0;  ///< RunReport::next_result(); 0: it is none
};

/// How the bytes of one side are reached, which decides when a copy may run.
enum class Reach : std::uint8_t {
  device,    ///< By the device alone.
  pinned,    ///< By host and device: a copy runs whenever its turn in the stream comes.
  shared,    ///< The same of managed and registered memory.
  pageable,  ///< By the host alone: the device goes through a buffer.
};

Reach reach_of(Runtime& runtime, const void* pointer) {
  const Allocation* allocation = runtime.memory().find(reinterpret_cast<std::uint64_t>(pointer));
  if (allocation == nullptr) return Reach::pageable;
  switch (allocation->origin) {
    case Origin::cuda_malloc_host:
      return Reach::pinned;
    case Origin::managed:
    case Origin::host_registered:
      return Reach::shared;
    case Origin::cuda_malloc:
    case Origin::variable:
    case Origin::constant:
    case Origin::kernel_heap:
    case Origin::internal:
      return Reach::device;
  }
  return Reach::device;
}

void do_copy(Runtime& runtime, const Copy& c, std::byte* to_host, const std::byte* from_host, const StreamWork& work) {
  CopiedValues values(runtime, c.call, c.destination, c.source);
  std::uint64_t result = c.result;
  if (result != 0)
    runtime.report.add_copy({reinterpret_cast<std::uint64_t>(c.source), c.box.width, c.box.height, c.from_stride.row});
  for_each_row(c.box, [&](std::size_t slice, std::size_t row) {
    const std::size_t to_offset = slice * c.to_stride.slice + row * c.to_stride.row;
    const std::size_t from_offset = slice * c.from_stride.slice + row * c.from_stride.row;
    std::memmove(to_host + to_offset, from_host + from_offset, c.box.width);
    if (result != 0) runtime.report.add_result(result++, from_host + from_offset, c.box.width);
    values.row(to_offset, from_offset, c.box.width);
  });
  values.report(work);
}

void fill_row(std::byte* row, const Pattern& pattern, std::size_t bytes) {
  if (pattern.bytes == 1) {
    std::memset(row, static_cast<int>(pattern.value), bytes);
    return;
  }
  for (std::size_t at = 0; at < bytes; at += pattern.bytes) std::memcpy(row + at, &pattern.value, pattern.bytes);
}

TouchedPlaces places_of(bool is_write, const void* pointer, const Stride& stride, const Box& box) {
  return {is_write,    reinterpret_cast<std::uint64_t>(pointer), box.width, box.height, box.depth, stride.row,
          stride.slice};
}

/// The contents of a box of the host's memory, as rows without gaps.
std::shared_ptr<std::vector<std::byte>> contents_of(const void* source, const Stride& stride, const Box& box) {
  auto contents = std::make_shared<std::vector<std::byte>>();
  contents->reserve(box.width * box.height * box.depth);
  for_each_row(box, [&](std::size_t slice, std::size_t row) {
    const auto* from = static_cast<const std::byte*>(source) + slice * stride.slice + row * stride.row;
    contents->insert(contents->end(), from, from + box.width);
  });
  return contents;
}

StreamName name_of(Runtime& runtime, const Put& put) {
  return put.branch != nullptr ? *put.branch : runtime.stream_name(put.stream);
}

cudaError_t put_work(Runtime& runtime, const char* call, StreamWork work, const Put& put, bool at_once) {
  work.what = call;
  work.is_copy = true;
  if (runtime.watches_streams()) work.callers = callers();
  const StreamClock clock = runtime.work.put(name_of(runtime, put), std::move(work), at_once || put.waits);
  return put.waits ? runtime.wait_for(clock) : cudaSuccess;
}

bool is_place(const Runtime& runtime, const Put& put) { return put.branch != nullptr || runtime.is_stream(put.stream); }

/// A copy that is not empty: its two sides, how many bytes they span, and where these lie.
struct CheckedCopy {
  Side to{"destination", nullptr, Place::any};
  Side from{"source", nullptr, Place::any};
  std::size_t to_bytes = 0, from_bytes = 0;
  std::byte* to_host = nullptr;
  const std::byte* from_host = nullptr;
};

cudaError_t check(Runtime& runtime, const char* call, const CopyCall& c, CheckedCopy& checked) {
  checked.to.pointer = c.destination;
  checked.from.pointer = c.source;
  if (!places_of(c.kind, checked.to.place, checked.from.place))
    return refuse_copy(runtime, call, "there is no such direction", cudaErrorInvalidMemcpyDirection);
  if (c.box.is_empty()) return cudaSuccess;
  if (is_too_narrow(c.box, c.to_stride) || is_too_narrow(c.box, c.from_stride))
    return refuse_copy(runtime, call, "a row is wider than the pitch", cudaErrorInvalidPitchValue);
  if (!span_of(c.box, c.to_stride, checked.to_bytes) || !span_of(c.box, c.from_stride, checked.from_bytes))
    return cudaErrorInvalidValue;
  std::string reason;
  checked.to_host = resolve(runtime, checked.to, checked.to_bytes, reason);
  if (checked.to_host != nullptr) checked.from_host = resolve(runtime, checked.from, checked.from_bytes, reason);
  return checked.from_host != nullptr ? cudaSuccess : refuse_copy(runtime, call, reason, cudaErrorInvalidValue);
}

}  // namespace

cudaError_t check_copy(Runtime& runtime, const char* call, const CopyCall& copied) {
  CheckedCopy checked;
  return check(runtime, call, copied, checked);
}

cudaError_t copy(Runtime& runtime, const char* call, const CopyCall& copied, const Put& put) {
  if (!is_place(runtime, put))
    return refuse_copy(runtime, call, "there is no such stream", cudaErrorInvalidResourceHandle);
  const Box& box = copied.box;
  CheckedCopy checked;
  if (const cudaError_t error = check(runtime, call, copied, checked); error != cudaSuccess) return error;
  if (put.branch == nullptr && !box.is_empty()) {
    bool is_node = false;
    const cudaError_t error = capture_step(runtime, put.stream, step_of(copied), is_node);
    if (is_node || error != cudaSuccess) return error;
  }
  if (box.is_empty()) return put.waits ? runtime.wait_for(put.stream) : cudaSuccess;
  std::byte* const to_host = checked.to_host;
  const std::byte* const from_host = checked.from_host;
  Copy c{copied, call};
  const bool is_result = !runtime.settings().report_file.empty() && to_host == static_cast<std::byte*>(c.destination) &&
                         from_host != static_cast<const std::byte*>(c.source);
  if (is_result) c.result = runtime.report.next_result(box.height * box.depth);

  // Source: CUDA Runtime API, "API synchronization behavior". From pageable memory a copy takes the bytes that are
  // there at the call. To pageable memory, and within the host's, the call waits. A copy of a graph runs when its turn
  // comes.
  const Reach to_reach = reach_of(runtime, c.destination), from_reach = reach_of(runtime, c.source);
  Put how = put;
  const bool of_graph = put.branch != nullptr;
  how.waits |= !of_graph && (to_reach == Reach::pageable || (to_reach != Reach::device && from_reach != Reach::device));
  const bool reads_device = to_host == static_cast<std::byte*>(c.destination) && from_reach == Reach::device;
  if (how.waits) look_at_wait(runtime, call, reads_device ? box.width * box.height * box.depth : 0);
  const bool at_once = how.waits || to_reach == Reach::shared || from_reach == Reach::shared;
  StreamWork work;
  std::shared_ptr<std::vector<std::byte>> contents;
  if (!at_once && !of_graph && from_reach == Reach::pageable && runtime.work.is_late(name_of(runtime, put))) {
    contents = contents_of(c.source, c.from_stride, box);
    c.source = contents->data();
    c.from_stride = {box.width, box.width * box.height};
  }
  if (runtime.watches_streams()) {
    if (to_reach != Reach::pageable) work.touches.push_back(places_of(true, c.destination, c.to_stride, box));
    if (from_reach != Reach::pageable) work.touches.push_back(places_of(false, copied.source, copied.from_stride, box));
  }
  work.run = [&runtime, c, checked, contents](const StreamWork& done) {
    // Looked up again: another stream may have freed it.
    std::string reason;
    std::byte* const to_host = resolve(runtime, checked.to, checked.to_bytes, reason);
    const std::byte* const from_host =
        contents != nullptr ? contents->data() : resolve(runtime, checked.from, checked.from_bytes, reason);
    if (to_host != nullptr && from_host != nullptr) {
      do_copy(runtime, c, to_host, from_host, done);
    } else {
      complain(c.call, reason, cudaErrorInvalidValue);
    }
    compare_with_streams(runtime, done);
    return true;
  };
  return put_work(runtime, call, std::move(work), how, at_once);
}

cudaError_t check_fill(Runtime& runtime, const char* call, const FillCall& filled) {
  if (filled.box.is_empty()) return cudaSuccess;
  if (is_too_narrow(filled.box, filled.stride))
    return refuse_copy(runtime, call, "a row is wider than the pitch", cudaErrorInvalidValue);
  std::size_t bytes = 0;
  if (!span_of(filled.box, filled.stride, bytes)) return cudaErrorInvalidValue;
  std::string reason;
  const bool is_there = resolve(runtime, {"destination", filled.destination, Place::device}, bytes, reason) != nullptr;
  return is_there ? cudaSuccess : refuse_copy(runtime, call, reason, cudaErrorInvalidValue);
}

cudaError_t fill(Runtime& runtime, const char* call, const FillCall& filled, const Put& put) {
  if (!is_place(runtime, put))
    return refuse_copy(runtime, call, "there is no such stream", cudaErrorInvalidResourceHandle);
  if (put.branch == nullptr && !filled.box.is_empty()) {
    bool is_node = false;  // and then its address is checked when the graph is launched
    const cudaError_t error = capture_step(runtime, put.stream, step_of(filled), is_node);
    if (is_node || error != cudaSuccess) return error;
  }
  const cudaError_t error = check_fill(runtime, call, filled);
  if (error != cudaSuccess || filled.box.is_empty()) return error;
  StreamWork work;
  if (runtime.watches_streams()) work.touches = {places_of(true, filled.destination, filled.stride, filled.box)};
  work.run = [&runtime, call, f = filled](const StreamWork& done) {
    compare_with_streams(runtime, done);
    std::size_t bytes = 0;
    span_of(f.box, f.stride, bytes);
    std::string reason;
    std::byte* const host = resolve(runtime, {"destination", f.destination, Place::device}, bytes, reason);
    if (host == nullptr) {
      complain(call, reason, cudaErrorInvalidValue);
      return true;
    }
    CopiedValues values(runtime, call, f.destination, nullptr);
    for_each_row(f.box, [&](std::size_t slice, std::size_t row) {
      const std::size_t offset = slice * f.stride.slice + row * f.stride.row;
      fill_row(host + offset, f.pattern, f.box.width);
      values.row(offset, 0, f.box.width);
    });
    return true;
  };
  // The host would find memory that it can read unchanged.
  Put how = put;
  const bool host_sees_it = reach_of(runtime, filled.destination) != Reach::device;
  if (host_sees_it && put.stream == nullptr && put.branch == nullptr) how.waits = true;
  return put_work(runtime, call, std::move(work), how, host_sees_it);
}

}  // namespace cudasim
