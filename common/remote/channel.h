// SPDX-License-Identifier: MIT
// The channel between the two processes: a socket for messages, which come whole and in order, and shared memory, the
// window, for the bytes of copies. The end of one process is the end of the socket for the other: nobody waits for
// ever.
#pragma once

#include <cstddef>
#include <string>

#include "remote/message.h"

namespace remote {

constexpr std::size_t kLargestMessage = 64 << 10;
constexpr std::size_t kWindowBytes = 64 << 20;  ///< The system gives its pages when they are touched.

/// One end. It owns its two descriptors.
class Channel {
 public:
  Channel(int socket, int window);
  ~Channel();
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;

  /// Throws RemoteError where the other process has ended, or the message is too long.
  void send(Kind kind, const Body& body);
  /// Waits. Throws RemoteError where the other process has ended, or sends what is no message.
  Message receive();

  /// kWindowBytes. The other process may change them at any time: look at a byte once, or copy it first.
  std::byte* window() const { return window_; }
  int window_descriptor() const { return window_descriptor_; }

 private:
  int socket_;
  int window_descriptor_;
  std::byte* window_ = nullptr;
  Body buffer_;
};

/// The descriptors of a new channel: a socket for each process, and the window for both.
struct Descriptors {
  int device_socket = -1, student_socket = -1, window = -1;
};
Descriptors make_channel();

/// How the student's process finds its end: "SOCKET,WINDOW", the numbers of two descriptors that it inherits.
constexpr const char* kVariable = "WORKBOOK_CHANNEL";
std::string variable_of(const Descriptors& descriptors);
/// The channel of kVariable. Throws RemoteError where there is none.
Channel& inherited_channel();

}  // namespace remote
