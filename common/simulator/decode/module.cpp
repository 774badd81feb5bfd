// SPDX-License-Identifier: MIT
// Loading: variables get their place and their first values, kernels get their parameter layout. Decoding waits for a
// launch.
#include "decode/module.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <optional>
#include <stdexcept>

#include "base/next_multiple.h"
#include "decode/call_graph.h"
#include "decode/program_decoder.h"
#include "decode/shared_layout.h"
#include "memory/shortage.h"
#include "program/program.h"
#include "ptx/link.h"

namespace cudasim {
namespace {

/// CUDA C++ Programming Guide, "__global__ functions": 32,764 bytes since compute capability 7.0.
constexpr std::uint64_t kMostParameterBytes = 32'764;
constexpr std::uint32_t kLargestAlignment = 4096;

KernelInfo describe(const ptx::Module& text, const ptx::Function& kernel) {
  KernelInfo info;
  info.name = kernel.name;
  for (const auto& p : kernel.parameters) {
    if (p.align > kLargestAlignment)
      throw Refusal{"parameter '" + p.name + "' is aligned to more than " + std::to_string(kLargestAlignment) +
                    " bytes"};
    const std::uint64_t offset = next_multiple(info.parameter_bytes, std::max(p.align, 1u));
    if (p.size_bytes > kMostParameterBytes || offset + p.size_bytes > kMostParameterBytes)
      throw Refusal{"parameter '" + p.name + "' ends behind the " + std::to_string(kMostParameterBytes) +
                    " bytes that a kernel's parameters may have"};
    info.parameters.push_back({static_cast<std::uint32_t>(offset), static_cast<std::uint32_t>(p.size_bytes)});
    info.parameter_bytes = static_cast<std::uint32_t>(offset + p.size_bytes);
  }
  std::uint64_t threads = 1;
  for (auto limit : kernel.max_threads) threads *= std::max(limit, 1u);
  if (kernel.max_threads[0] != 0) info.max_threads = static_cast<std::uint32_t>(std::min<std::uint64_t>(threads, 1024));
  if (text.target.rfind("sm_", 0) == 0) info.ptx_version = std::atoi(text.target.c_str() + 3);
  return info;
}

}  // namespace

struct Module::State {
  struct Kernel {
    std::uint32_t function = 0;
    KernelInfo info;
    bool complete = false;  // shared memory, local memory and registers are known
    std::unique_ptr<Program> program;
    std::optional<Refusal> refusal;
  };
  Memory* memory = nullptr;
  std::map<std::string, Kernel> kernels;
  std::map<std::string, const Allocation*> variables;
  VariableAddresses addresses;
  Analyses analyses;
  std::uint32_t most_registers = 0;

  explicit State(const ptx::Module& text) : analyses(text) {}
};

namespace {

/// The bytes that `variable` begins with. New memory holds zeros, which stay untouched: a variable may be large.
void initialise(const ptx::Module& text, const ptx::Variable& variable, const VariableAddresses& addresses,
                std::byte* bytes) {
  const std::uint64_t element = size_of(variable.type);
  for (std::size_t i = 0; i < variable.initialisers.size(); ++i) {
    const auto& value = variable.initialisers[i];
    std::uint64_t bits = value.bits;
    if (!value.symbol.empty()) {
      const auto known = addresses.find(value.symbol);
      if (known != addresses.end()) {
        bits += known->second;
      } else {
        std::size_t f = 0;
        while (f < text.functions.size() &&
               (text.functions[f].name != value.symbol || text.functions[f].is_declaration))
          ++f;
        if (f == text.functions.size())
          throw Refusal{"variable '" + variable.name + "' is initialised with '" + value.symbol +
                        "', which is not defined in this module"};
        bits += kFunctionWindow + 16 * (f + 1);
      }
      if (value.mask != 0 && value.mask != ~0ull) {
        std::uint64_t mask = value.mask;
        while ((mask & 1) == 0) {
          mask >>= 1;
          bits >>= 1;
        }
        bits &= mask;
      }
    }
    if ((i + 1) * element > variable.size_bytes)
      throw Refusal{"variable '" + variable.name + "' has more initialisers than elements"};
    std::memcpy(bytes + i * element, &bits, std::min<std::uint64_t>(element, sizeof bits));
  }
}

/// All variables in constant memory lie in one bank of 64 KiB (PTX ISA, "Constant State Space").
void check_constants(const ptx::Module& text) {
  constexpr std::uint64_t kConstantBytes = 64 << 10;
  std::uint64_t bytes = 0;
  for (const auto& variable : text.variables) {
    if (variable.space != ptx::Space::constant || variable.is_extern) continue;
    bytes = next_multiple(bytes, std::max<std::uint64_t>(variable.align, 1)) + variable.size_bytes;
    if (bytes > kConstantBytes)
      throw ptx::LinkError("constant memory has 65536 bytes for all __constant__ variables, and with '" +
                           variable.name + "' of " + std::to_string(variable.size_bytes) + " bytes they need " +
                           std::to_string(bytes) + ": keep large tables in global memory");
  }
}

}  // namespace

Module::Module(ptx::Module text, Memory& memory)
    : text_(std::make_unique<ptx::Module>(std::move(text))), state_(std::make_unique<State>(*text_)) {
  state_->memory = &memory;
  for (std::uint32_t f = 0; f < text_->functions.size(); ++f) {
    const auto& function = text_->functions[f];
    if (!function.is_entry || function.is_declaration) continue;
    State::Kernel kernel;
    kernel.function = f;
    kernel.info = describe(*text_, function);
    state_->kernels.emplace(function.name, std::move(kernel));
  }
  check_constants(*text_);
  for (const auto& variable : text_->variables) {
    if ((variable.space != ptx::Space::global && variable.space != ptx::Space::constant) || variable.is_extern)
      continue;
    const bool constant = variable.space == ptx::Space::constant;
    const auto* allocation = memory.allocate(std::max<std::uint64_t>(variable.size_bytes, 1),
                                             constant              ? Origin::constant
                                             : variable.is_managed ? Origin::managed
                                                                   : Origin::variable,
                                             variable.name, std::max<std::uint32_t>(variable.align, 256));
    if (allocation == nullptr)
      throw Refusal{"variable '" + variable.name + "': " + why_no_memory(memory, variable.size_bytes)};
    state_->variables[variable.name] = allocation;
    state_->addresses[variable.name] = allocation->address;
  }
  for (const auto& variable : text_->variables) {
    const auto it = state_->variables.find(variable.name);
    if (it != state_->variables.end() && !variable.is_extern)
      initialise(*text_, variable, state_->addresses, it->second->host);
  }
}

Module::~Module() {
  if (!state_) return;
  for (const auto& [name, allocation] : state_->variables) state_->memory->release(allocation->address);
}

void Module::limit_registers(std::uint32_t most) { state_->most_registers = most; }

bool Module::has_kernel(const std::string& name) const { return state_->kernels.count(name) != 0; }

const KernelInfo& Module::info(const std::string& name) const {
  auto& kernel = state_->kernels.at(name);
  if (kernel.complete) return kernel.info;
  kernel.complete = true;
  try {
    const auto reachable = reachable_functions(*text_, kernel.function);
    lay_out_shared(*text_, reachable, kernel.info.static_shared_bytes);
    for (auto f : reachable) {
      const auto& function = text_->functions[f];
      for (const auto& v : function.variables) {
        if (v.space == ptx::Space::local) kernel.info.local_bytes += static_cast<std::uint32_t>(v.size_bytes);
      }
      kernel.info.registers = std::max(kernel.info.registers, state_->analyses.of(f).liveness.registers);
    }
    // ptxas needs a few more than are live at once (addresses, predicates) and allocates eight at a time.
    kernel.info.registers =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(next_multiple(kernel.info.registers + 8, 8), 255));
    if (state_->most_registers != 0) kernel.info.registers = std::min(kernel.info.registers, state_->most_registers);
  } catch (const Refusal&) {  // reported at the launch, by program()
  } catch (const std::runtime_error&) {
  }
  return kernel.info;
}

const Program& Module::program(const std::string& name) {
  auto& kernel = state_->kernels.at(name);
  if (kernel.refusal) throw *kernel.refusal;
  if (!kernel.program) {
    try {
      kernel.program =
          std::make_unique<Program>(decode(*text_, kernel.function, info(name), state_->addresses, state_->analyses));
      state_->analyses.forget(kernel.function);
    } catch (const Refusal& refusal) {
      kernel.refusal = refusal;
      throw;
    }
  }
  return *kernel.program;
}

const Allocation* Module::variable(const std::string& name) const {
  const auto it = state_->variables.find(name);
  return it == state_->variables.end() ? nullptr : it->second;
}

}  // namespace cudasim
