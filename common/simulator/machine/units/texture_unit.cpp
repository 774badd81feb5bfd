// SPDX-License-Identifier: MIT
#include "machine/units/texture_unit.h"

#include <array>
#include <cstring>

#include "messages/finding_messages.h"

namespace cudasim {
namespace {

/// Why a fetch of this kind cannot be made from `texture`, or nullptr.
const char* mismatch(const Texture* texture, const TextureFetch& fetch) {
  if (texture == nullptr) return "from a texture object that there is not: it was never made, or is destroyed";
  if (texture->is_plain_memory != fetch.is_by_index)
    return fetch.is_by_index ? "by the number of an element, from a texture object that is not of linear memory"
                             : "by coordinates, from a texture object of linear memory, which takes tex1Dfetch only";
  if (texture->dimensions != fetch.dimensions || (texture->layers != 0) != fetch.is_layered)
    return "from a texture object that has other dimensions";
  return nullptr;
}

}  // namespace

bool TextureUnit::fetch(Block& block, Warp& warp, const WarpSplit& split, const MicroOp& op, Mask mask) {
  const TextureFetch& fetch = program_.texture_fetches[op.extra];
  if (values_ != nullptr) {
    const Step step{block, warp, split, op};
    values_->decision(step, fetch.object, mask, ValueUse::address);
    for (unsigned i = 0; i < fetch.dimensions; ++i)
      values_->decision(step, fetch.coordinates[i], mask, ValueUse::address);
  }
  std::byte* const frame = warp.frames + split.frame;
  const auto word = [frame](std::uint32_t slot, unsigned lane) -> std::uint32_t& {
    return reinterpret_cast<std::uint32_t*>(frame + slot)[lane];
  };
  for (Mask m = mask; m != 0; m &= m - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(m));
    const std::uint64_t object = reinterpret_cast<const std::uint64_t*>(frame + fetch.object)[lane];
    const Texture* texture = nullptr;
    if (const TextureTable* table = grid_.launch.textures; table != nullptr) {
      const auto found = table->find(object);
      if (found != table->end()) texture = &found->second;
    }
    const char* why = mismatch(texture, fetch);
    const std::byte* texels = why != nullptr ? nullptr : grid_.memory.resolve(texture->address, texture->bytes());
    if (texels == nullptr) {
      Finding f = finding_at(grid_, block, warp, op, 1u << lane,
                             why == nullptr ? FindingKind::use_after_free : FindingKind::out_of_bounds);
      f.message = std::string("a texture fetch ") +
                  (why != nullptr ? why : "from memory that was freed while its texture object was still there");
      f.advice = why != nullptr ? "look at cudaCreateTextureObject and what the kernel was given"
                                : "destroy the texture object, and free its memory, after the last kernel that uses it";
      report(grid_, block, std::move(f));
      return false;
    }
    std::array<float, 3> at{};
    std::array<std::uint32_t, 4> result;
    if (fetch.is_by_index) {
      result = cudasim::fetch(*texture, texels, static_cast<std::int32_t>(word(fetch.coordinates[0], lane)));
    } else {
      for (unsigned i = 0; i < fetch.dimensions; ++i)
        std::memcpy(&at[i], &word(fetch.coordinates[i], lane), sizeof at[i]);
      result = cudasim::fetch(*texture, texels, at, fetch.is_layered ? word(fetch.layer, lane) : 0);
    }
    for (unsigned i = 0; i < 4; ++i) {
      if (fetch.destinations[i] != 0) word(fetch.destinations[i], lane) = result[i];
    }
  }
  for (const std::uint32_t slot : fetch.destinations) {
    if (slot != 0 && values_ != nullptr) values_->result(warp, split, slot, mask);
  }
  return true;
}

}  // namespace cudasim
