// SPDX-License-Identifier: MIT
// Device memory: bounds to the byte, guard gaps, addresses that are never used twice, capacity, and registration.
#include "memory/memory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

namespace cudasim {
namespace {

constexpr std::uint64_t capacity_bytes = 64 << 20;

TEST(Memory, ResolvesExactlyTheBytesOfAnAllocation) {
  Memory memory(capacity_bytes);
  const Allocation* a = memory.allocate(1000, Origin::cuda_malloc);
  ASSERT_NE(a, nullptr);
  EXPECT_EQ(memory.resolve(a->address, 1000), a->host);
  EXPECT_EQ(memory.resolve(a->address + 999, 1), a->host + 999);
  EXPECT_EQ(memory.resolve(a->address, 1001), nullptr);
  EXPECT_EQ(memory.resolve(a->address + 1000, 1), nullptr);
  EXPECT_EQ(memory.resolve(a->address - 1, 1), nullptr);
  EXPECT_EQ(memory.resolve(a->address + 1, ~0ull), nullptr) << "a size that wraps around";
  EXPECT_EQ(memory.resolve(0, 1), nullptr);
}

TEST(Memory, AlignsAndLeavesGaps) {
  Memory memory(capacity_bytes);
  const Allocation* a = memory.allocate(1, Origin::cuda_malloc);
  const Allocation* b = memory.allocate(5 << 20, Origin::cuda_malloc);
  const Allocation* c = memory.allocate(1, Origin::variable, "x", 4096);
  EXPECT_EQ(a->address % 256, 0u);
  EXPECT_EQ(b->address % 256, 0u);
  EXPECT_EQ(c->address % 4096, 0u);
  EXPECT_EQ(reinterpret_cast<std::uint64_t>(b->host) % 256, 0u);
  EXPECT_GE(b->address - (a->address + 1), 65536u);
  EXPECT_GE(c->address - (b->address + b->size_bytes), 65536u);
  EXPECT_EQ(memory.find(a->address + 4096), nullptr);
}

TEST(Memory, FillsDeviceMemoryWithThePoisonByte) {
  Memory usual(capacity_bytes), other(capacity_bytes, std::byte{0x5A});
  for (const Origin origin : {Origin::cuda_malloc, Origin::kernel_heap}) {
    for (Memory* memory : {&usual, &other}) {
      const Allocation* a = memory->allocate(100003, origin);
      const std::byte poison{memory == &usual ? std::uint8_t{0xFF} : std::uint8_t{0x5A}};
      EXPECT_TRUE(std::all_of(a->host, a->host + a->size_bytes, [=](std::byte b) { return b == poison; }));
    }
  }
}

TEST(Memory, UsesAddressesAgainWhenTheWindowIsFull) {
  Memory memory(std::uint64_t{1} << 60);
  const std::uint64_t half = memory.window_bytes() / 2 - (8 << 20);
  const Allocation* kept = memory.allocate(100, Origin::cuda_malloc);
  std::set<std::uint64_t> addresses;
  for (int i = 0; i < 5; ++i) {
    // The simulator writes nothing into internal memory, so it takes no pages.
    const Allocation* a = memory.allocate(half, Origin::internal);
    ASSERT_NE(a, nullptr) << i;
    EXPECT_EQ(memory.find(a->address + 5), a);
    EXPECT_EQ(memory.find(kept->address), kept);
    EXPECT_GE(a->address, kept->address + 65536);
    addresses.insert(a->address);
    EXPECT_TRUE(memory.release(a->address));
    EXPECT_EQ(memory.find(a->address + 5), a) << "known as freed";
  }
  EXPECT_LT(addresses.size(), 5u);
  EXPECT_GT(memory.forgotten(), 0u);
  ASSERT_NE(memory.allocate(half, Origin::internal), nullptr);
  EXPECT_EQ(memory.allocate(memory.window_bytes() - half, Origin::internal), nullptr);
  EXPECT_EQ(memory.shortage(), Memory::Shortage::addresses);
}

TEST(Memory, TellsDeviceAndSharedAddressesApart) {
  Memory memory(capacity_bytes);
  for (const Origin origin : {Origin::cuda_malloc, Origin::variable, Origin::constant, Origin::kernel_heap}) {
    const Allocation* a = memory.allocate(64, origin);
    EXPECT_NE(a->address, reinterpret_cast<std::uint64_t>(a->host));
    EXPECT_GE(a->address, std::uint64_t{1} << 52) << "an address that the host could map";
    EXPECT_EQ(a->read_only, origin == Origin::constant);
  }
  for (const Origin origin : {Origin::cuda_malloc_host, Origin::managed}) {
    const Allocation* a = memory.allocate(64, origin);
    EXPECT_EQ(a->address, reinterpret_cast<std::uint64_t>(a->host));
  }
}

TEST(Memory, NeverUsesAnAddressTwice) {
  Memory memory(capacity_bytes);
  std::set<std::uint64_t> seen;
  for (int i = 0; i < 100; ++i) {
    const Allocation* a = memory.allocate(100000, Origin::cuda_malloc);
    ASSERT_NE(a, nullptr);
    EXPECT_TRUE(seen.insert(a->address).second);
    EXPECT_EQ(a->id, static_cast<std::uint64_t>(i) + 1);
    EXPECT_TRUE(memory.release(a->address));
  }
  EXPECT_EQ(memory.used_bytes(), 0u);
}

TEST(Memory, KeepsFreedAllocationsToNameThem) {
  Memory memory(capacity_bytes);
  const Allocation* a = memory.allocate(1000, Origin::cuda_malloc);
  const std::uint64_t address = a->address;
  EXPECT_TRUE(memory.release(address));
  EXPECT_FALSE(memory.release(address)) << "freed twice";
  EXPECT_EQ(memory.resolve(address, 1), nullptr);
  const Allocation* freed = memory.find(address + 999);
  ASSERT_NE(freed, nullptr);
  EXPECT_EQ(freed->host, nullptr);
  EXPECT_EQ(freed->size_bytes, 1000u);
}

TEST(Memory, ForgetsOldFreesInTheEnd) {
  Memory memory(capacity_bytes);
  const std::uint64_t first = memory.allocate(8, Origin::variable)->address;
  memory.release(first);
  for (int i = 0; i < 20000; ++i) memory.release(memory.allocate(8, Origin::variable)->address);
  EXPECT_EQ(memory.find(first), nullptr);
}

TEST(Memory, HasACapacity) {
  Memory memory(1 << 20);
  EXPECT_EQ(memory.capacity_bytes(), 1u << 20);
  EXPECT_EQ(memory.allocate((1 << 20) + 1, Origin::cuda_malloc), nullptr);
  EXPECT_EQ(memory.allocate(0, Origin::cuda_malloc), nullptr);
  EXPECT_EQ(memory.allocate(~0ull, Origin::cuda_malloc), nullptr);
  EXPECT_EQ(memory.allocate(~0ull, Origin::managed), nullptr);
  const Allocation* a = memory.allocate(1 << 20, Origin::cuda_malloc);
  ASSERT_NE(a, nullptr);
  EXPECT_EQ(memory.used_bytes(), 1u << 20);
  EXPECT_EQ(memory.allocate(1, Origin::cuda_malloc), nullptr);
  EXPECT_NE(memory.allocate(1, Origin::cuda_malloc_host), nullptr) << "pinned memory is the host's";
  memory.release(a->address);
  EXPECT_NE(memory.allocate(1 << 20, Origin::cuda_malloc), nullptr);
}

TEST(Memory, FindsNeighbours) {
  Memory memory(capacity_bytes);
  const Allocation* a = memory.allocate(1000, Origin::cuda_malloc);
  const Allocation* b = memory.allocate(1000, Origin::cuda_malloc);
  EXPECT_EQ(memory.nearest_below(a->address + 1017), a);
  EXPECT_EQ(memory.nearest_above(a->address + 1017), b);
  EXPECT_EQ(memory.nearest_below(a->address - 1), nullptr);
  EXPECT_EQ(memory.nearest_above(b->address), nullptr);
}

TEST(Memory, RegistersHostMemory) {
  Memory memory(capacity_bytes);
  std::vector<std::byte> bytes(5000);
  const Allocation* a = memory.register_host(bytes.data(), bytes.size(), Origin::host_registered);
  ASSERT_NE(a, nullptr);
  const auto address = reinterpret_cast<std::uint64_t>(bytes.data());
  EXPECT_EQ(memory.resolve(address + 10, 4990), bytes.data() + 10);
  EXPECT_EQ(memory.register_host(bytes.data() + 100, 10, Origin::host_registered), nullptr) << "overlaps";
  EXPECT_EQ(memory.register_host(bytes.data() - 8, 16, Origin::host_registered), nullptr) << "overlaps";
  EXPECT_EQ(memory.used_bytes(), 0u);
  EXPECT_TRUE(memory.release(address));
  bytes[0] = std::byte{7};  // still the program's own
  EXPECT_EQ(memory.find(address), nullptr) << "an ordinary host pointer again";
  EXPECT_NE(memory.register_host(bytes.data() + 100, 10, Origin::host_registered), nullptr);
  EXPECT_EQ(memory.register_host(nullptr, 10, Origin::host_registered), nullptr);
  EXPECT_EQ(memory.register_host(bytes.data(), ~0ull, Origin::host_registered), nullptr);
}

TEST(MemoryDeathTest, GuardGapsAreNotAccessible) {
  Memory memory(capacity_bytes);
  const Allocation* a = memory.allocate(4096 * 16, Origin::managed);  // whole pages on every host
  volatile std::byte* end = a->host + a->size_bytes;
  EXPECT_DEATH(*end = std::byte{1}, "");
  volatile std::byte* begin = a->host;
  memory.release(a->address);
  EXPECT_DEATH(*begin = std::byte{1}, "");
}

}  // namespace
}  // namespace cudasim
