// SPDX-License-Identifier: MIT
#include "messages/memory_fault.h"

#include <string>

#include "messages/describe_address.h"
#include "messages/finding_messages.h"
#include "messages/hexadecimal.h"

namespace cudasim {

Finding memory_fault(const Grid& grid, const Block& block, const Warp& warp, const MicroOp& op,
                     const MemoryFault& fault, std::uint32_t local_bytes) {
  const auto [space, address, lane, bytes, is_store, kind] = fault;
  Finding f = finding_at(grid, block, warp, op, 1u << lane, kind);
  f.address = address;
  f.access_bytes = bytes;
  f.is_store = is_store;
  Element element = element_of(grid.program, f.ptx_line);
  if (element.name[0] == '\0') element.bytes = 1;
  const std::string what = std::string(is_store ? "a write" : "a read") + " of " + amount(element, bytes);
  switch (space) {
    case ptx::Space::shared:
      f.message = what + " of shared memory";
      if (kind == FindingKind::out_of_bounds && address >= kSharedWindowBytes) f.cuda_error = 715;
      describe_shared(grid, f, address);
      break;
    case ptx::Space::local:
      f.message = what + " of a thread's local memory (an array on its stack)";
      f.allocation = "offset " + std::to_string(address) + " of the thread's " + std::to_string(local_bytes) + " bytes";
      break;
    case ptx::Space::param:
      f.message = what + " of the kernel's parameters";
      f.allocation =
          "offset " + std::to_string(address) + " of " + std::to_string(grid.program.info.parameter_bytes) + " bytes";
      break;
    case ptx::Space::generic:
    case ptx::Space::reg:
    case ptx::Space::global:
    case ptx::Space::constant:
      f.message = what + " at " + hexadecimal(address);
      describe_global(grid, f, address, bytes);
      break;
  }
  switch (kind) {
    case FindingKind::misaligned:
      f.message +=
          (f.allocation.empty() || f.message.find(" at 0x") == std::string::npos ? " at an address that" : ", which") +
          std::string(" is not a multiple of ") + std::to_string(bytes);
      break;
    case FindingKind::null_pointer:
      f.message += ": a null pointer, or an index from one";
      break;
    case FindingKind::use_after_free:
      f.message += ": memory that was freed";
      break;
    case FindingKind::read_only:
      f.message += ": constant memory";
      break;
    default:
      f.message += ": out of bounds";
      break;
  }
  return f;
}

}  // namespace cudasim
