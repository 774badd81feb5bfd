// SPDX-License-Identifier: MIT
// The text of a printf in a kernel, from its format and the buffer in which nvcc packed the arguments. Both come from
// the program under test: no format, however malformed, reads outside of these two.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace cudasim {

/// Copies `size` bytes at `offset` of the argument buffer; false when they lie outside of it. The compiler nvcc puts
/// each argument at the next multiple of its size. That is 4 bytes for int and narrower, 8 for long, pointers and
/// double (CUDA C++ Programming Guide, "Formatted Output").
using ReadArgument = std::function<bool(std::uint64_t offset, void* destination, std::size_t size)>;
/// The text that ends in a NUL at a device address, which may be any number; a message in its place when it is
/// unreadable.
using ReadString = std::function<std::string(std::uint64_t address)>;

/// Formats by the rules of C, with flags, width, precision, `*` and the lengths h, hh, l, ll, j, z, t. The conversions
/// are d i u o x X c s e E f F g G a A p and %. Width and precision are cut to 4095, the least that C promises to
/// support. Any other conversion (%n is none on the device) and one whose argument is missing appear as written. The
/// argument `argument_count` receives how many arguments were taken: what printf returns on the device.
std::string format_printf(std::string_view format, const ReadArgument& read_argument, const ReadString& read_string,
                          int* argument_count = nullptr);

}  // namespace cudasim
