// SPDX-License-Identifier: MIT
// The functions of the student's process that the judging program can call, by name.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <type_traits>

#include "remote/message.h"

namespace workbook {

/// Takes the arguments out of a message, calls, and returns the result.
using Entry = std::function<remote::Body(remote::Reader& arguments)>;

std::map<std::string, Entry>& entries();

template <typename Result, typename... Arguments>
bool add_entry(const char* name, Result (*function)(Arguments...)) {
  entries()[name] = [function](remote::Reader& reader) {
    // Braces: the arguments are taken from left to right.
    std::tuple<std::decay_t<Arguments>...> arguments{reader.take<std::decay_t<Arguments>>()...};
    if constexpr (std::is_void_v<Result>) {
      std::apply(function, arguments);
      return remote::Body();
    } else {
      return remote::Writer().put(std::apply(function, arguments)).take();
    }
  };
  return true;
}

}  // namespace workbook
