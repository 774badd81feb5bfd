// SPDX-License-Identifier: MIT
#include "remote/server/server.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <thread>
#include <tuple>
#include <type_traits>

// What nvcc's code calls before main, and a call that the headers of CUDA 12.0 do not declare.
extern "C" {
void** __cudaRegisterFatBinary(void* wrapper);
void __cudaRegisterFatBinaryEnd(void** handle);
void __cudaRegisterFunction(void** handle, const char* host_function, char* device_function, const char* device_name,
                            int thread_limit, uint3* thread, uint3* block, dim3* block_size, dim3* grid_size,
                            int* warp);
void __cudaRegisterVar(void** handle, char* host_variable, char* device_address, const char* device_name, int is_extern,
                       std::size_t size, int is_constant, int is_global);
cudaError_t cudaFuncGetParamInfo(const void* function, std::size_t index, std::size_t* offset, std::size_t* size);
}

namespace remote {
namespace {

constexpr std::uint64_t kLargestFatBinary = 256 << 20;
constexpr std::size_t kMostModules = 1024, kMostKeys = 1 << 20, kMostParameters = 4096, kMostHostMemories = 4096;
constexpr std::size_t kMostNameBytes = 64 << 20;  // of all kernels and variables

/// One argument of an ordinary call: a value of the message, or the place of a result.
template <typename T, bool = receives<T>>
struct Argument {
  T value;
  explicit Argument(Reader& reader) : value(reader.take<T>()) {}
  T given() { return value; }
  void put(Writer&) const {}
};
template <typename T>
struct Argument<T, true> {
  bool is_wanted;
  std::remove_pointer_t<T> value{};
  explicit Argument(Reader& reader) : is_wanted(reader.take<bool>()) {}
  T given() { return is_wanted ? &value : nullptr; }
  void put(Writer& writer) const {
    if (is_wanted) writer.put(value);
  }
};

template <typename... Types>
Body call_with(cudaError_t (*function)(Types...), Reader& reader) {
  std::tuple<Argument<Types>...> arguments{Argument<Types>(reader)...};
  Writer answer;
  std::apply(
      [&](auto&... argument) {
        answer.put(function(argument.given()...));
        (argument.put(answer), ...);
      },
      arguments);
  return answer.take();
}

cudaLaunchAttribute attribute_of(Reader& arguments) {
  static_assert(offsetof(cudaLaunchAttribute, id) == 0);
  unsigned number;
  std::byte bytes[sizeof(cudaLaunchAttribute)];
  std::memcpy(bytes, arguments.take_bytes(sizeof bytes), sizeof bytes);
  std::memcpy(&number, bytes, sizeof number);
  const auto id = enumeration_of<cudaLaunchAttributeID>(number);
  std::memcpy(bytes, &id, sizeof id);
  cudaLaunchAttribute attribute;
  std::memcpy(&attribute, bytes, sizeof attribute);
  return attribute;
}

Body only(cudaError_t error) { return Writer().put(error).take(); }

bool is_on_device(const void* pointer) {
  cudaPointerAttributes attributes{};
  const bool is_known = cudaPointerGetAttributes(&attributes, pointer) == cudaSuccess;
  return is_known && attributes.type != cudaMemoryTypeUnregistered;
}

}  // namespace

void Server::serve(const Message& call) {
  Reader reader(call.body);
  const auto number = reader.take<Call>();
  Body answer = result_of(number, reader);
  if (reader.left() != 0) throw RemoteError("a call of the student's process has more arguments than it takes");
  channel_.send(Kind::answer, answer);
}

std::string Server::name_of(Reader& arguments) {
  std::string name = arguments.take_text();
  name_bytes_ += name.size();
  if (name_bytes_ > kMostNameBytes) throw RemoteError("the student's process registers too many names");
  return name;
}

cudaError_t Server::register_function(Reader& arguments) {
  const auto module = handles_.find(arguments.take<std::uint64_t>());
  const auto function = arguments.take<std::uint64_t>();
  const std::string name = name_of(arguments);
  if (module == handles_.end() || keys_.size() == kMostKeys) throw RemoteError("a kernel belongs to no module");
  functions_[function] = &keys_.emplace_back();
  __cudaRegisterFunction(module->second, functions_[function], nullptr, name.c_str(), -1, nullptr, nullptr, nullptr,
                         nullptr, nullptr);
  return cudaSuccess;
}

cudaError_t Server::register_variable(Reader& arguments) {
  const auto module = handles_.find(arguments.take<std::uint64_t>());
  const auto variable = arguments.take<std::uint64_t>();
  const auto size = arguments.take<std::uint64_t>();
  const auto is_constant = arguments.take<int>();
  const std::string name = name_of(arguments);
  if (module == handles_.end() || keys_.size() == kMostKeys) throw RemoteError("a variable belongs to no module");
  char* const key = &keys_.emplace_back();
  variables_[variable] = key;
  __cudaRegisterVar(module->second, key, nullptr, name.c_str(), 0, size, is_constant, 0);
  return cudaSuccess;
}

Body Server::symbol_of(Reader& arguments) {
  const auto found = variables_.find(arguments.take<std::uint64_t>());
  const char* const symbol = found == variables_.end() ? nullptr : found->second;
  Argument<void**> address(arguments);
  Argument<std::size_t*> size(arguments);
  cudaError_t error = cudaGetSymbolAddress(&address.value, symbol);
  if (error == cudaSuccess) error = cudaGetSymbolSize(&size.value, symbol);
  Writer answer;
  answer.put(error);
  address.put(answer);
  size.put(answer);
  return answer.take();
}

Body Server::result_of(Call call, Reader& arguments) {
  switch (call) {
#define REMOTE_CALL(name) \
  case Call::k_##name:    \
    return call_with(&(name), arguments);
#define REMOTE_OWN_CALL(name)
#include "remote/call_list.inc"
#undef REMOTE_CALL
#undef REMOTE_OWN_CALL
    case Call::k_copy:
      return copy(arguments.take<CopyMessage>());
    case Call::k_launch:
      return launch(arguments);
    case Call::k_parameter_places:
      return parameter_places(arguments.take<std::uint64_t>());
    case Call::k_register_module:
      return only(register_module(arguments.take<std::uint64_t>()));
    case Call::k_error_text: {
      const auto error = arguments.take<cudaError_t>();
      const auto is_name = arguments.take<bool>();
      return Writer().put_text(is_name ? cudaGetErrorName(error) : cudaGetErrorString(error)).take();
    }
    case Call::k_register_function:
      return only(register_function(arguments));
    case Call::k_register_variable:
      return only(register_variable(arguments));
    case Call::k_symbol:
      return symbol_of(arguments);
    case Call::k_set_function_attribute: {
      const void* const function = function_of(arguments.take<std::uint64_t>());
      const auto attribute = arguments.take<cudaFuncAttribute>();
      return only(cudaFuncSetAttribute(function, attribute, arguments.take<int>()));
    }
    case Call::k_function_attributes: {
      Argument<cudaFuncAttributes*> attributes(arguments);
      Writer answer;
      answer.put(cudaFuncGetAttributes(attributes.given(), function_of(arguments.take<std::uint64_t>())));
      attributes.put(answer);
      return answer.take();
    }
    case Call::k_malloc_host: {
      const auto address = arguments.take<std::uint64_t>();
      const auto bytes = arguments.take<std::uint64_t>();
      if (host_memory_.size() == kMostHostMemories) return only(cudaErrorMemoryAllocation);
      host_memory_.push_back({address, bytes});
      return only(cudaSuccess);
    }
    case Call::k_free_host: {
      const auto address = arguments.take<std::uint64_t>();
      const auto found = std::find_if(host_memory_.begin(), host_memory_.end(), [&](const HostMemory& memory) {
        return memory.is_allocated && memory.address == address;
      });
      if (found == host_memory_.end()) return only(cudaErrorInvalidValue);
      found->is_allocated = false;  // what stands for it may be in use
      if (found->stand_in == nullptr) host_memory_.erase(found);
      return only(cudaSuccess);
    }
    case Call::k_occupancy: {
      Argument<int*> blocks(arguments);
      const void* const function = function_of(arguments.take<std::uint64_t>());
      const auto block_size = arguments.take<int>();
      const auto shared_bytes = arguments.take<std::size_t>();
      const auto flags = arguments.take<unsigned>();
      Writer answer;
      answer.put(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks.given(), function, block_size,
                                                                        shared_bytes, flags));
      blocks.put(answer);
      return answer.take();
    }
  }
  throw RemoteError("the student's process makes a call that has no number");
}

std::uint64_t Server::move_rows(Kind kind, const RowsMessage& rows) {
  channel_.send(kind, Writer().put(rows).take());
  const Message done = channel_.receive();
  if (done.kind != Kind::done) throw RemoteError("the student's process has not copied what it was asked to");
  return Reader(done.body).take<std::uint64_t>();
}

void Server::read_all(std::uint64_t address, void* data, std::size_t bytes) {
  for (std::size_t done = 0; done < bytes;) {
    const std::size_t part = std::min(bytes - done, kWindowBytes);
    if (move_rows(Kind::read, {address + done, part, part, 1}) != part)
      throw RemoteError("the student's process cannot read its own device code");
    std::memcpy(static_cast<std::byte*>(data) + done, channel_.window(), part);
    done += part;
  }
}

bool Server::write(std::uint64_t address, const void* data, std::size_t bytes) {
  for (std::size_t done = 0; done < bytes;) {
    const std::size_t part = std::min(bytes - done, kWindowBytes);
    std::memcpy(channel_.window(), static_cast<const std::byte*>(data) + done, part);
    if (move_rows(Kind::write, {address + done, part, part, 1}) != part) return false;
    done += part;
  }
  return true;
}

void* Server::stand_in_for(std::uint64_t address, std::size_t bytes) {
  for (HostMemory& memory : host_memory_) {
    if (!memory.is_allocated || memory.address != address || memory.bytes < bytes || memory.stand_in != nullptr)
      continue;
    void* made = nullptr;
    if (cudaMallocHost(&made, bytes) != cudaSuccess) throw RemoteError("there is no page-locked memory left");
    memory.bytes = bytes;
    memory.stand_in = static_cast<std::byte*>(made);
    return made;
  }
  return nullptr;
}

std::uint64_t Server::address_of(const void* stand_in) const {
  for (const HostMemory& memory : host_memory_) {
    if (stand_in != nullptr && memory.stand_in == stand_in) return memory.address;
  }
  return 0;
}

void Server::drop_stand_in(void* stand_in) {
  const auto found = std::find_if(host_memory_.begin(), host_memory_.end(),
                                  [&](const HostMemory& memory) { return memory.stand_in == stand_in; });
  if (stand_in == nullptr || found == host_memory_.end() || found->is_allocated) return;
  cudaFreeHost(stand_in);
  host_memory_.erase(found);
}

std::byte* Server::stand_in_of(const void* address, std::uint64_t pitch, const CopyMessage& copied) const {
  std::uint64_t bytes = 0;
  if (copied.height == 0 || __builtin_mul_overflow(copied.height - 1, pitch, &bytes) ||
      __builtin_add_overflow(bytes, copied.width, &bytes))
    return nullptr;
  const auto begin = reinterpret_cast<std::uint64_t>(address);
  for (const HostMemory& memory : host_memory_) {
    if (memory.stand_in == nullptr || !memory.is_allocated || begin < memory.address) continue;
    const std::uint64_t offset = begin - memory.address;
    if (offset <= memory.bytes && bytes <= memory.bytes - offset) return memory.stand_in + offset;
  }
  return nullptr;
}

Body Server::copy(const CopyMessage& copied) {
  CopyMessage c = copied;
  const auto kind = enumeration_of<cudaMemcpyKind>(c.kind);
  bool from_host = kind == cudaMemcpyHostToDevice || (kind == cudaMemcpyDefault && !is_on_device(c.source));
  bool to_host = kind == cudaMemcpyDeviceToHost || (kind == cudaMemcpyDefault && !is_on_device(c.destination));
  if (kind == cudaMemcpyHostToHost || (from_host && to_host)) return only(cudaErrorNotSupported);
  if (std::byte* const source = from_host ? stand_in_of(c.source, c.source_pitch, c) : nullptr; source != nullptr) {
    c.source = source;
    from_host = false;
  }
  if (std::byte* const destination = to_host ? stand_in_of(c.destination, c.destination_pitch, c) : nullptr;
      destination != nullptr) {
    c.destination = destination;
    to_host = false;
  }
  std::uint64_t bytes = 0;
  if (__builtin_mul_overflow(c.width, c.height, &bytes)) return only(cudaErrorInvalidValue);
  if ((from_host || to_host) && bytes > kWindowBytes) {
    // In parts: rows of it, or pieces of one row.
    const std::uint64_t rows = c.height == 1 ? 0 : kWindowBytes / c.width;
    const std::uint64_t width = c.height == 1 ? kWindowBytes : c.width;
    if (c.height != 1 && rows == 0) return only(cudaErrorNotSupported);
    for (std::uint64_t done = 0; done < (c.height == 1 ? c.width : c.height);) {
      CopyMessage part = c;
      const std::uint64_t now = c.height == 1 ? std::min(width, c.width - done) : std::min(rows, c.height - done);
      (c.height == 1 ? part.width : part.height) = now;
      part.destination = static_cast<std::byte*>(c.destination) + done * (c.height == 1 ? 1 : c.destination_pitch);
      part.source = static_cast<const std::byte*>(c.source) + done * (c.height == 1 ? 1 : c.source_pitch);
      Body answer = copy(part);
      if (Reader(answer).take<cudaError_t>() != cudaSuccess) return answer;
      done += now;
    }
    return only(cudaSuccess);
  }
  bool is_readable = true;
  if (from_host && bytes != 0) {
    const auto address = reinterpret_cast<std::uint64_t>(c.source);
    is_readable = move_rows(Kind::read, {address, c.source_pitch, c.width, c.height}) == bytes;
    for (std::uint64_t row = 0; stand_in_ && row < c.height; ++row)
      stand_in_->put_what_is_meant(address + row * c.source_pitch, channel_.window() + row * c.width, c.width);
    c.source = channel_.window();
    c.source_pitch = c.width;
  }
  if (to_host) {
    c.destination = channel_.window();
    c.destination_pitch = c.width;
  }
  cudaError_t error;
  if (c.height == 1) {
    error = c.is_asynchronous ? cudaMemcpyAsync(c.destination, c.source, c.width, kind, c.stream)
                              : cudaMemcpy(c.destination, c.source, c.width, kind);
  } else {
    error = c.is_asynchronous
                ? cudaMemcpy2DAsync(c.destination, c.destination_pitch, c.source, c.source_pitch, c.width, c.height,
                                    kind, c.stream)
                : cudaMemcpy2D(c.destination, c.destination_pitch, c.source, c.source_pitch, c.width, c.height, kind);
  }
  // The bytes of a copy to the device are taken at the call, and a copy to the host waits itself: neither needs the
  // window any longer. A graph would read it when its turn comes.
  cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
  if (error == cudaSuccess && c.is_asynchronous && from_host && bytes != 0 &&
      (cudaStreamIsCapturing(c.stream, &capture) != cudaSuccess || capture != cudaStreamCaptureStatusNone))
    error = cudaErrorNotSupported;
  if (error == cudaSuccess && to_host && bytes != 0) {
    bytes_to_student_ += bytes;
    const auto address = reinterpret_cast<std::uint64_t>(copied.destination);
    if (move_rows(Kind::write, {address, copied.destination_pitch, c.width, c.height}) != bytes) is_readable = false;
  }
  return only(error == cudaSuccess && !is_readable ? cudaErrorInvalidValue : error);
}

const void* Server::function_of(std::uint64_t address) const {
  const auto found = functions_.find(address);
  return found == functions_.end() ? nullptr : found->second;
}

cudaError_t Server::places_of(std::uint64_t function, std::vector<ParameterPlace>& places) {
  if (const auto found = places_.find(function); found != places_.end()) {
    places = found->second;
    return cudaSuccess;
  }
  // A module that cannot be loaded gives its error here.
  cudaFuncAttributes attributes{};
  if (const cudaError_t error = cudaFuncGetAttributes(&attributes, function_of(function)); error != cudaSuccess)
    return error;
  // The index behind the last one is an error. It is another thread's, so the student's program does not find it as its
  // last error.
  std::thread([&] {
    std::size_t offset = 0, size = 0;
    while (places.size() < kMostParameters &&
           cudaFuncGetParamInfo(function_of(function), places.size(), &offset, &size) == cudaSuccess)
      places.push_back({offset, size});
  }).join();
  places_[function] = places;
  return cudaSuccess;
}

Body Server::parameter_places(std::uint64_t function) {
  std::vector<ParameterPlace> places;
  const cudaError_t error = places_of(function, places);
  Writer answer;
  answer.put(error).put(static_cast<std::uint32_t>(places.size()));
  for (const ParameterPlace& place : places) answer.put(place);
  return answer.take();
}

Body Server::launch(Reader& arguments) {
  const auto message = arguments.take<LaunchMessage>();
  const std::byte* const given = arguments.take_bytes(message.argument_bytes);
  std::vector<std::byte> packed(given, given + message.argument_bytes);
  std::vector<cudaLaunchAttribute> attributes;
  for (std::uint32_t i = 0; i < message.attributes; ++i) attributes.push_back(attribute_of(arguments));
  std::vector<ParameterPlace> places;
  if (const cudaError_t error = places_of(message.function, places); error != cudaSuccess) return only(error);
  std::vector<void*> addresses;
  for (const ParameterPlace& place : places) {
    if (place.offset > packed.size() || place.size > packed.size() - place.offset)
      throw RemoteError("a launch has fewer bytes of arguments than its kernel takes");
    addresses.push_back(packed.data() + place.offset);
  }
  const void* const function = function_of(message.function);
  if (attributes.empty())
    return only(cudaLaunchKernel(function, message.grid, message.block, addresses.data(), message.shared_bytes,
                                 message.stream));
  cudaLaunchConfig_t config{};
  config.gridDim = message.grid;
  config.blockDim = message.block;
  config.dynamicSmemBytes = message.shared_bytes;
  config.stream = message.stream;
  config.attrs = attributes.data();
  config.numAttrs = message.attributes;
  return only(cudaLaunchKernelExC(&config, function, addresses.data()));
}

cudaError_t Server::register_module(std::uint64_t wrapper) {
  if (modules_.size() == kMostModules) throw RemoteError("the student's process registers too many modules");
  FatBinary given;
  read_all(wrapper, &given, sizeof given);
  struct {  // the head of a container of device code
    std::uint32_t magic;
    std::uint16_t version, head_bytes;
    std::uint64_t bytes;
  } head{};
  const auto begin = reinterpret_cast<std::uint64_t>(given.data);
  read_all(begin, &head, sizeof head);
  if (head.bytes > kLargestFatBinary) throw RemoteError("the student's process registers too much device code");
  LoadedModule& module = modules_.emplace_back();
  module.bytes.resize(head.head_bytes + head.bytes);
  read_all(begin, module.bytes.data(), module.bytes.size());
  // Read again: the student's process may have changed it meanwhile, and CUDA relies on the size in it.
  if (module.bytes.size() < sizeof head || std::memcmp(module.bytes.data(), &head, sizeof head) != 0)
    throw RemoteError("the student's process changes its device code");
  const std::string_view code(reinterpret_cast<const char*>(module.bytes.data()), module.bytes.size());
  if (accepted_ && accepted_->find(code) == std::string::npos)
    throw RemoteError("the program makes device code when it runs: only what the grader has compiled may run");
  module.wrapper = {given.magic, 1, module.bytes.data(), nullptr};
  module.handle = __cudaRegisterFatBinary(&module.wrapper);
  __cudaRegisterFatBinaryEnd(module.handle);
  handles_[wrapper] = module.handle;
  return cudaSuccess;
}

}  // namespace remote
