// SPDX-License-Identifier: MIT
// The end of the process that holds the device. It executes the calls of the student's process by CUDA's own interface,
// and knows no more of the device than that: it may be a GPU or the simulator.
//
// Every message is untrusted. An address of the student's process is never followed here. It is a name for what that
// process has registered, or the student's process copies the bytes itself, on request.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "remote/call.h"
#include "remote/channel.h"
#include "remote/server/stand_in.h"

namespace remote {

class Server {
 public:
  explicit Server(Channel& channel) : channel_(channel) {}
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  /// Executes a call and answers it. Throws RemoteError for a message that no right client sends.
  void serve(const Message& call);

  /// From now on only device code that is in these bytes is taken, as a compiler has made it. A program could
  /// otherwise make code at run time, with a result in it.
  void accept_only(std::string device_code) { accepted_ = std::move(device_code); }

  /// Puts bytes into the student's memory, at an address that it gave. False: it has no such memory.
  bool write(std::uint64_t address, const void* data, std::size_t bytes);

  /// Until stand_for_nothing(), an array of the student's process stands for another one: a copy to the device that
  /// holds what `shown` has gets the bytes of `meant` at the same places. So a program can compute with numbers on the
  /// device that it has never seen.
  void let_stand_for(std::uint64_t address, const void* shown, const void* meant, std::size_t bytes) {
    stand_in_.emplace(address, static_cast<const std::byte*>(shown), static_cast<const std::byte*>(meant), bytes);
  }
  void stand_for_nothing() { stand_in_.reset(); }

  /// Page-locked memory here, which stands for such memory of the student's process: a copy between that and the device
  /// uses this, and no byte of it reaches that process. Null: the process has no page-locked memory of so many bytes at
  /// this address. The memory is there until drop_stand_in().
  void* stand_in_for(std::uint64_t address, std::size_t bytes);
  /// Where the memory is for which this stands.
  std::uint64_t address_of(const void* stand_in) const;
  /// Frees it, if the student's process has freed its own. Else it is a leak.
  void drop_stand_in(void* stand_in);

  std::uint64_t bytes_to_student() const { return bytes_to_student_; }  ///< copied from the device, in all

 private:
  struct FatBinary {  // as nvcc lays it out in a program
    std::uint32_t magic = 0, version = 0;
    const void* data = nullptr;
    void* unused = nullptr;
  };
  struct LoadedModule {
    std::vector<std::byte> bytes;
    FatBinary wrapper;
    void** handle = nullptr;
  };
  struct HostMemory {  // page-locked, of the student's process
    std::uint64_t address = 0, bytes = 0;
    bool is_allocated = true;
    std::byte* stand_in = nullptr;
  };

  Body result_of(Call call, Reader& arguments);
  Body copy(const CopyMessage& copied);
  Body launch(Reader& arguments);
  Body parameter_places(std::uint64_t function);
  cudaError_t register_module(std::uint64_t wrapper);
  cudaError_t register_function(Reader& arguments);
  cudaError_t register_variable(Reader& arguments);
  Body symbol_of(Reader& arguments);
  cudaError_t places_of(std::uint64_t function, std::vector<ParameterPlace>& places);
  /// Asks the student's process to copy rows; returns the bytes that it copied.
  std::uint64_t move_rows(Kind kind, const RowsMessage& rows);
  std::string name_of(Reader& arguments);
  void read_all(std::uint64_t address, void* data, std::size_t bytes);
  const void* function_of(std::uint64_t address) const;
  /// The memory that stands for all these rows, or null.
  std::byte* stand_in_of(const void* address, std::uint64_t pitch, const CopyMessage& copied) const;

  Channel& channel_;
  std::deque<LoadedModule> modules_;
  std::deque<char> keys_;  ///< the address of each stands for a function or a variable of the student's process
  std::unordered_map<std::uint64_t, void**> handles_;
  std::unordered_map<std::uint64_t, const char*> functions_, variables_;
  std::unordered_map<std::uint64_t, std::vector<ParameterPlace>> places_;
  std::optional<std::string> accepted_;
  std::optional<StandIn> stand_in_;
  std::vector<HostMemory> host_memory_;
  std::uint64_t bytes_to_student_ = 0;
  std::size_t name_bytes_ = 0;
};

}  // namespace remote
