// SPDX-License-Identifier: MIT
// The container begins with a 16-byte header: magic, version, header size, body size. Entries follow, and each has a
// header with its own size. Sizes are compared with the remaining bytes, and never added first, so no sum can overflow.
#include "runtime/base/fat_binary.h"

#include <zstd.h>

#include <algorithm>
#include <cstring>
#include <memory>

#include "runtime/base/lz4.h"
#include "runtime/base/machine_code.h"

namespace cudasim {
namespace {

constexpr std::size_t kContainerHeaderBytes = 16;
constexpr std::size_t kShortestEntryHeaderBytes = 64;
constexpr std::uint64_t kFlagLz4 = 0x2000;
constexpr std::uint64_t kFlagZstd = 0x8000;

template <typename Number>
Number read(std::string_view bytes, std::size_t offset) {
  Number value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);  // the caller has checked the size
  return value;
}

[[noreturn]] void fail(const std::string& what) { throw FatBinaryError("malformed fat binary: " + what); }

std::string decompress_zstd(std::string_view payload, std::uint64_t expected_bytes) {
  const std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> context(ZSTD_createDCtx(), &ZSTD_freeDCtx);
  if (context == nullptr) throw std::bad_alloc();
  ZSTD_inBuffer in{payload.data(), payload.size(), 0};
  std::string text;
  // Piece by piece, so that the allocation follows the real data and not the size in a header.
  constexpr std::size_t kOftenSmaller = 32;
  text.reserve(std::min<std::uint64_t>(expected_bytes, kOftenSmaller * payload.size()));
  std::string piece(ZSTD_DStreamOutSize(), '\0');
  for (;;) {
    ZSTD_outBuffer out{piece.data(), piece.size(), 0};
    const std::size_t before = in.pos;
    const std::size_t left = ZSTD_decompressStream(context.get(), &out, &in);
    if (ZSTD_isError(left) != 0) fail(std::string("zstd: ") + ZSTD_getErrorName(left));
    if (out.pos > expected_bytes - text.size()) fail("zstd data is longer than its header says");
    text.append(piece, 0, out.pos);
    if (left == 0) break;
    if (out.pos == 0 && in.pos == before) fail("zstd data ends early");
  }
  if (text.size() != expected_bytes) fail("zstd data is shorter than its header says");
  return text;
}

}  // namespace

std::uint64_t container_bytes(std::string_view image) {
  if (image.size() < kContainerHeaderBytes) fail("shorter than its header");
  if (read<std::uint32_t>(image, 0) != kFatBinaryMagic) fail("wrong magic number");
  if (read<std::uint16_t>(image, 4) != 1) fail("unknown version " + std::to_string(read<std::uint16_t>(image, 4)));
  const auto header_bytes = read<std::uint16_t>(image, 6);
  const auto body_bytes = read<std::uint64_t>(image, 8);
  if (header_bytes != kContainerHeaderBytes) fail("header size " + std::to_string(header_bytes));
  // No program is larger than this, and no sum below it can overflow.
  if (body_bytes > std::uint64_t{1} << 40) fail("body size " + std::to_string(body_bytes));
  return header_bytes + body_bytes;
}

std::vector<FatBinaryEntry> read_entries(std::string_view image) {
  const std::uint64_t total_bytes = container_bytes(image);
  if (total_bytes > image.size()) {
    fail("says " + std::to_string(total_bytes) + " bytes, but ends after " + std::to_string(image.size()));
  }
  image = image.substr(0, total_bytes);
  image.remove_prefix(read<std::uint16_t>(image, 6));

  std::vector<FatBinaryEntry> entries;
  while (!image.empty()) {
    const std::string number = "entry " + std::to_string(entries.size() + 1);
    if (image.size() < kShortestEntryHeaderBytes) fail(number + ": its header is cut off");
    const auto header_bytes = read<std::uint32_t>(image, 4);
    const auto payload_bytes = read<std::uint64_t>(image, 8);
    const auto compressed_bytes = read<std::uint32_t>(image, 16);
    if (header_bytes < kShortestEntryHeaderBytes || header_bytes > image.size()) fail(number + ": header size");
    if (payload_bytes > image.size() - header_bytes) fail(number + ": payload size");
    if (compressed_bytes > payload_bytes) fail(number + ": compressed size");

    FatBinaryEntry entry;
    entry.kind = read<std::uint16_t>(image, 0);
    entry.arch = read<std::uint32_t>(image, 28);
    entry.flags = read<std::uint64_t>(image, 40);
    entry.uncompressed_bytes = read<std::uint64_t>(image, 56);
    entry.payload = image.substr(header_bytes, compressed_bytes != 0 ? compressed_bytes : payload_bytes);
    entries.push_back(entry);
    image.remove_prefix(header_bytes + payload_bytes);
  }
  return entries;
}

std::string decompress(const FatBinaryEntry& entry) {
  std::string text;
  const bool compressed = (entry.flags & (kFlagLz4 | kFlagZstd)) != 0;
  if (compressed && entry.uncompressed_bytes > kLargestPtxBytes) {
    fail("PTX of " + std::to_string(entry.uncompressed_bytes) + " bytes");
  }
  if ((entry.flags & kFlagZstd) != 0) {
    text = decompress_zstd(entry.payload, entry.uncompressed_bytes);
  } else if ((entry.flags & kFlagLz4) != 0) {
    if (!decompress_lz4_block(entry.payload, entry.uncompressed_bytes, text)) fail("LZ4 data");
  } else {
    text = entry.payload;
  }
  // One or more NULs pad the end of the stored text.
  while (!text.empty() && text.back() == '\0') text.pop_back();
  return text;
}

ChosenPtx choose_ptx(std::string_view image, std::uint32_t device_arch) {
  ChosenPtx chosen;
  const FatBinaryEntry* best = nullptr;
  const FatBinaryEntry* best_cubin = nullptr;
  bool has_cubin = false;
  std::uint32_t too_new = 0;
  const std::vector<FatBinaryEntry> entries = read_entries(image);
  for (const FatBinaryEntry& entry : entries) {
    if (entry.kind == static_cast<std::uint16_t>(FatBinaryKind::cubin)) {
      has_cubin = true;
      if (entry.arch <= device_arch && (best_cubin == nullptr || entry.arch > best_cubin->arch)) best_cubin = &entry;
    }
    if (entry.kind != static_cast<std::uint16_t>(FatBinaryKind::ptx)) continue;
    if (entry.arch > device_arch) {
      too_new = entry.arch;
    } else if (best == nullptr || entry.arch > best->arch) {
      best = &entry;
    }
  }
  if (best != nullptr) {
    chosen.text = decompress(*best);
    chosen.arch = best->arch;
    if (chosen.text.empty()) chosen.reason = "its PTX is empty";
    return chosen;
  }
  if (best_cubin != nullptr) {
    chosen.text = ptx_of_machine_code(decompress(*best_cubin));
    chosen.arch = best_cubin->arch;
  }
  if (!chosen.text.empty()) return chosen;
  if (too_new != 0) {
    chosen.reason = "its PTX is for compute_" + std::to_string(too_new) + ", newer than this device (" +
                    std::to_string(device_arch) + "): build it with nvcc -arch=compute_75";
  } else if (has_cubin) {
    chosen.reason = "it holds machine code (SASS) only, no PTX: build it with nvcc -arch=compute_75, or with -lineinfo";
  } else {
    chosen.reason = "it holds no device code";
  }
  return chosen;
}

}  // namespace cudasim
