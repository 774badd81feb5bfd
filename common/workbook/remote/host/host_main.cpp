// SPDX-License-Identifier: MIT
// The main of a student's process: it waits for the judging program, and calls the functions that this names.
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <vector>

#include "remote/channel.h"
#include "workbook/remote/host/entries.h"
#include "workbook/student/cuda_check.h"
#include "workbook/student/todo.h"

namespace {

using remote::Kind;
using remote::Message;
using remote::Writer;

/// A text "stages/stage01/todo.cu:12: message" in its parts, as Unsolved makes it.
remote::Body parts_of(const std::string& text) {
  const std::size_t end = text.find(": ");
  const std::size_t colon = text.rfind(':', end == std::string::npos ? end : end - 1);
  if (end == std::string::npos || colon == std::string::npos) return Writer().put_text("").put(0).put_text(text).take();
  return Writer()
      .put_text(text.substr(0, colon))
      .put(std::atoi(text.c_str() + colon + 1))
      .put_text(text.substr(end + 2))
      .take();
}

Message result_of(const Message& call) {
  try {
    remote::Reader reader(call.body);
    const std::string name = reader.take_text();
    const auto found = workbook::entries().find(name);
    if (found == workbook::entries().end()) throw std::logic_error("there is no function " + name + "()");
    return {Kind::returned, found->second(reader)};
  } catch (const workbook::Unsolved& unsolved) {
    return {Kind::unsolved, parts_of(unsolved.what())};
  } catch (const workbook::CudaError& error) {
    return {Kind::cuda_error,
            Writer().put(error.code()).put_text(error.call()).put_text(error.file()).put(error.line()).take()};
  } catch (const std::exception& error) {
    return {Kind::exception, Writer().put_text(error.what()).take()};
  } catch (...) {
    return {Kind::exception,
            Writer().put_text("the stage's function threw something that is no std::exception").take()};
  }
}

}  // namespace

std::map<std::string, workbook::Entry>& workbook::entries() {
  static std::map<std::string, Entry> all;
  return all;
}

int main() {
  try {
    remote::Channel& channel = remote::inherited_channel();
    std::vector<std::byte> array;
    for (;;) {
      const Message call = channel.receive();
      if (call.kind == Kind::make_array) {
        array.resize(remote::Reader(call.body).take<std::uint64_t>());
        channel.send(Kind::done, Writer().put(reinterpret_cast<std::uint64_t>(array.data())).take());
        // Its bytes come by one request to copy.
        continue;
      }
      if (call.kind == Kind::write) {
        // Outside of a call of CUDA the only copy is that of a host array.
        remote::Reader reader(call.body);
        const auto address = reader.take<std::uint64_t>();
        const auto pitch = reader.take<std::uint64_t>();
        const auto offset = address - reinterpret_cast<std::uint64_t>(array.data());
        const bool fits = offset <= array.size() && pitch <= array.size() - offset;
        if (fits) std::memcpy(array.data() + offset, channel.window(), pitch);
        channel.send(Kind::done, Writer().put(fits ? pitch : std::uint64_t{0}).take());
        continue;
      }
      if (call.kind != Kind::entry) throw remote::RemoteError("the judging program asks for what is not served");
      const Message result = result_of(call);
      channel.send(result.kind, result.body);
    }
  } catch (const remote::RemoteError&) {
    return 0;  // the judging program has ended
  }
}
