// SPDX-License-Identifier: MIT
// What the host keeps at an address with which a kernel cannot do anything (runtime.h).
#include <cstdio>
#include <fstream>
#include <string>

#include "base/demangle.h"
#include "messages/describe_address.h"
#include "runtime/runtime.h"

namespace cudasim {
namespace {

/// The name of the device's variable whose stand-in on the host has this address; empty: there is none.
std::string variable_at(const Runtime& runtime, std::uint64_t address) {
  for (const auto& [symbol, variable] : runtime.variables) {
    const auto begin = reinterpret_cast<std::uintptr_t>(symbol);
    if (address >= begin && address - begin < variable.size_bytes) return variable_name(variable.name);
  }
  return "";
}

enum class HostMemory : std::uint8_t { none, writable, constant };

HostMemory host_memory_at(std::uint64_t address) {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    unsigned long long begin = 0, end = 0;
    char may_read = 0, may_write = 0;
    if (std::sscanf(line.c_str(), "%llx-%llx %c%c", &begin, &end, &may_read, &may_write) != 4) continue;
    if (address < begin || address >= end) continue;
    return may_write == 'w' ? HostMemory::writable : may_read == 'r' ? HostMemory::constant : HostMemory::none;
  }
  return HostMemory::none;
}

}  // namespace

void name_host_memory(const Runtime& runtime, Finding& finding) {
  if (finding.kind != FindingKind::out_of_bounds || finding.allocation != kNearNothing) return;
  if (const std::string variable = variable_at(runtime, finding.address); !variable.empty()) {
    finding.allocation = "the host's stand-in for the variable '" + variable + "', which is on the device";
    finding.advice =
        "on the host the name of a __device__ variable is not its address: use the name in the kernel, or "
        "pass the pointer that cudaGetSymbolAddress gives";
    return;
  }
  const HostMemory memory = host_memory_at(finding.address);
  if (memory == HostMemory::none) return;
  finding.allocation = "memory of the host";
  finding.advice =
      "a kernel cannot use a pointer of the host, also not one inside of a struct that was copied: copy what it points "
      "to to the device, and pass that pointer, or take cudaMallocManaged";
  if (memory == HostMemory::constant)
    finding.advice +=
        ". Or has the host made an object with virtual functions? It holds addresses of the host: make it in a kernel";
}

}  // namespace cudasim
