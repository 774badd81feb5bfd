// SPDX-License-Identifier: MIT
// Messages between the process that holds the device and the process of a student. A message is a kind and a body of
// values that are copied byte by byte: both processes are built by one compiler on one machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "remote/enumerations.h"

namespace remote {

/// What is wrong with the other process or with its messages. The sentence goes to a person.
class RemoteError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

enum class Kind : std::uint32_t {
  // From the device to the student.
  entry,       ///< Call the function of this name.
  read,        ///< Put these bytes of the student's memory into the window.
  write,       ///< Take these bytes from the window into the student's memory.
  make_array,  ///< Allocate host memory for an entry; it lives until the entry returns.
  answer,      ///< The result of a call.
  // From the student to the device.
  call,        ///< A call of CUDA (call_list.inc).
  done,        ///< The bytes of read, write or make_array.
  returned,    ///< The entry has returned.
  unsolved,    ///< The entry threw Unsolved.
  cuda_error,  ///< The entry threw CudaError: a call of CUDA has failed.
  exception,   ///< The entry threw another exception.
  timer,       ///< The entry started or stopped its timer.
};

/// A string, as nothing else appends bytes so simply.
using Body = std::string;

struct Message {
  Kind kind = Kind::call;
  Body body;
};

/// The bytes of a value. An address is a value, too.
template <typename T>
constexpr std::size_t kBytesOf = sizeof(T);  // NOLINT(bugprone-sizeof-expression)

/// Appends values to a body.
class Writer {
 public:
  template <typename T>
  Writer& put(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    return put_bytes(&value, kBytesOf<T>);
  }
  Writer& put_bytes(const void* data, std::size_t bytes) {
    body_.append(static_cast<const char*>(data), bytes);
    return *this;
  }
  Writer& put_text(std::string_view text) {
    put(static_cast<std::uint32_t>(text.size()));
    return put_bytes(text.data(), text.size());
  }
  Body take() { return std::move(body_); }

 private:
  Body body_;
};

/// Takes the values of a body in their order. Throws RemoteError where the body is too short: it may come from an
/// untrusted process.
class Reader {
 public:
  explicit Reader(const Body& body) : at_(reinterpret_cast<const std::byte*>(body.data())), left_(body.size()) {}

  template <typename T>
  T take() {
    static_assert(std::is_trivially_copyable_v<T>);
    if constexpr (std::is_same_v<T, bool>) {
      return take<unsigned char>() != 0;
    } else if constexpr (std::is_enum_v<T> && std::is_convertible_v<T, int>) {
      return enumeration_of<T>(take<unsigned>());
    } else {
      T value;
      std::memcpy(&value, take_bytes(kBytesOf<T>), kBytesOf<T>);
      return value;
    }
  }
  const std::byte* take_bytes(std::size_t bytes) {
    if (bytes > left_) throw RemoteError("a message of the other process is cut off");
    const std::byte* const begin = at_;
    at_ += bytes;
    left_ -= bytes;
    return begin;
  }
  std::string take_text() {
    const auto size = take<std::uint32_t>();
    return {reinterpret_cast<const char*>(take_bytes(size)), size};
  }
  std::size_t left() const { return left_; }

 private:
  const std::byte* at_;
  std::size_t left_;
};

}  // namespace remote
