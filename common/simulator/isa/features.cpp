// SPDX-License-Identifier: MIT
#include <utility>

#include "isa/instruction.h"

namespace cudasim {

std::string feature_of(std::string_view opcode) {
  static constexpr std::pair<std::string_view, const char*> features[] = {
      {"wmma.", "tensor cores"},
      {"wgmma.", "tensor cores"},
      {"tcgen05.", "tensor cores"},
      {"tex.", "textures"},
      {"tld4.", "textures"},
      {"txq.", "textures"},
      {"suld.", "surfaces"},
      {"sust.", "surfaces"},
      {"sured.", "surfaces"},
      {"suq.", "surfaces"},
      {"cp.async.bulk", "bulk copies (TMA)"},
      {"cp.reduce.async.bulk", "bulk copies (TMA)"},
      {"tensormap.", "bulk copies (TMA)"},
      {"mbarrier.expect_tx", "bulk copies (TMA)"},
      {"mbarrier.complete_tx", "bulk copies (TMA)"},
      {"mbarrier.arrive.expect_tx", "bulk copies (TMA)"},
      {"barrier.cluster.", "thread block clusters"},
      {"mapa.", "thread block clusters"},
      {"getctarank.", "thread block clusters"},
      {"multimem.", "multicast addresses"},
      {"createpolicy.", "cache policies"},
  };
  for (const auto& [prefix, feature] : features) {
    if (opcode.substr(0, prefix.size()) == prefix) return feature;
  }
  return "";
}

}  // namespace cudasim
