// SPDX-License-Identifier: MIT
#include "remote/client/connection.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <utility>

#include "remote/channel.h"

namespace remote {
namespace {

/// Never destroyed: programs call CUDA from their own static destructors.
std::mutex& mutex() {
  static auto* const one = new std::mutex;
  return *one;
}
std::vector<std::vector<std::byte>>& kept() {
  static auto* const calls = new std::vector<std::vector<std::byte>>;
  return *calls;
}

/// Copies through the descriptor: an address that the program may not touch ends the copy, and not the process.
/// Returns the bytes of whole rows that were copied.
std::uint64_t copy_rows(const Message& message) {
  Reader reader(message.body);
  const auto rows = reader.take<RowsMessage>();
  for (std::uint64_t row = 0; row < rows.height; ++row) {
    for (std::uint64_t done = 0; done < rows.width;) {
      auto* const at = reinterpret_cast<std::byte*>(rows.address + row * rows.pitch + done);
      const auto offset = static_cast<off_t>(row * rows.width + done);
      const int window = inherited_channel().window_descriptor();
      const ssize_t copied = message.kind == Kind::read ? pwrite(window, at, rows.width - done, offset)
                                                        : pread(window, at, rows.width - done, offset);
      if (copied <= 0) return row * rows.width;
      done += static_cast<std::uint64_t>(copied);
    }
  }
  return rows.height * rows.width;
}

std::vector<std::byte> exchange_locked(const std::vector<std::byte>& call) {
  Channel& channel = inherited_channel();
  channel.send(Kind::call, call);
  for (;;) {
    Message message = channel.receive();
    if (message.kind == Kind::answer) return std::move(message.body);
    if (message.kind != Kind::read && message.kind != Kind::write)
      throw RemoteError("the device's process sends what is no answer");
    channel.send(Kind::done, Writer().put(copy_rows(message)).take());
  }
}

}  // namespace

std::vector<std::byte> exchange(std::vector<std::byte> call) {
  try {
    const std::lock_guard<std::mutex> lock(mutex());
    for (const std::vector<std::byte>& earlier : std::exchange(kept(), {})) exchange_locked(earlier);
    return exchange_locked(call);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "workbook: %s\n", error.what());
    std::_Exit(EXIT_FAILURE);
  }
}

void keep_for_later(std::vector<std::byte> call) {
  const std::lock_guard<std::mutex> lock(mutex());
  kept().push_back(std::move(call));
}

}  // namespace remote
