// SPDX-License-Identifier: MIT
#include "memory/shortage.h"

namespace cudasim {

std::string why_no_memory(const Memory& memory, std::size_t size) {
  const std::string bytes = std::to_string(size) + " bytes, but ";
  switch (memory.shortage()) {
    case Memory::Shortage::addresses:
      return bytes + "so many addresses in a row are not free among the " + std::to_string(memory.window_bytes()) +
             " that the simulator could reserve on this host (`ulimit -v` bounds them)";
    case Memory::Shortage::mappings:
      return bytes +
             "the host's system maps no more memory for this process: are there very many allocations "
             "(vm.max_map_count "
             "bounds them)? Allocate a large block, and use parts of it";
    case Memory::Shortage::capacity:
      break;
  }
  return bytes + std::to_string(memory.capacity_bytes() - memory.used_bytes()) + " of the device's " +
         std::to_string(memory.capacity_bytes()) + " bytes are free (CUDASIM_MEMORY sets how many there are)";
}

}  // namespace cudasim
