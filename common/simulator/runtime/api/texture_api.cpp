// SPDX-License-Identifier: MIT
// Texture objects. A feature that program/texture.h does not compute exactly, bit by bit, is refused here, by name.
#include <algorithm>

#include "runtime/arrays.h"

using namespace cudasim;

namespace {

constexpr const char* kCreate = "cudaCreateTextureObject";
constexpr std::size_t kPitchAlignment = 32;

cudaError_t refuse(const char* what) {
  return complain(kCreate, std::string(what) + " are not simulated", cudaErrorNotSupported);
}

/// False where no texture has channels like these.
bool set_format(Texture& texture, const cudaChannelFormatDesc& format) {
  const std::size_t bytes = element_bytes(format);
  if (bytes == 0) return false;
  texture.channel_bits = static_cast<unsigned>(format.x);
  texture.channels = static_cast<unsigned>(bytes * 8 / texture.channel_bits);
  texture.element = format.f == cudaChannelFormatKindFloat    ? Texture::Element::floating
                    : format.f == cudaChannelFormatKindSigned ? Texture::Element::signed_whole
                                                              : Texture::Element::whole;
  return true;
}

/// Where the texels are.
cudaError_t set_resource(const Runtime& runtime, Texture& texture, const cudaResourceDesc& resource) {
  const auto in_32_bits = [](std::size_t n) { return static_cast<std::uint32_t>(std::min<std::size_t>(n, ~0u)); };
  if (resource.resType == cudaResourceTypeArray) {
    const cudaArray* array = find_array(runtime, resource.res.array.array);
    if (array == nullptr) return complain(kCreate, "there is no such array", cudaErrorInvalidValue);
    set_format(texture, array->format);
    texture.address = array->address;
    texture.row_bytes = array->stride().row;
    texture.slice_bytes = array->stride().slice;
    const bool is_layered = (array->flags & cudaArrayLayered) != 0;
    texture.extent = {in_32_bits(array->extent.width), in_32_bits(array->rows()),
                      is_layered ? 1 : in_32_bits(array->slices())};
    texture.layers = is_layered ? in_32_bits(array->slices()) : 0;
    texture.dimensions = array->extent.height == 0 ? 1 : is_layered || array->extent.depth == 0 ? 2 : 3;
    return cudaSuccess;
  }
  if (resource.resType == cudaResourceTypeLinear) {
    const auto& linear = resource.res.linear;
    if (!set_format(texture, linear.desc)) return cudaErrorInvalidChannelDescriptor;
    texture.is_plain_memory = true;
    texture.address = reinterpret_cast<std::uint64_t>(linear.devPtr);
    texture.extent[0] = in_32_bits(linear.sizeInBytes / texture.texel_bytes());
  } else if (resource.resType == cudaResourceTypePitch2D) {
    const auto& pitched = resource.res.pitch2D;
    if (!set_format(texture, pitched.desc)) return cudaErrorInvalidChannelDescriptor;
    texture.address = reinterpret_cast<std::uint64_t>(pitched.devPtr);
    texture.row_bytes = pitched.pitchInBytes;
    texture.extent = {in_32_bits(pitched.width), in_32_bits(pitched.height), 1};
    texture.dimensions = 2;
    if (pitched.pitchInBytes % kPitchAlignment != 0 || pitched.pitchInBytes / texture.texel_bytes() < pitched.width)
      return complain(kCreate, "the pitch must be a multiple of 32, and no less than a row", cudaErrorInvalidValue);
  } else {
    return refuse("mipmapped arrays");
  }
  if (texture.extent[0] == 0 || texture.extent[1] == 0 ||
      const_cast<Runtime&>(runtime).memory().resolve(texture.address, texture.bytes()) == nullptr)
    return complain(kCreate, "these texels do not lie within one allocation of the device", cudaErrorInvalidValue);
  return cudaSuccess;
}

Texture::Address mode_of(cudaTextureAddressMode mode, bool has_unit_extent) {
  switch (mode) {
    case cudaAddressModeWrap:
      return has_unit_extent ? Texture::Address::wrap : Texture::Address::clamp;
    case cudaAddressModeMirror:
      return has_unit_extent ? Texture::Address::mirror : Texture::Address::clamp;
    case cudaAddressModeBorder:
      return Texture::Address::border;
    case cudaAddressModeClamp:
      break;
  }
  return Texture::Address::clamp;
}

/// How they are read.
cudaError_t set_description(Texture& texture, const cudaTextureDesc& description) {
  const bool is_float = texture.element == Texture::Element::floating;
  const bool is_float32 = is_float && texture.channel_bits == 32;
  texture.has_unit_extent = description.normalizedCoords != 0;
  texture.is_filtered = description.filterMode == cudaFilterModeLinear && !texture.is_plain_memory;
  texture.reads_as_fraction = description.readMode == cudaReadModeNormalizedFloat && !is_float;
  for (unsigned axis = 0; axis < 3; ++axis)
    texture.modes[axis] = mode_of(description.addressMode[axis], texture.has_unit_extent);
  std::copy(std::begin(description.borderColor), std::end(description.borderColor), texture.border.begin());
  if (description.sRGB != 0) return refuse("sRGB conversions");
  if (texture.reads_as_fraction && texture.channel_bits == 32) return cudaErrorInvalidNormSetting;
  if (texture.is_filtered && (!is_float32 || texture.dimensions == 3))
    return refuse("linear filters of anything but 32-bit floats in one or two dimensions");
  const bool has_border = std::count(texture.modes.begin(), texture.modes.end(), Texture::Address::border) != 0;
  const bool is_black = std::count(texture.border.begin(), texture.border.end(), 0.0f) == 4;
  if (has_border && !is_black && !is_float32) return refuse("border colours of anything but 32-bit floats");
  // A texture of one dimension has one row, and a filter may read beyond it. Nothing else reads the other axes.
  for (unsigned axis = texture.dimensions; axis < 3; ++axis) {
    if (!texture.is_filtered || texture.layers != 0 || axis == 2) texture.modes[axis] = Texture::Address::clamp;
  }
  return cudaSuccess;
}

/// Runs `body` with the descriptions of a texture object.
template <class Body>
cudaError_t ask(const char* call, const void* result, cudaTextureObject_t object, Body body) {
  return enter(call, Access::context, [&](Runtime& runtime) {
    const auto found = runtime.texture_descriptions.find(object);
    if (result == nullptr || found == runtime.texture_descriptions.end()) return cudaErrorInvalidValue;
    body(found->second);
    return cudaSuccess;
  });
}

}  // namespace

extern "C" cudaError_t cudaCreateTextureObject(cudaTextureObject_t* object, const cudaResourceDesc* resource,
                                               const cudaTextureDesc* description, const cudaResourceViewDesc* view) {
  return enter(kCreate, Access::context, [&](Runtime& runtime) {
    if (object == nullptr || resource == nullptr || description == nullptr) return cudaErrorInvalidValue;
    if (view != nullptr) return refuse("resource views");
    Texture texture;
    cudaError_t error = set_resource(runtime, texture, *resource);
    if (error == cudaSuccess) error = set_description(texture, *description);
    if (error != cudaSuccess) return error;
    *object = runtime.next_texture++;
    runtime.textures[*object] = texture;
    runtime.texture_descriptions[*object] = {*resource, *description};
    return cudaSuccess;
  });
}

/// Waits for kernels that may use it.
extern "C" cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object) {
  return enter("cudaDestroyTextureObject", Access::context, [&](Runtime& runtime) {
    runtime.work.wait_for_all();
    runtime.texture_descriptions.erase(object);
    return runtime.textures.erase(object) != 0 || object == 0 ? cudaSuccess : cudaErrorInvalidValue;
  });
}

extern "C" cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* resource, cudaTextureObject_t object) {
  return ask("cudaGetTextureObjectResourceDesc", resource, object, [&](const auto& of) { *resource = of.first; });
}

extern "C" cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* description, cudaTextureObject_t object) {
  return ask("cudaGetTextureObjectTextureDesc", description, object, [&](const auto& of) { *description = of.second; });
}
