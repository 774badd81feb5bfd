// SPDX-License-Identifier: MIT
#include "remote/channel.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>

namespace remote {
namespace {

/// So long it looks again and again before it sleeps: to be woken takes longer than most calls. Where all cores are
/// busy, this time passes twice before each answer: cudaGetDevice() then takes 47 µs, and with 100 in place of 20 it
/// takes 207.
constexpr std::chrono::microseconds kLooksFor{20};

[[noreturn]] void fail(const char* what) {
  throw RemoteError(std::string("the channel to the other process: ") + what + ": " + std::strerror(errno));
}

}  // namespace

Channel::Channel(int socket, int window) : socket_(socket), window_descriptor_(window) {
  void* const memory = mmap(nullptr, kWindowBytes, PROT_READ | PROT_WRITE, MAP_SHARED, window, 0);
  if (memory == MAP_FAILED) fail("mapping its memory");
  window_ = static_cast<std::byte*>(memory);
  buffer_.resize(sizeof(Kind) + kLargestMessage);
}

Channel::~Channel() {
  munmap(window_, kWindowBytes);
  close(window_descriptor_);
  close(socket_);
}

void Channel::send(Kind kind, const Body& body) {
  if (body.size() > kLargestMessage)
    throw RemoteError("a message of " + std::to_string(body.size()) + " bytes is longer than " +
                      std::to_string(kLargestMessage));
  iovec parts[] = {{&kind, sizeof kind}, {const_cast<char*>(body.data()), body.size()}};
  msghdr header{};
  header.msg_iov = parts;
  header.msg_iovlen = 2;
  while (sendmsg(socket_, &header, MSG_NOSIGNAL) < 0) {
    if (errno == EPIPE || errno == ECONNRESET) throw RemoteError("the other process has ended");
    if (errno != EINTR) fail("sending");
  }
}

Message Channel::receive() {
  ssize_t bytes = 0;
  const auto looks_until = std::chrono::steady_clock::now() + kLooksFor;
  bool sleeps = false;
  while ((bytes = recv(socket_, buffer_.data(), buffer_.size(), MSG_TRUNC | (sleeps ? 0 : MSG_DONTWAIT))) < 0) {
    if (errno == ECONNRESET) {
      bytes = 0;
      break;
    }
    if (errno == EAGAIN) {
      sleeps = std::chrono::steady_clock::now() > looks_until;
      sched_yield();
    } else if (errno != EINTR) {
      fail("receiving");
    }
  }
  if (bytes == 0) throw RemoteError("the other process has ended");
  const auto size = static_cast<std::size_t>(bytes);
  if (size < sizeof(Kind) || size > buffer_.size())
    throw RemoteError("a message of the other process has no right size");
  Message message;
  std::memcpy(&message.kind, buffer_.data(), sizeof message.kind);
  message.body.assign(buffer_, sizeof(Kind), size - sizeof(Kind));
  return message;
}

Descriptors make_channel() {
  Descriptors made;
  int sockets[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets) != 0) fail("making its socket");
  made.device_socket = sockets[0];
  made.student_socket = sockets[1];
  made.window = memfd_create("workbook-window", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (made.window < 0 || ftruncate(made.window, kWindowBytes) != 0) fail("making its memory");
  // Without this a student's process could cut it, and the other process would fault.
  if (fcntl(made.window, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) fail("sealing its memory");
  return made;
}

std::string variable_of(const Descriptors& descriptors) {
  return std::to_string(descriptors.student_socket) + "," + std::to_string(descriptors.window);
}

Channel& inherited_channel() {
  // Never destroyed: programs call CUDA from their own static destructors.
  static Channel* const channel = [] {
    const char* const text = std::getenv(kVariable);
    int socket = -1, window = -1;
    if (text == nullptr || std::sscanf(text, "%d,%d", &socket, &window) != 2)
      throw RemoteError(std::string("this program is started by another one, which sets ") + kVariable);
    return new Channel(socket, window);
  }();
  return *channel;
}

}  // namespace remote
