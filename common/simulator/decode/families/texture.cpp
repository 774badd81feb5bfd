// SPDX-License-Identifier: MIT
// Texture fetches. The contents of a texture object are looked up at execution (program/texture.h).
#include "decode/decoder.h"
#include "isa/families.h"

namespace cudasim {
namespace {

using Kinds = ptx::Operand::Kind;

/// tex {d, d, d, d}, [object, {layer and coordinates}]
void decode_fetch(FunctionDecoder& decoder, const Found& found) {
  decoder.need_operands(2);
  const ptx::Operand &result = decoder.operand(0), &place = decoder.operand(1);
  if (place.kind != Kinds::address || place.elements.size() != 2 || place.elements[1].kind != Kinds::vector ||
      place.elements[0].kind != Kinds::reg || place.offset != 0 || result.kind != Kinds::vector ||
      result.elements.size() != 4) {
    decoder.fail_here("has a form that is not simulated: textures are simulated as texture objects, without samplers");
  }
  TextureFetch fetch;
  fetch.is_layered = found.has("a1d") || found.has("a2d");
  fetch.dimensions = found.has("3d") ? 3 : found.has("2d") || found.has("a2d") ? 2 : 1;
  fetch.is_by_index = found.type() == ptx::Type::s32;
  const auto& coordinates = place.elements[1].elements;
  const std::size_t given = fetch.dimensions + (fetch.is_layered ? 1 : 0);
  if (coordinates.size() < given) decoder.fail_here("needs more coordinates");
  if (fetch.is_by_index && given != 1)
    decoder.fail_here("with whole numbers as coordinates is simulated in one dimension only");
  fetch.object = decoder.source(place.elements[0], ptx::Type::u64);
  std::size_t next = 0;
  if (fetch.is_layered) fetch.layer = decoder.source(coordinates[next++], ptx::Type::u32);
  for (unsigned i = 0; i < fetch.dimensions; ++i)
    fetch.coordinates[i] = decoder.source(coordinates[next++], fetch.is_by_index ? ptx::Type::s32 : ptx::Type::f32);
  for (unsigned i = 0; i < 4; ++i) {
    if (result.elements[i].kind != Kinds::sink)
      fetch.destinations[i] = decoder.destination(result.elements[i], ptx::Type::b32);
  }
  decoder.emit(decoder.start(MicroOpcode::texture_fetch), decoder.program().texture_fetches, fetch);
}

}  // namespace

InstructionDefinitions texture_rows() {
  static const InstructionDefinition rows[] = {
      {"tex<.1d|.2d|.3d|.a1d|.a2d>.v4<.f32|.s32|.u32><.f32|.s32>", "d *", nullptr, "9.7.10.3", decode_fetch},
  };
  return span_of(rows);
}

}  // namespace cudasim
