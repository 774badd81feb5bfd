// SPDX-License-Identifier: MIT
// The bytes of copies and fills. Each pointer is checked against its allocation before a byte moves, and a refusal says
// which pointer it was and how many bytes it had.
#include "cudart/copy.h"

#include <cstring>

#include "cudart/copied_values.h"

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

/// The bytes behind [pointer, pointer + size) in this process, or nullptr and a complaint.
std::byte* resolve(Runtime& runtime, const char* call, const Side& side, std::size_t size) {
  const auto address = reinterpret_cast<std::uint64_t>(side.pointer);
  const auto refuse = [&](const std::string& why) {
    complain(call, "the " + std::string(side.name) + ", " + hexadecimal(side.pointer) + ", " + why,
             cudaErrorInvalidValue);
    return nullptr;
  };
  if (side.pointer == nullptr) return refuse("is a null pointer");
  const Memory& memory = runtime.memory();
  const Allocation* allocation = memory.find(address);
  if (allocation == nullptr) {
    // User space of every host that this runs on ends far below device addresses.
    const bool may_be_host = address < std::uint64_t{1} << 52;
    if (side.place == Place::device) return refuse("is not device memory");
    if (!may_be_host) return refuse("lies in no allocation");
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
                  std::to_string(allocation->size_bytes) + " bytes, but " + std::to_string(size) + " were asked for");
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

/// Bytes from the start of the first row to the end of the last; false when that is no number of bytes.
bool span_of(const Box& box, const Stride& stride, std::size_t& bytes) {
  std::size_t rows = 0;
  return !__builtin_mul_overflow(box.depth - 1, stride.slice, &bytes) &&
         !__builtin_mul_overflow(box.height - 1, stride.row, &rows) && !__builtin_add_overflow(bytes, rows, &bytes) &&
         !__builtin_add_overflow(bytes, box.width, &bytes);
}

/// Whether rows and slices would overlap.
bool is_too_narrow(const Box& box, const Stride& stride) {
  return (box.height > 1 && box.width > stride.row) || (box.depth > 1 && box.height * stride.row > stride.slice);
}

template <typename Body>
void for_each_row(const Box& box, Body body) {
  for (std::size_t slice = 0; slice < box.depth; ++slice) {
    for (std::size_t row = 0; row < box.height; ++row) body(slice, row);
  }
}

}  // namespace

cudaError_t copy(Runtime& runtime, const char* call, void* destination, const Stride& to_stride, const void* source,
                 const Stride& from_stride, const Box& box, cudaMemcpyKind kind) {
  Side to{"destination", destination, Place::any};
  Side from{"source", source, Place::any};
  if (!places_of(kind, to.place, from.place))
    return complain(call, "there is no such direction", cudaErrorInvalidMemcpyDirection);
  if (box.is_empty()) return cudaSuccess;
  if (is_too_narrow(box, to_stride) || is_too_narrow(box, from_stride))
    return complain(call, "a row is wider than the pitch", cudaErrorInvalidPitchValue);
  std::size_t to_bytes = 0, from_bytes = 0;
  if (!span_of(box, to_stride, to_bytes) || !span_of(box, from_stride, from_bytes)) return cudaErrorInvalidValue;
  std::byte* const to_host = resolve(runtime, call, to, to_bytes);
  const std::byte* const from_host = to_host != nullptr ? resolve(runtime, call, from, from_bytes) : nullptr;
  if (from_host == nullptr) return cudaErrorInvalidValue;
  const bool is_result = !runtime.settings().report_file.empty() && to_host == static_cast<std::byte*>(destination) &&
                         from_host != static_cast<const std::byte*>(source);
  CopiedValues values(runtime, call, destination, source);
  for_each_row(box, [&](std::size_t slice, std::size_t row) {
    const std::size_t to_offset = slice * to_stride.slice + row * to_stride.row;
    const std::size_t from_offset = slice * from_stride.slice + row * from_stride.row;
    std::memmove(to_host + to_offset, from_host + from_offset, box.width);
    if (is_result) runtime.report.add_result(from_host + from_offset, box.width);
    values.row(to_offset, from_offset, box.width);
  });
  values.report();
  return cudaSuccess;
}

cudaError_t fill(Runtime& runtime, const char* call, void* destination, const Stride& stride, int value,
                 const Box& box) {
  if (box.is_empty()) return cudaSuccess;
  if (is_too_narrow(box, stride)) return complain(call, "a row is wider than the pitch", cudaErrorInvalidValue);
  std::size_t bytes = 0;
  if (!span_of(box, stride, bytes)) return cudaErrorInvalidValue;
  std::byte* const host = resolve(runtime, call, {"destination", destination, Place::device}, bytes);
  if (host == nullptr) return cudaErrorInvalidValue;
  CopiedValues values(runtime, call, destination, nullptr);
  for_each_row(box, [&](std::size_t slice, std::size_t row) {
    const std::size_t offset = slice * stride.slice + row * stride.row;
    std::memset(host + offset, value, box.width);
    values.row(offset, 0, box.width);
  });
  return cudaSuccess;
}

}  // namespace cudasim
