// SPDX-License-Identifier: MIT
// A student's process as a thread: it answers requests to copy its memory, and may lie. For tests of remote::Server.
#pragma once

#include <unistd.h>

#include <cstring>
#include <functional>
#include <thread>
#include <vector>

#include "remote/call.h"
#include "remote/channel.h"
#include "remote/server/server.h"

/// Both ends of a channel. `exchange` sends a call as the student does, serves it, and returns the answer.
class FakeStudent {
 public:
  FakeStudent()
      : descriptors_(remote::make_channel()),
        device_(descriptors_.device_socket, dup(descriptors_.window)),
        student_(descriptors_.student_socket, descriptors_.window),
        server(device_) {}

  /// How it copies `rows`, in its window: the bytes that it says it has copied. By default it really copies.
  std::function<std::uint64_t(remote::Kind kind, const remote::RowsMessage& rows, std::byte* window)> copies =
      [](remote::Kind kind, const remote::RowsMessage& rows, std::byte* window) {
        for (std::uint64_t row = 0; row < rows.height; ++row) {
          auto* const own = reinterpret_cast<std::byte*>(rows.address + row * rows.pitch);
          std::byte* const shared = window + row * rows.width;
          kind == remote::Kind::read ? std::memcpy(shared, own, rows.width) : std::memcpy(own, shared, rows.width);
        }
        return rows.width * rows.height;
      };

  remote::Body exchange(const remote::Body& body) {
    remote::Body answer;
    std::thread student([&] {
      for (;;) {
        const remote::Message message = student_.receive();
        if (message.kind != remote::Kind::read && message.kind != remote::Kind::write) {
          answer = message.body;
          return;
        }
        const auto rows = remote::Reader(message.body).take<remote::RowsMessage>();
        student_.send(remote::Kind::done, remote::Writer().put(copies(message.kind, rows, student_.window())).take());
      }
    });
    try {
      server.serve({remote::Kind::call, body});
    } catch (...) {
      device_.send(remote::Kind::answer, {});  // so that the thread ends
      student.join();
      throw;
    }
    student.join();
    return answer;
  }

 private:
  remote::Descriptors descriptors_;
  remote::Channel device_, student_;

 public:
  remote::Server server;
};
