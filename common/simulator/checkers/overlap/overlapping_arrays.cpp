// SPDX-License-Identifier: MIT
// It keeps for each byte which of the arrays was written there last, and which ones ever. To use the memory for one
// array after the other is right: then nothing is read of an array that another one lies over.
#include "checkers/overlap/overlapping_arrays.h"

#include <string>
#include <utility>
#include <vector>

#include "base/demangle.h"
#include "messages/describe_address.h"
#include "messages/finding_messages.h"
#include "state/grid.h"

namespace cudasim {
namespace {

struct Byte {
  std::uint32_t writer = 0;   ///< the last instruction that wrote it
  std::uint8_t last = 0;      ///< its array, as in Program::dynamic_array_of; 0: none that is known
  std::uint32_t written = 0;  ///< a bit for each array, modulo 32
};

class OverlapWatch final : public Watcher {
 public:
  explicit OverlapWatch(Grid& grid) : grid_(grid) {}

  void begin_block(Block& block) override {
    if (block.slot >= bytes_.size()) bytes_.resize(block.slot + 1);
    bytes_[block.slot].assign(grid_.shared_bytes, {});
  }
  void before(const Step& step, const MemoryAccess& access, const AtomicAccess* atomic,
              const LaneAddresses& at) override {
    if (at.space != ptx::Space::shared) return;
    if (!access.is_store || (atomic != nullptr && atomic->returns)) look_at_read(step, at);
  }
  void after(const Step& step, const MemoryAccess& access, const AtomicAccess* atomic,
             const LaneAddresses& at) override {
    if (at.space != ptx::Space::shared || (!access.is_store && atomic == nullptr)) return;
    const std::uint8_t array = grid_.program.dynamic_array_of[step.op.counter];
    for_each_byte(step, at, [&](Byte& byte, unsigned, std::uint64_t) {
      byte.writer = step.op.counter;
      byte.last = array;
      if (array != 0) byte.written |= 1u << array % 32;
      return true;
    });
  }

 private:
  template <typename Visit>
  void for_each_byte(const Step& step, const LaneAddresses& at, Visit visit) {
    std::vector<Byte>& bytes = bytes_[step.block.slot];
    for (Mask m = at.mask; m != 0; m &= m - 1) {
      const auto lane = static_cast<unsigned>(__builtin_ctz(m));
      for (std::uint64_t address = at.of(lane); address < at.of(lane) + at.bytes; ++address) {
        if (address < bytes.size() && !visit(bytes[address], lane, address)) return;
      }
    }
  }

  void look_at_read(const Step& step, const LaneAddresses& at) {
    const std::uint8_t array = grid_.program.dynamic_array_of[step.op.counter];
    if (array == 0) return;
    for_each_byte(step, at, [&](const Byte& byte, unsigned lane, std::uint64_t address) {
      if (byte.last == 0 || byte.last == array || (byte.written >> array % 32 & 1) == 0) return true;
      report(step, lane, address, array, byte, at.bytes);
      return false;
    });
  }

  void report(const Step& step, unsigned lane, std::uint64_t address, std::uint8_t array, const Byte& byte,
              std::uint32_t bytes) {
    const auto name_of = [this](std::uint8_t which) { return variable_name(grid_.program.shared[which - 1u].name); };
    Finding f = finding_at(grid_, step, 1u << lane, FindingKind::overlapping_arrays);
    f.address = address;
    f.access_bytes = bytes;
    describe_shared(grid_, f, address);
    f.message = "the array '" + name_of(array) + "' is read where '" + name_of(byte.last) +
                "' was written over it: all extern __shared__ arrays of a kernel are one memory";
    f.advice =
        "declare one extern __shared__ array, and let the second one begin behind the first: `int* const second = "
        "first + count`. The third argument in <<<...>>> is the size of both";
    OtherAccess other;
    other.where = grid_.program.source_line(byte.writer);
    other.ptx_line = grid_.program.origins[byte.writer].ptx_line;
    other.is_store = true;
    f.other = std::move(other);
    add_defect(grid_, step.block.linear, std::move(f));
  }

  Grid& grid_;
  std::vector<std::vector<Byte>> bytes_;  // by the slot of the block
};

}  // namespace

std::shared_ptr<Watcher> watch_overlapping_arrays(Grid& grid) {
  return grid.program.dynamic_array_of.empty() ? nullptr : std::make_shared<OverlapWatch>(grid);
}

}  // namespace cudasim
