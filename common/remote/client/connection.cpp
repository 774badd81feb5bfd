// SPDX-License-Identifier: MIT
#include "remote/client/connection.h"

#include <sys/mman.h>
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
std::vector<Body>& kept() {
  static auto* const calls = new std::vector<Body>;
  return *calls;
}

constexpr std::uint64_t kWorthAsking = 1 << 16;

/// Whether the program may touch all of these bytes, asked once for many. False also where the system cannot tell.
bool may_touch(std::byte* begin, std::uint64_t bytes, bool is_write) {
#ifdef MADV_POPULATE_READ  // Linux 5.14
  const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  const std::uint64_t first = reinterpret_cast<std::uint64_t>(begin) / page * page;
  const std::uint64_t end = reinterpret_cast<std::uint64_t>(begin) + bytes;
  return madvise(reinterpret_cast<void*>(first), end - first, is_write ? MADV_POPULATE_WRITE : MADV_POPULATE_READ) == 0;
#else
  return false;
#endif
}

/// Copies rows between the program's memory and the window. Most bytes go through the descriptor: an address that the
/// program may not touch ends the copy there, and not the process. Returns the bytes of whole rows that were copied.
std::uint64_t copy_rows(const Message& message) {
  Reader reader(message.body);
  const auto rows = reader.take<RowsMessage>();
  const bool is_read = message.kind == Kind::read;
  if (auto* const own = reinterpret_cast<std::byte*>(rows.address);
      rows.height == 1 && rows.width >= kWorthAsking && may_touch(own, rows.width, !is_read)) {
    std::byte* const window = inherited_channel().window();
    is_read ? std::memcpy(window, own, rows.width) : std::memcpy(own, window, rows.width);
    return rows.width;
  }
  for (std::uint64_t row = 0; row < rows.height; ++row) {
    for (std::uint64_t done = 0; done < rows.width;) {
      auto* const at = reinterpret_cast<std::byte*>(rows.address + row * rows.pitch + done);
      const auto offset = static_cast<off_t>(row * rows.width + done);
      const int window = inherited_channel().window_descriptor();
      const ssize_t copied =
          is_read ? pwrite(window, at, rows.width - done, offset) : pread(window, at, rows.width - done, offset);
      if (copied <= 0) return row * rows.width;
      done += static_cast<std::uint64_t>(copied);
    }
  }
  return rows.height * rows.width;
}

Body exchange_locked(const Body& call) {
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

Body exchange(const Body& call) {
  try {
    const std::lock_guard<std::mutex> lock(mutex());
    for (const Body& earlier : std::exchange(kept(), {})) exchange_locked(earlier);
    return exchange_locked(call);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "workbook: %s\n", error.what());
    std::_Exit(EXIT_FAILURE);
  }
}

void keep_for_later(Body call) {
  const std::lock_guard<std::mutex> lock(mutex());
  kept().push_back(std::move(call));
}

}  // namespace remote
