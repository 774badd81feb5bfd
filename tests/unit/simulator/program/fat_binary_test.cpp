// SPDX-License-Identifier: MIT
// Fat binaries: PTX comes out of plain, LZ4 and zstd entries, the best of several is chosen, and no malformed container
// does anything but throw. The containers are written here, byte by byte, as nvcc lays them out.
#include "runtime/base/fat_binary.h"

#include <gtest/gtest.h>
#include <zstd.h>

#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "runtime/base/lz4.h"

namespace cudasim {
namespace {

constexpr std::uint64_t plain = 0x11, lz4 = 0x2011, zstd = 0x8011;
constexpr std::size_t header_bytes = 16, entry_header_bytes = 80;

template <typename Number>
void put(std::string& bytes, std::size_t offset, Number value) {
  std::memcpy(bytes.data() + offset, &value, sizeof value);
}

struct EntrySpec {
  std::uint16_t kind = 1;
  std::uint32_t arch = 75;
  std::uint64_t flags = plain;
  std::string stored;
  std::uint64_t uncompressed_bytes = 0;
};

std::string entry(const EntrySpec& spec) {
  std::string bytes(entry_header_bytes, '\0');
  const std::size_t padded = (spec.stored.size() + 7) / 8 * 8;
  put<std::uint16_t>(bytes, 0, spec.kind);
  put<std::uint16_t>(bytes, 2, 257);
  put<std::uint32_t>(bytes, 4, entry_header_bytes);
  put<std::uint64_t>(bytes, 8, padded);
  put<std::uint32_t>(bytes, 16, spec.flags == plain ? 0 : static_cast<std::uint32_t>(spec.stored.size()));
  put<std::uint32_t>(bytes, 28, spec.arch);
  put<std::uint64_t>(bytes, 40, spec.flags);
  put<std::uint64_t>(bytes, 56, spec.uncompressed_bytes);
  return bytes + spec.stored + std::string(padded - spec.stored.size(), '\0');
}

std::string container(const std::vector<EntrySpec>& entries) {
  std::string body;
  for (const EntrySpec& spec : entries) body += entry(spec);
  std::string bytes(header_bytes, '\0');
  put<std::uint32_t>(bytes, 0, 0xBA55ED50);
  put<std::uint16_t>(bytes, 4, 1);
  put<std::uint16_t>(bytes, 6, header_bytes);
  put<std::uint64_t>(bytes, 8, body.size());
  return bytes + body;
}

std::string zstd_of(const std::string& text) {
  std::string out(ZSTD_compressBound(text.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 3));
  return out;
}

const std::string ptx = ".version 9.0\n.target sm_75\n" + std::string(100, '/') + "\n";

EntrySpec zstd_entry(const std::string& text, std::uint64_t claimed_bytes) {
  return {1, 75, zstd, zstd_of(text), claimed_bytes};
}

void expect_error(const std::string& image, const char* what) {
  try {
    choose_ptx(image, 90);
    ADD_FAILURE() << "no error; expected one about " << what;
  } catch (const FatBinaryError& error) {
    EXPECT_NE(std::string(error.what()).find(what), std::string::npos) << error.what();
  }
}

/// Whatever comes of it, it is PTX, a reason, or a FatBinaryError.
void expect_no_crash(const std::string& image) {
  try {
    const ChosenPtx chosen = choose_ptx(image, 90);
    EXPECT_NE(chosen.text.empty(), chosen.reason.empty());
  } catch (const FatBinaryError&) {
  }
}

TEST(FatBinary, GivesPlainPtxWithoutItsPadding) {
  const ChosenPtx chosen = choose_ptx(container({{1, 75, plain, ptx + std::string(3, '\0'), 0}}), 90);
  EXPECT_EQ(chosen.text, ptx);
  EXPECT_EQ(chosen.arch, 75u);
}

TEST(FatBinary, GivesZstdPtx) { EXPECT_EQ(choose_ptx(container({zstd_entry(ptx, ptx.size())}), 90).text, ptx); }

TEST(FatBinary, GivesLz4Ptx) {
  // "abcabcabcabcX": three literals, a match of 9 at distance 3 (overlapping), one literal.
  const std::string block = {'\x35', 'a', 'b', 'c', 3, 0, '\x10', 'X'};
  EXPECT_EQ(choose_ptx(container({{1, 75, lz4, block, 13}}), 90).text, "abcabcabcabcX");
}

TEST(FatBinary, ChoosesTheHighestArchitectureThatTheDeviceRuns) {
  const std::string image = container({{1, 75, plain, "for 75", 0},
                                       {1, 90, plain, "for 90", 0},
                                       {1, 80, plain, "for 80", 0},
                                       {1, 100, plain, "for 100", 0}});
  EXPECT_EQ(choose_ptx(image, 90).text, "for 90");
  EXPECT_EQ(choose_ptx(image, 89).text, "for 80");
}

TEST(FatBinary, SaysWhyThereIsNoPtx) {
  const auto reason = [](const std::vector<EntrySpec>& entries) { return choose_ptx(container(entries), 90).reason; };
  EXPECT_NE(reason({{2, 90, plain, "\177ELF", 0}}).find("SASS"), std::string::npos);
  EXPECT_NE(reason({{1, 120, plain, "new", 0}}).find("compute_120"), std::string::npos);
  EXPECT_NE(reason({}).find("no device code"), std::string::npos);
}

TEST(FatBinary, RefusesWrongMagicVersionAndHeader) {
  const std::string good = container({{1, 75, plain, ptx, 0}});
  std::string bad = good;
  put<std::uint32_t>(bad, 0, 0xBA55ED51);
  expect_error(bad, "magic");
  bad = good;
  put<std::uint16_t>(bad, 4, 2);
  expect_error(bad, "version");
  bad = good;
  for (const int wrong : {8, 17, 4096, 65535}) {
    put(bad, 6, static_cast<std::uint16_t>(wrong));
    expect_error(bad, "header size");
  }
  expect_error("", "header");
}

TEST(FatBinary, RefusesEveryTruncation) {
  const std::string good = container({zstd_entry(ptx, ptx.size()), {1, 80, plain, ptx, 0}});
  for (std::size_t size = 0; size < good.size(); ++size) {
    SCOPED_TRACE(size);
    EXPECT_THROW(choose_ptx(good.substr(0, size), 90), FatBinaryError);
  }
  EXPECT_EQ(choose_ptx(good, 90).text, ptx);
}

TEST(FatBinary, RefusesEveryTruncationWhoseHeaderWasMadeToFit) {
  const std::string good = container({zstd_entry(ptx, ptx.size())});
  for (std::size_t size = header_bytes + 1; size < good.size(); ++size) {
    SCOPED_TRACE(size);
    std::string bad = good.substr(0, size);
    put<std::uint64_t>(bad, 8, size - header_bytes);
    EXPECT_THROW(choose_ptx(bad, 90), FatBinaryError);
  }
}

TEST(FatBinary, RefusesSizesThatWouldWrapAround) {
  const std::string good = container({{1, 75, plain, ptx, 0}});
  for (const std::uint64_t size : {~0ull, ~0ull - 15, ~0ull - 79, 1ull << 63, (1ull << 40) + 1, 1ull << 32}) {
    SCOPED_TRACE(size);
    std::string bad = good;
    put<std::uint64_t>(bad, 8, size);  // of the body
    EXPECT_THROW(choose_ptx(bad, 90), FatBinaryError);
    bad = good;
    put<std::uint64_t>(bad, header_bytes + 8, size);  // of the payload
    expect_error(bad, "payload size");
  }
  for (const std::uint32_t size : {0u, 1u, 63u, 1u << 31, ~0u, ~0u - 63}) {
    SCOPED_TRACE(size);
    std::string bad = good;
    put<std::uint32_t>(bad, header_bytes + 4, size);  // of the entry's header
    expect_error(bad, "header size");
  }
  std::string bad = good;
  put<std::uint32_t>(bad, header_bytes + 16, ~0u);
  expect_error(bad, "compressed size");
}

TEST(FatBinary, RefusesBadZstd) {
  EntrySpec spec = zstd_entry(ptx, ptx.size());
  spec.stored[0] = 'x';
  expect_error(container({spec}), "zstd");
  spec = zstd_entry(ptx, ptx.size());
  spec.stored.resize(spec.stored.size() - 4);
  expect_error(container({spec}), "ends early");
  expect_error(container({zstd_entry(ptx, ptx.size() - 1)}), "longer");
  expect_error(container({zstd_entry(ptx, ptx.size() + 1)}), "shorter");
}

TEST(FatBinary, RefusesBombs) {
  expect_error(container({zstd_entry(ptx, kLargestPtxBytes + 1)}), "PTX of");
  expect_error(container({{1, 75, lz4, "x", ~0ull}}), "PTX of");
  // 64 MiB that say they are 1000 bytes: stops at the first piece that is too much.
  expect_error(container({zstd_entry(std::string(64u << 20, 'a'), 1000)}), "longer");
  // A header that promises 1 GiB costs nothing when 100 bytes are there.
  expect_error(container({zstd_entry(ptx, kLargestPtxBytes)}), "shorter");
  expect_error(container({{1, 75, lz4, std::string("\x10x", 2), kLargestPtxBytes}}), "LZ4");
}

TEST(FatBinary, SurvivesRandomBytes) {
  std::mt19937 random(12345);
  for (int i = 0; i < 20000; ++i) {
    std::string bytes(random() % 200, '\0');
    for (char& c : bytes) c = static_cast<char>(random());
    expect_no_crash(bytes);
  }
}

TEST(FatBinary, SurvivesEveryFlippedByte) {
  const std::string good =
      container({zstd_entry(ptx, ptx.size()), {1, 80, lz4, std::string("0abc"), 3}, {2, 90, plain, "\177ELF", 0}});
  for (std::size_t i = 0; i < good.size(); ++i) {
    for (const int value : {0, 1, 0x7f, 0x80, 0xff}) {
      std::string bad = good;
      bad[i] = static_cast<char>(value);
      expect_no_crash(bad);
    }
  }
}

TEST(Lz4, DecompressesLongLengths) {
  // 15 + 255 + 30 literals.
  const std::string text(300, 'q');
  std::string out;
  EXPECT_TRUE(decompress_lz4_block("\xf0" + std::string("\xff\x1e") + text, 300, out));
  EXPECT_EQ(out, text);
  // One literal, then a match of 15 + 255 + 0 + 4 at distance 1, then the last literal.
  EXPECT_TRUE(decompress_lz4_block(std::string("\x1fz\x01\x00\xff\x00\x10y", 8), 276, out));
  EXPECT_EQ(out, std::string(275, 'z') + "y");
}

TEST(Lz4, RefusesMalformedBlocks) {
  std::string out;
  EXPECT_FALSE(decompress_lz4_block("", 1, out));
  EXPECT_FALSE(decompress_lz4_block("\x20x", 2, out)) << "literals cut off";
  EXPECT_FALSE(decompress_lz4_block("\xf0\xff\xff", 600, out)) << "length cut off";
  EXPECT_FALSE(decompress_lz4_block("\x10x\x01", 5, out)) << "offset cut off";
  EXPECT_FALSE(decompress_lz4_block(std::string("\x10x\x00\x00", 4), 5, out)) << "offset 0";
  EXPECT_FALSE(decompress_lz4_block(std::string("\x10x\x02\x00", 4), 5, out)) << "offset before the start";
  EXPECT_FALSE(decompress_lz4_block(std::string("\x10x\x01\x00", 4), 4, out)) << "match longer than the output";
  EXPECT_FALSE(decompress_lz4_block("0abc", 2, out)) << "literals longer than the output";
  EXPECT_FALSE(decompress_lz4_block("0abc", 4, out)) << "output shorter than it should be";
}

}  // namespace
}  // namespace cudasim
