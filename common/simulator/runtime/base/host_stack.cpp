// SPDX-License-Identifier: MIT
#include "runtime/base/host_stack.h"

#include <unwind.h>

namespace cudasim {
namespace {

constexpr std::uint64_t kLargestStack = std::uint64_t{1} << 30;
#if defined(__x86_64__)
constexpr std::uint64_t kReturnAddressBytes = 8;  // between a function's variables and its caller's
#else
constexpr std::uint64_t kReturnAddressBytes = 0;
#endif

struct Search {
  std::uint64_t address;
  std::uint64_t last = 0;                   // where the part of the function before begins
  std::optional<std::uint64_t> boundary{};  // the first behind the address
};

_Unwind_Reason_Code look_at_frame(_Unwind_Context* context, void* search_pointer) {
  auto& search = *static_cast<Search*>(search_pointer);
  const std::uint64_t begin = _Unwind_GetCFA(context);
  if (begin < search.last) return _URC_END_OF_STACK;  // on another stack
  search.last = begin;
  if (begin <= search.address) return _URC_NO_REASON;
  search.boundary = begin;
  return _URC_END_OF_STACK;
}

}  // namespace

std::optional<std::uint64_t> bytes_left_on_stack(std::uint64_t address) {
  const auto here = reinterpret_cast<std::uint64_t>(__builtin_frame_address(0));
  if (address - here > kLargestStack) return {};  // below it, or on the heap
  Search search{address};
  _Unwind_Backtrace(look_at_frame, &search);
  if (!search.boundary || *search.boundary - kReturnAddressBytes < address) return {};
  return *search.boundary - kReturnAddressBytes - address;
}

}  // namespace cudasim
