// SPDX-License-Identifier: MIT
#include "decode/call_graph.h"

#include <map>
#include <set>
#include <string_view>

#include "decode/refusals.h"

namespace cudasim {
namespace {

bool is_host_function(const std::string& name) {
  return name == "vprintf" || name == "__assertfail" || name == "malloc" || name == "free";
}

/// The functions of the toolkit's library for kernels that launch kernels: those that launch.
bool launches_from_device(const std::string& name) {
  const bool is_cuda = name.rfind("__cudaCDP", 0) == 0 || name.rfind("cuda", 0) == 0;
  return is_cuda &&
         (name.find("LaunchDevice") != std::string::npos || name.find("GetParameterBuffer") != std::string::npos);
}

/// Another function of that library, by the name that a program writes: "cudaMalloc" for "__cudaCDP2Malloc". Empty: it
/// is not one.
std::string host_function_on_device(const std::string& name) {
  constexpr std::string_view kBegin = "__cudaCDP2";
  return name.rfind(kBegin, 0) == 0 ? "cuda" + name.substr(kBegin.size()) : "";
}

/// The refusal of a call: the text does not define the function, and the host does not stand in for it.
Refusal no_such_function(const ptx::Module& text, const ptx::Instruction& instruction, const std::string& callee) {
  if (launches_from_device(callee))
    return refuse(text, instruction,
                  "a kernel that launches kernels (dynamic parallelism) is not simulated; let the host launch "
                  "them, one after the other");
  const std::string of_host = host_function_on_device(callee);
  if (!of_host.empty()) {
    Refusal refusal = refuse(text, instruction,
                             "a kernel calls " + of_host +
                                 ", which is for the host (and for dynamic parallelism, "
                                 "which is not simulated)");
    refusal.advice = "call " + of_host + " before the launch, and hand what it gives to the kernel as a parameter";
    return refusal;
  }
  return without_body(text, instruction, callee);
}

}  // namespace

void for_each_name(const ptx::Operand& operand, const std::function<void(const std::string&)>& visit) {
  if (operand.kind == ptx::Operand::Kind::name) visit(operand.name);
  for (const auto& element : operand.elements) for_each_name(element, visit);
}

std::vector<std::uint32_t> reachable_functions(const ptx::Module& text, std::uint32_t kernel) {
  std::map<std::string, std::uint32_t> defined;
  for (std::uint32_t f = 0; f < text.functions.size(); ++f) {
    if (!text.functions[f].is_declaration) defined[text.functions[f].name] = f;
  }
  std::set<std::string> in_tables;  // functions whose address stands in a variable, such as a virtual table
  for (const auto& variable : text.variables) {
    for (const auto& initialiser : variable.initialisers) {
      if (defined.count(initialiser.symbol) != 0) in_tables.insert(initialiser.symbol);
    }
  }
  std::vector<std::uint32_t> order{kernel};
  std::set<std::uint32_t> seen{kernel};
  auto reach = [&](const std::string& name) {
    const auto it = defined.find(name);
    if (it != defined.end() && seen.insert(it->second).second) order.push_back(it->second);
  };
  for (std::size_t next = 0; next < order.size(); ++next) {
    for (const auto& instruction : text.functions[order[next]].instructions) {
      for (const auto& operand : instruction.operands) for_each_name(operand, reach);
      const bool is_call = instruction.opcode.rfind("call", 0) == 0;
      if (is_call && instruction.operands.size() > 1 && instruction.operands[1].kind == ptx::Operand::Kind::reg) {
        for (const auto& name : in_tables) reach(name);
      }
      if (is_call && instruction.operands.size() > 1 && instruction.operands[1].kind == ptx::Operand::Kind::name) {
        const auto& callee = instruction.operands[1].name;
        if (defined.count(callee) == 0 && !is_host_function(callee)) throw no_such_function(text, instruction, callee);
      }
    }
  }
  return order;
}

}  // namespace cudasim
