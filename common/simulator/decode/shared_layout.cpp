// SPDX-License-Identifier: MIT
#include "decode/shared_layout.h"

#include <algorithm>
#include <set>
#include <string>

#include "base/next_multiple.h"
#include "decode/call_graph.h"

namespace cudasim {

std::vector<SharedVariable> lay_out_shared(const ptx::Module& text, const std::vector<std::uint32_t>& reachable,
                                           std::uint32_t& static_bytes) {
  static_assert(kSharedGapBytes % 1024 == 0, "a gap must keep banks and alignment");
  std::set<std::string> named;
  for (auto f : reachable) {
    for (const auto& instruction : text.functions[f].instructions) {
      for (const auto& operand : instruction.operands) {
        for_each_name(operand, [&](const std::string& n) { named.insert(n); });
        if (operand.kind == ptx::Operand::Kind::special) named.insert(operand.name);
      }
    }
  }
  std::vector<const ptx::Variable*> variables;
  for (const auto& v : text.variables) {
    if (v.space == ptx::Space::shared && named.count(v.name) != 0) variables.push_back(&v);
  }
  for (auto f : reachable) {
    for (const auto& v : text.functions[f].variables) {
      if (v.space == ptx::Space::shared) variables.push_back(&v);
    }
  }
  std::vector<SharedVariable> result;
  std::uint64_t offset = 0;
  std::uint64_t dynamic_align = 16;
  for (const auto* v : variables) {
    if (v->size_bytes == 0) {
      dynamic_align = std::max<std::uint64_t>(dynamic_align, v->align);
      continue;
    }
    offset = next_multiple(offset, std::max<std::uint32_t>(v->align, 1));
    if (offset + v->size_bytes > 1u << 20)
      throw Refusal{"shared variable '" + v->name + "' is larger than any GPU's shared memory"};
    const auto gaps = static_cast<std::uint32_t>(result.size()) * kSharedGapBytes;
    result.push_back({v->name, static_cast<std::uint32_t>(offset) + gaps, static_cast<std::uint32_t>(v->size_bytes)});
    offset += v->size_bytes;
  }
  static_bytes = static_cast<std::uint32_t>(offset);
  if (named.count(kReservedShared) != 0) {
    offset = next_multiple(offset, 16);
    const auto gaps = static_cast<std::uint32_t>(result.size()) * kSharedGapBytes;
    result.push_back({kReservedShared, static_cast<std::uint32_t>(offset) + gaps, kReservedSharedBytes});
    offset += kReservedSharedBytes;
  }
  const auto dynamic =
      static_cast<std::uint32_t>(next_multiple(offset, dynamic_align) + result.size() * kSharedGapBytes);
  for (const auto* v : variables) {
    if (v->size_bytes == 0) result.push_back({v->name, dynamic, 0});
  }
  return result;
}

}  // namespace cudasim
