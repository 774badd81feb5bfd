// SPDX-License-Identifier: MIT
// Copies and fills. Each pointer is checked against its allocation before a byte moves, and a refusal says which
// pointer it was and how many bytes it had.
#include <cstring>

#include "cudart/copied_values.h"
#include "cudart/runtime.h"
#include "report/demangle.h"

using namespace cudasim;

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

/// Rows of `width` bytes. A plain copy is one row.
struct Rows {
  std::size_t width, height, destination_pitch, source_pitch;
};

/// Bytes from the start of the first row to the end of the last; false when that is no number of bytes.
bool span_of(const Rows& rows, std::size_t pitch, std::size_t& bytes) {
  return !__builtin_mul_overflow(rows.height - 1, pitch, &bytes) && !__builtin_add_overflow(bytes, rows.width, &bytes);
}

cudaError_t copy(Runtime& runtime, const char* call, void* destination, const void* source, const Rows& rows,
                 cudaMemcpyKind kind) {
  Side to{"destination", destination, Place::any};
  Side from{"source", source, Place::any};
  if (!places_of(kind, to.place, from.place))
    return complain(call, "there is no such direction", cudaErrorInvalidMemcpyDirection);
  if (rows.width == 0 || rows.height == 0) return cudaSuccess;
  if (rows.height > 1 && (rows.width > rows.destination_pitch || rows.width > rows.source_pitch)) {
    return complain(call, "a row is wider than the pitch", cudaErrorInvalidPitchValue);
  }
  std::size_t to_bytes = 0, from_bytes = 0;
  if (!span_of(rows, rows.destination_pitch, to_bytes) || !span_of(rows, rows.source_pitch, from_bytes))
    return cudaErrorInvalidValue;
  std::byte* const to_host = resolve(runtime, call, to, to_bytes);
  const std::byte* const from_host = to_host != nullptr ? resolve(runtime, call, from, from_bytes) : nullptr;
  if (from_host == nullptr) return cudaErrorInvalidValue;
  const bool is_result = !runtime.settings().report_file.empty() && to_host == static_cast<std::byte*>(destination) &&
                         from_host != static_cast<const std::byte*>(source);
  CopiedValues values(runtime, call, destination, source);
  for (std::size_t row = 0; row < rows.height; ++row) {
    std::memmove(to_host + row * rows.destination_pitch, from_host + row * rows.source_pitch, rows.width);
    if (is_result) runtime.report.add_result(from_host + row * rows.source_pitch, rows.width);
    values.row(row * rows.destination_pitch, row * rows.source_pitch, rows.width);
  }
  values.report();
  return cudaSuccess;
}

cudaError_t fill(Runtime& runtime, const char* call, void* destination, int value, const Rows& rows) {
  if (rows.width == 0 || rows.height == 0) return cudaSuccess;
  if (rows.height > 1 && rows.width > rows.destination_pitch)
    return complain(call, "a row is wider than the pitch", cudaErrorInvalidValue);
  std::size_t bytes = 0;
  if (!span_of(rows, rows.destination_pitch, bytes)) return cudaErrorInvalidValue;
  std::byte* const host = resolve(runtime, call, {"destination", destination, Place::device}, bytes);
  if (host == nullptr) return cudaErrorInvalidValue;
  CopiedValues values(runtime, call, destination, nullptr);
  for (std::size_t row = 0; row < rows.height; ++row) {
    std::memset(host + row * rows.destination_pitch, value, rows.width);
    values.row(row * rows.destination_pitch, 0, rows.width);
  }
  return cudaSuccess;
}

/// A copy to or from `offset` of a symbol.
cudaError_t copy_symbol(Runtime& runtime, const char* call, const void* symbol, void* host_or_device, bool to_symbol,
                        std::size_t size, std::size_t offset, cudaMemcpyKind kind) {
  cudaError_t error = cudaSuccess;
  const Allocation* variable = runtime.find_variable(symbol, error);
  if (variable == nullptr) return complain(call, "there is no such variable on the device", error);
  const bool direction_fits = kind == cudaMemcpyDefault || kind == cudaMemcpyDeviceToDevice ||
                              kind == (to_symbol ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost);
  if (!direction_fits)
    return complain(call, "this direction does not go with a symbol", cudaErrorInvalidMemcpyDirection);
  if (offset > variable->size_bytes || size > variable->size_bytes - offset) {
    return complain(call,
                    "variable '" + demangle(variable->name) + "' has " + std::to_string(variable->size_bytes) +
                        " bytes, but " + std::to_string(size) + " at offset " + std::to_string(offset) +
                        " were asked for",
                    cudaErrorInvalidValue);
  }
  void* const address = reinterpret_cast<void*>(variable->address + offset);
  const Rows rows{size, 1, 0, 0};
  return to_symbol ? copy(runtime, call, address, host_or_device, rows, kind)
                   : copy(runtime, call, host_or_device, address, rows, kind);
}

}  // namespace

extern "C" cudaError_t cudaMemcpy(void* destination, const void* source, std::size_t size, cudaMemcpyKind kind) {
  return enter("cudaMemcpy", Access::synchronous, [&](Runtime& runtime) {
    return copy(runtime, "cudaMemcpy", destination, source, {size, 1, 0, 0}, kind);
  });
}
CUDASIM_ALIAS(cudaMemcpy_ptds, cudaMemcpy);

extern "C" cudaError_t cudaMemcpyAsync(void* destination, const void* source, std::size_t size, cudaMemcpyKind kind,
                                       cudaStream_t stream) {
  return enter("cudaMemcpyAsync", Access::enqueued, [&](Runtime& runtime) {
    if (!runtime.is_stream(stream)) return cudaErrorInvalidResourceHandle;
    return copy(runtime, "cudaMemcpyAsync", destination, source, {size, 1, 0, 0}, kind);
  });
}
CUDASIM_ALIAS(cudaMemcpyAsync_ptsz, cudaMemcpyAsync);

extern "C" cudaError_t cudaMemcpyPeer(void* destination, int to_device, const void* source, int from_device,
                                      std::size_t size) {
  if (to_device != 0 || from_device != 0) return remember(cudaErrorInvalidDevice);
  return cudaMemcpy(destination, source, size, cudaMemcpyDeviceToDevice);
}

extern "C" cudaError_t cudaMemcpyPeerAsync(void* destination, int to_device, const void* source, int from_device,
                                           std::size_t size, cudaStream_t stream) {
  if (to_device != 0 || from_device != 0) return remember(cudaErrorInvalidDevice);
  return cudaMemcpyAsync(destination, source, size, cudaMemcpyDeviceToDevice, stream);
}

extern "C" cudaError_t cudaMemcpy2D(void* destination, std::size_t destination_pitch, const void* source,
                                    std::size_t source_pitch, std::size_t width, std::size_t height,
                                    cudaMemcpyKind kind) {
  return enter("cudaMemcpy2D", Access::synchronous, [&](Runtime& runtime) {
    return copy(runtime, "cudaMemcpy2D", destination, source, {width, height, destination_pitch, source_pitch}, kind);
  });
}
CUDASIM_ALIAS(cudaMemcpy2D_ptds, cudaMemcpy2D);

extern "C" cudaError_t cudaMemcpy2DAsync(void* destination, std::size_t destination_pitch, const void* source,
                                         std::size_t source_pitch, std::size_t width, std::size_t height,
                                         cudaMemcpyKind kind, cudaStream_t stream) {
  return enter("cudaMemcpy2DAsync", Access::enqueued, [&](Runtime& runtime) {
    if (!runtime.is_stream(stream)) return cudaErrorInvalidResourceHandle;
    return copy(runtime, "cudaMemcpy2DAsync", destination, source, {width, height, destination_pitch, source_pitch},
                kind);
  });
}
CUDASIM_ALIAS(cudaMemcpy2DAsync_ptsz, cudaMemcpy2DAsync);

extern "C" cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* source, std::size_t size, std::size_t offset,
                                          cudaMemcpyKind kind) {
  return enter("cudaMemcpyToSymbol", Access::synchronous, [&](Runtime& runtime) {
    return copy_symbol(runtime, "cudaMemcpyToSymbol", symbol, const_cast<void*>(source), true, size, offset, kind);
  });
}
CUDASIM_ALIAS(cudaMemcpyToSymbol_ptds, cudaMemcpyToSymbol);

extern "C" cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* source, std::size_t size,
                                               std::size_t offset, cudaMemcpyKind kind, cudaStream_t /*stream*/) {
  return enter("cudaMemcpyToSymbolAsync", Access::enqueued, [&](Runtime& runtime) {
    return copy_symbol(runtime, "cudaMemcpyToSymbolAsync", symbol, const_cast<void*>(source), true, size, offset, kind);
  });
}
CUDASIM_ALIAS(cudaMemcpyToSymbolAsync_ptsz, cudaMemcpyToSymbolAsync);

extern "C" cudaError_t cudaMemcpyFromSymbol(void* destination, const void* symbol, std::size_t size, std::size_t offset,
                                            cudaMemcpyKind kind) {
  return enter("cudaMemcpyFromSymbol", Access::synchronous, [&](Runtime& runtime) {
    return copy_symbol(runtime, "cudaMemcpyFromSymbol", symbol, destination, false, size, offset, kind);
  });
}
CUDASIM_ALIAS(cudaMemcpyFromSymbol_ptds, cudaMemcpyFromSymbol);

extern "C" cudaError_t cudaMemcpyFromSymbolAsync(void* destination, const void* symbol, std::size_t size,
                                                 std::size_t offset, cudaMemcpyKind kind, cudaStream_t /*stream*/) {
  return enter("cudaMemcpyFromSymbolAsync", Access::enqueued, [&](Runtime& runtime) {
    return copy_symbol(runtime, "cudaMemcpyFromSymbolAsync", symbol, destination, false, size, offset, kind);
  });
}
CUDASIM_ALIAS(cudaMemcpyFromSymbolAsync_ptsz, cudaMemcpyFromSymbolAsync);

extern "C" cudaError_t cudaMemset(void* destination, int value, std::size_t size) {
  return enter("cudaMemset", Access::enqueued, [&](Runtime& runtime) {
    return fill(runtime, "cudaMemset", destination, value, {size, 1, 0, 0});
  });
}
CUDASIM_ALIAS(cudaMemset_ptds, cudaMemset);

extern "C" cudaError_t cudaMemsetAsync(void* destination, int value, std::size_t size, cudaStream_t stream) {
  return enter("cudaMemsetAsync", Access::enqueued, [&](Runtime& runtime) {
    if (!runtime.is_stream(stream)) return cudaErrorInvalidResourceHandle;
    return fill(runtime, "cudaMemsetAsync", destination, value, {size, 1, 0, 0});
  });
}
CUDASIM_ALIAS(cudaMemsetAsync_ptsz, cudaMemsetAsync);

extern "C" cudaError_t cudaMemset2D(void* destination, std::size_t pitch, int value, std::size_t width,
                                    std::size_t height) {
  return enter("cudaMemset2D", Access::enqueued, [&](Runtime& runtime) {
    return fill(runtime, "cudaMemset2D", destination, value, {width, height, pitch, 0});
  });
}
CUDASIM_ALIAS(cudaMemset2D_ptds, cudaMemset2D);

extern "C" cudaError_t cudaMemset2DAsync(void* destination, std::size_t pitch, int value, std::size_t width,
                                         std::size_t height, cudaStream_t stream) {
  return enter("cudaMemset2DAsync", Access::enqueued, [&](Runtime& runtime) {
    if (!runtime.is_stream(stream)) return cudaErrorInvalidResourceHandle;
    return fill(runtime, "cudaMemset2DAsync", destination, value, {width, height, pitch, 0});
  });
}
CUDASIM_ALIAS(cudaMemset2DAsync_ptsz, cudaMemset2DAsync);

extern "C" cudaError_t cudaGetSymbolAddress(void** address, const void* symbol) {
  return enter("cudaGetSymbolAddress", Access::context, [&](Runtime& runtime) {
    if (address == nullptr) return cudaErrorInvalidValue;
    cudaError_t error = cudaSuccess;
    const Allocation* variable = runtime.find_variable(symbol, error);
    if (variable != nullptr) *address = reinterpret_cast<void*>(variable->address);
    return error;
  });
}

extern "C" cudaError_t cudaGetSymbolSize(std::size_t* size, const void* symbol) {
  return enter("cudaGetSymbolSize", Access::context, [&](Runtime& runtime) {
    if (size == nullptr) return cudaErrorInvalidValue;
    cudaError_t error = cudaSuccess;
    const Allocation* variable = runtime.find_variable(symbol, error);
    if (variable != nullptr) *size = variable->size_bytes;
    return error;
  });
}
