// SPDX-License-Identifier: MIT
// The student's end: sends a call and waits for its answer, and meanwhile copies its own memory as it is asked to.
#pragma once

#include <cuda_runtime_api.h>

#include "remote/call.h"
#include "remote/message.h"

namespace remote {

/// The answer to a call with these arguments. Ends the process, with a sentence, where the device's process has ended.
Body exchange(const Body& call);

/// What the program registers before it can be asked for anything. It is sent before the first call.
void keep_for_later(Body call);

/// An ordinary call (call_list.inc).
template <typename... Arguments>
cudaError_t forward(Call call, Arguments... arguments) {
  Writer writer;
  writer.put(call);
  [[maybe_unused]] const auto put = [&](auto argument) {
    if constexpr (receives<decltype(argument)>) {
      writer.put(argument != nullptr);
    } else {
      writer.put(argument);
    }
  };
  (put(arguments), ...);
  const Body answer = exchange(writer.take());
  Reader reader(answer);
  const auto error = reader.take<cudaError_t>();
  [[maybe_unused]] const auto receive = [&](auto argument) {
    if constexpr (receives<decltype(argument)>) {
      if (argument != nullptr) *argument = reader.take<std::remove_pointer_t<decltype(argument)>>();
    }
  };
  (receive(arguments), ...);
  return error;
}

}  // namespace remote
