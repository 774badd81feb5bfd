// SPDX-License-Identifier: MIT
// Tables of texture fetches, the same bits as on an H200. They have formats, dimensions, filters, addressing modes and
// coordinates of every kind. `sample-texture-tables FILE` compares a hash of each table with that of the same name in
// FILE. With --record as second argument it writes FILE anew.
#include <cuda_fp16.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "../gallery/gallery.h"

namespace {

constexpr int count = 384;  // fetches of a table

struct Format {
  const char* name;
  int bits, channels;
  cudaChannelFormatKind kind;
};
const Format formats[] = {{"f32", 32, 1, cudaChannelFormatKindFloat},   {"f32x4", 32, 4, cudaChannelFormatKindFloat},
                          {"f16", 16, 1, cudaChannelFormatKindFloat},   {"f16x2", 16, 2, cudaChannelFormatKindFloat},
                          {"u8", 8, 1, cudaChannelFormatKindUnsigned},  {"u8x4", 8, 4, cudaChannelFormatKindUnsigned},
                          {"s8x2", 8, 2, cudaChannelFormatKindSigned},  {"u16", 16, 1, cudaChannelFormatKindUnsigned},
                          {"s16", 16, 1, cudaChannelFormatKindSigned},  {"u32", 32, 1, cudaChannelFormatKindUnsigned},
                          {"s32x2", 32, 2, cudaChannelFormatKindSigned}};

enum Shape { line = 1, plane, box, layered_plane, layered_line };

template <class T>
__global__ void fetch(cudaTextureObject_t texture, int shape, const float4* places, T* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float4 p = places[i];
  if (shape == line) out[i] = tex1D<T>(texture, p.x);
  if (shape == plane) out[i] = tex2D<T>(texture, p.x, p.y);
  if (shape == box) out[i] = tex3D<T>(texture, p.x, p.y, p.z);
  if (shape == layered_plane) out[i] = tex2DLayered<T>(texture, p.x, p.y, static_cast<int>(p.z));
  if (shape == layered_line) out[i] = tex1DLayered<T>(texture, p.x, static_cast<int>(p.z));
}

std::vector<unsigned char> texels(const Format& format, std::size_t n, unsigned seed) {
  const std::size_t bytes = static_cast<std::size_t>(format.bits) / 8;
  std::vector<unsigned char> result(n * format.channels * bytes);
  for (std::size_t i = 0; i < n * format.channels; ++i) {
    const unsigned random = scramble(seed + static_cast<unsigned>(i));
    const float value = static_cast<float>(random >> 8) / 8388608.0f - 1;
    const __half half = __float2half(value);
    const void* from = format.kind != cudaChannelFormatKindFloat ? static_cast<const void*>(&random)
                       : format.bits == 32                       ? static_cast<const void*>(&value)
                                                                 : static_cast<const void*>(&half);
    std::memcpy(&result[i * bytes], from, bytes);
  }
  return result;
}

/// Between texels, at their edges, beside these, far outside, and what is no place at all.
float coordinate(float extent, bool is_normalised, unsigned seed, unsigned k) {
  const unsigned random = scramble(seed + k);
  const float part = static_cast<float>(random >> 8) / 16777216.0f, half = static_cast<float>(random % 64) / 2 - 8;
  const float special[] = {0,        -0.0f,     1e-30f, -1e-30f, 1e9f,    -1e9f,         1e30f, -1e30f,
                           INFINITY, -INFINITY, NAN,    extent,  -extent, extent - 0.5f, 0.5f,  2 * extent};
  float x = 0;
  switch (k / 4 % 8) {
    case 0:
      x = (static_cast<float>(random % 4096) / 1024.0f - 1.5f) * extent;
      break;
    case 1:
      x = half;
      break;
    case 2:
      x = std::nextafter(half, (random >> 8 & 1) != 0 ? 1e9f : -1e9f);
      break;
    case 3:
      x = static_cast<float>(random % 8192) / 512.0f - 4;
      break;
    case 4:
    case 5:
      x = part * extent;
      break;
    case 6:
      x = (part * 4 - 1.5f) * extent;
      break;
    default:
      x = special[random % 16];
      if (random % 16 == 10) return x;
  }
  return is_normalised ? x / extent : x;
}

struct Table {
  Shape shape;
  Format format;
  int width, height, depth;
  cudaTextureDesc description;
  unsigned seed;
};

std::string name_of(const Table& t) {
  static const char* const shapes[] = {"", "1d", "2d", "3d", "2d-layered", "1d-layered"};
  static const char* const modes[] = {"wrap", "clamp", "mirror", "border"};
  return std::string(shapes[t.shape]) + "," + t.format.name + "," + std::to_string(t.width) + "," +
         modes[t.description.addressMode[0]] + (t.description.filterMode == cudaFilterModeLinear ? ",linear" : "") +
         (t.description.normalizedCoords != 0 ? ",normalised" : "") +
         (t.description.readMode == cudaReadModeNormalizedFloat ? ",fraction" : "");
}

std::uint64_t hash_of(const Table& t) {
  const cudaChannelFormatDesc channels = cudaCreateChannelDesc(
      t.format.bits, t.format.channels > 1 ? t.format.bits : 0, t.format.channels > 2 ? t.format.bits : 0,
      t.format.channels > 3 ? t.format.bits : 0, t.format.kind);
  const bool is_layered = t.shape >= layered_plane;
  const std::size_t rows = std::max(t.height, 1), slices = std::max(t.depth, 1);
  cudaArray_t array = nullptr;
  checkCudaErrors(cudaMalloc3DArray(&array, &channels, make_cudaExtent(t.width, t.height, t.depth),
                                    is_layered ? cudaArrayLayered : cudaArrayDefault));
  std::vector<unsigned char> bytes = texels(t.format, t.width * rows * slices, t.seed * 1000);
  cudaMemcpy3DParms copied{};
  copied.srcPtr = make_cudaPitchedPtr(bytes.data(), t.width * t.format.channels * t.format.bits / 8, t.width, rows);
  copied.dstArray = array;
  copied.extent = make_cudaExtent(t.width, rows, slices);
  copied.kind = cudaMemcpyHostToDevice;
  checkCudaErrors(cudaMemcpy3D(&copied));
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureObject_t texture = 0;
  checkCudaErrors(cudaCreateTextureObject(&texture, &resource, &t.description, nullptr));

  std::vector<float4> places(count);
  for (int i = 0; i < count; ++i) {
    const auto at = [&](std::size_t extent, int axis) {
      return coordinate(static_cast<float>(extent), t.description.normalizedCoords != 0, t.seed * 77, 4 * i + axis);
    };
    places[i] = make_float4(at(t.width, 0), at(rows, 1), at(slices, 2), 0);
    if (is_layered) places[i].z = static_cast<float>(scramble(i + t.seed) % 7) - 2;
  }
  Buffer<float4> d_places(places), out(count);
  float4* const data = out;
  if (t.format.kind == cudaChannelFormatKindFloat || t.description.readMode == cudaReadModeNormalizedFloat) {
    fetch<<<count / 128, 128>>>(texture, t.shape, d_places, data);
  } else if (t.format.kind == cudaChannelFormatKindUnsigned) {
    fetch<<<count / 128, 128>>>(texture, t.shape, d_places, reinterpret_cast<uint4*>(data));
  } else {
    fetch<<<count / 128, 128>>>(texture, t.shape, d_places, reinterpret_cast<int4*>(data));
  }
  const std::vector<float4> got = out.host();
  checkCudaErrors(cudaDestroyTextureObject(texture));
  checkCudaErrors(cudaFreeArray(array));
  std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a
  const auto* result = reinterpret_cast<const unsigned char*>(got.data());
  for (std::size_t i = 0; i < count * sizeof(float4); ++i) hash = (hash ^ result[i]) * 0x100000001b3;
  return hash;
}

/// What the simulator does not promise to the bit, and refuses.
bool is_left_out(const Table& t) {
  const bool is_float32 = t.format.kind == cudaChannelFormatKindFloat && t.format.bits == 32;
  return (t.description.filterMode == cudaFilterModeLinear && t.shape == box) ||
         (t.description.addressMode[0] == cudaAddressModeBorder && !is_float32) ||
         (t.description.filterMode == cudaFilterModeLinear && !is_float32);
}

std::vector<Table> all_tables() {
  std::vector<Table> tables;
  unsigned seed = 1;
  for (int shape = line; shape <= layered_line; ++shape)
    for (const Format& format : formats)
      for (int options = 0; options < 64; ++options) {
        const bool is_small = (options & 32) != 0, is_normalised = (options & 16) != 0;
        const auto mode = static_cast<cudaTextureAddressMode>(options >> 2 & 3);
        const bool is_linear = (options & 2) != 0, is_fraction = (options & 1) != 0;
        const bool is_whole = format.kind != cudaChannelFormatKindFloat;
        if (!is_normalised && (mode == cudaAddressModeWrap || mode == cudaAddressModeMirror)) continue;
        if ((is_fraction && (!is_whole || format.bits == 32)) || (is_linear && is_whole && !is_fraction)) continue;
        if (shape >= layered_plane && (!is_small || format.channels > 1)) continue;
        Table t{static_cast<Shape>(shape), format, is_small ? 7 : 8, is_small ? 5 : 8, is_small ? 3 : 4, {}, seed++};
        if (shape == line || shape == layered_line) t.height = 0;
        if (shape == line || shape == plane) t.depth = 0;
        for (auto& axis : t.description.addressMode) axis = mode;
        t.description.filterMode = is_linear ? cudaFilterModeLinear : cudaFilterModePoint;
        t.description.readMode = is_fraction ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
        t.description.normalizedCoords = is_normalised;
        const float border[] = {0.25f, 0.5f, 0.75f, 0.125f};
        std::copy(border, border + 4, t.description.borderColor);
        if (!is_left_out(t)) tables.push_back(t);
      }
  return tables;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  std::map<std::string, std::string> known;
  if (argc == 2) {
    std::ifstream file(argv[1]);
    for (std::string name, hash; file >> name >> hash;) known[name] = hash;
  }
  std::ofstream record(argc > 2 ? argv[1] : "/dev/null");
  int wrong = 0;
  for (const Table& table : all_tables()) {
    char hash[20];
    std::snprintf(hash, sizeof hash, "%016llx", static_cast<unsigned long long>(hash_of(table)));
    record << name_of(table) << ' ' << hash << '\n';
    if (argc > 2 || known[name_of(table)] == hash) continue;
    std::printf("%s: %s, but %s on an H200\n", name_of(table).c_str(), hash, known[name_of(table)].c_str());
    ++wrong;
  }
  return finish("texture_tables", wrong == 0 && (argc > 2 || !known.empty()));
}
