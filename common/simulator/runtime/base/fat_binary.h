// SPDX-License-Identifier: MIT
// The PTX in a fat binary, the container that nvcc puts into a program: search, decompression, choice. NVIDIA does not
// document the container. The layout here is that of nvcc 12 and 13. The input is untrusted: every offset and size is
// checked, and malformed input gives an error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace cudasim {

/// The container is malformed; `what()` says where.
class FatBinaryError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

enum class FatBinaryKind : std::uint16_t { ptx = 1, cubin = 2 };

struct FatBinaryEntry {
  std::uint16_t kind = 0;  ///< a FatBinaryKind, or an unknown one
  std::uint32_t arch = 0;  ///< 75 for compute_75 or sm_75
  std::uint64_t flags = 0;
  std::string_view payload;  ///< as stored, perhaps compressed; points into the image
  std::uint64_t uncompressed_bytes = 0;
};

constexpr std::uint32_t kFatBinaryMagic = 0xBA55ED50;
constexpr std::uint32_t kFatBinaryWrapperMagic = 0x466243B1;
/// Decompressed text above this is refused.
constexpr std::uint64_t kLargestPtxBytes = std::uint64_t{1} << 30;

/// The size of the container at `image`, by its own header; `image` must hold the 16 bytes of it. For an image mapped
/// with a program, when nothing else gives its end. Throws FatBinaryError.
std::uint64_t container_bytes(std::string_view image);

/// The entries of one container; `image` may be longer than it. Throws FatBinaryError.
std::vector<FatBinaryEntry> read_entries(std::string_view image);

/// The PTX text of an entry, without trailing NULs. Throws FatBinaryError.
std::string decompress(const FatBinaryEntry& entry);

struct ChosenPtx {
  std::string text;  ///< empty: there is no text that this device could compile
  std::uint32_t arch = 0;
  std::string reason;  ///< why `text` is empty: a sentence with the fix
};

/// The PTX for the highest architecture up to `device_arch` among all entries, as the driver would choose; else the PTX
/// that machine code of such an architecture holds. Throws FatBinaryError.
ChosenPtx choose_ptx(std::string_view image, std::uint32_t device_arch);

}  // namespace cudasim
