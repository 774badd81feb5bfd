// SPDX-License-Identifier: MIT
#include <algorithm>
#include <iterator>

#include "isa/instruction.h"

namespace cudasim {

std::string feature_of(std::string_view opcode) {
  struct Feature {
    std::string_view prefix;
    const char *name, *instead;
  };
  static constexpr const char *kProducts = "tensor cores in this form",
                              *other_products =
                                  "the simulator has mma.sync of f16, bf16, tf32, f64 and 8-bit integers, and wmma",
                              *bulk = "bulk copies (TMA)",
                              *other_copies =
                                  "copy with cp.async (__pipeline_memcpy_async, cuda::memcpy_async), each "
                                  "thread up to 16 bytes, or with loads and stores",
                              *clusters = "thread block clusters",
                              *other_clusters =
                                  "let blocks share through global memory, or make one block of a cluster's threads";
  static constexpr Feature kFeatures[] = {
      {"wgmma.", "products of four warps (wgmma)",
       "mma.sync makes the same products a warp at a time, with the same arithmetic"},
      {"wmma.", kProducts, other_products},
      {"mma.", kProducts, other_products},
      {"tcgen05.", "tensor cores of later GPUs (tcgen05)", other_products},
      {"ldmatrix.", kProducts, other_products},
      {"stmatrix.", kProducts, other_products},
      {"tex.", "texture fetches of this form", ""},
      {"tld4.", "texture gathers", ""},
      {"txq.", "questions about textures", ""},
      {"suld.", "surfaces", ""},
      {"sust.", "surfaces", ""},
      {"sured.", "surfaces", ""},
      {"suq.", "surfaces", ""},
      {"cp.async.bulk", bulk, other_copies},
      {"cp.reduce.async.bulk", bulk, other_copies},
      {"tensormap.", bulk, other_copies},
      {"fence.proxy.async", bulk, other_copies},
      {"fence.proxy.tensormap", bulk, other_copies},
      {"mbarrier.expect_tx", bulk, other_copies},
      {"mbarrier.complete_tx", bulk, other_copies},
      {"mbarrier.arrive.expect_tx", bulk, other_copies},
      {"barrier.cluster.", clusters, other_clusters},
      {"fence.mbarrier_init", clusters, other_clusters},
      {"mapa.", clusters, other_clusters},
      {"getctarank.", clusters, other_clusters},
      {"multimem.", "multicast addresses", ""},
      {"createpolicy.", "cache policies", ""},
  };
  for (const auto &feature : kFeatures) {
    if (opcode.substr(0, feature.prefix.size()) != feature.prefix) continue;
    const std::string text = std::string(feature.name) + " are not simulated";
    return feature.instead[0] == '\0' ? text : text + "; " + feature.instead;
  }
  return "";
}

std::string why_not_for(std::string_view opcode, std::string_view target) {
  static constexpr const char *kSmallFormats[] = {".e2m1x2", ".e2m3x2", ".e3m2x2", ".ue8m0x2"};
  const auto has = [&](const char *format) { return opcode.find(format) != std::string_view::npos; };
  if (opcode.substr(0, 4) != "cvt." || std::none_of(std::begin(kSmallFormats), std::end(kSmallFormats), has)) return "";
  const bool is_specific = !target.empty() && (target.back() == 'a' || target.back() == 'f');
  if (is_specific && target.size() >= std::string_view("sm_100a").size()) return "";
  return "numbers of 4 and 6 bits and ue8m0 need the target sm_100a, or a newer one that ends in a or f; this PTX is "
         "for " +
         std::string(target) + ": build it with nvcc -arch=compute_120a, and run it with CUDASIM_GPU=rtx5090";
}

std::string feature_of_call(std::string_view call) {
  const auto has = [&](std::string_view part) { return call.find(part) != std::string_view::npos; };
  if (has("TensorMap")) return feature_of("tensormap.");
  if (has("Cluster")) return feature_of("barrier.cluster.");
  if (has("Surf")) return feature_of("suld.");
  if (has("Multicast")) return feature_of("multimem.");
  return "";
}

}  // namespace cudasim
