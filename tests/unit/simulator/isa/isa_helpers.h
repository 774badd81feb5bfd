// SPDX-License-Identifier: MIT
// Helpers of the instruction table's tests. They walk rows and their matches, make a frame with one slot for each
// operand letter, and run one instruction on given values.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "isa/instruction.h"

namespace cudasim {

// ---- rows and matches ----------------------------------------------------------------------------------------------

struct Group {
  bool optional = false;
  std::vector<std::string> alternatives;
};
struct OperandOfRow {
  std::vector<char> slots;
  std::string type;
  bool pair = false, vector = false;
};

std::vector<Group> groups_of(const InstructionDefinition& row);
std::vector<OperandOfRow> operands_of(const InstructionDefinition& row);
/// The type that `text` ("u32", "G1", "W0") stands for.
ptx::Type type_of(const InstructionDefinition& row, const Match& match, const std::string& text);
/// The opcode that a match stands for: "setp.lt.and.s32".
std::string opcode_of(const InstructionDefinition& row, const Match& match);
/// Mandatory groups at their first alternative, optional groups absent.
Match first_match(const InstructionDefinition& row);
/// Those that were built and that this CPU has.
std::vector<Level> levels_to_test();
void for_each_row(Level level, const std::function<void(const InstructionDefinition&)>& visit);
/// All matches of a row, or `limit` of them at random (the same in each run).
void for_each_match(const InstructionDefinition& row, std::size_t limit,
                    const std::function<void(const Match&)>& visit);

ptx::Operand vector_operand(std::size_t count);
/// An instruction with `count` operands that are registers.
ptx::Instruction scalar_instruction(const std::string& opcode, std::size_t count);
/// An instruction as the row wants it.
ptx::Instruction instruction_for(const InstructionDefinition& row, const Match& match);

// ---- frames --------------------------------------------------------------------------------------------------------

/// Slots d, e, a, b, c, f, each with room for 32 lanes of 64 bits.
class Frame {
 public:
  static constexpr std::size_t slot_bytes = 256, size_bytes = 6 * slot_bytes;

  explicit Frame(std::mt19937_64& random);  ///< filled with noise
  std::byte* bytes() { return storage_; }
  bool operator==(const Frame& other) const { return std::memcmp(storage_, other.storage_, size_bytes) == 0; }
  /// Sources get edge values of their types, or random ones.
  void fill_sources(const InstructionDefinition& row, const Match& match, std::mt19937_64& random);
  void copy_slot(std::uint32_t to, std::uint32_t from) { std::memcpy(storage_ + to, storage_ + from, slot_bytes); }
  bool same_slot(const Frame& other, std::uint32_t slot) const {
    return std::memcmp(storage_ + slot, other.storage_ + slot, slot_bytes) == 0;
  }
  void expect_only_destinations_changed(const Frame& before, const InstructionDefinition& row, const Match& match,
                                        Mask mask) const;

 private:
  alignas(64) std::byte storage_[size_bytes];
};

MicroOp micro_op_for(const InstructionDefinition& row, const Match& match);
std::uint32_t& slot_of(MicroOp& op, char name);
/// Whether `source` is a source of the row in a slot of the same size as destination d.
bool same_slot_possible(const InstructionDefinition& row, const Match& match, char source);

// ---- values --------------------------------------------------------------------------------------------------------

/// Runs an instruction with one destination on the same values in every lane; returns the destination's value.
/// Predicates are 0 or 1.
std::uint64_t evaluate(const std::string& opcode, const std::vector<std::uint64_t>& sources);
/// The same with the carry flag, which is read and written.
std::uint64_t evaluate_carry(const std::string& opcode, const std::vector<std::uint64_t>& sources, bool& carry);

inline float as_float(std::uint64_t bits) {
  const auto low = static_cast<std::uint32_t>(bits);
  float value;
  std::memcpy(&value, &low, sizeof value);
  return value;
}
inline std::uint64_t as_bits(float value) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}
inline std::uint64_t as_bits(double value) {
  std::uint64_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

struct ValueCase {
  const char* opcode;
  std::vector<std::uint64_t> sources;
  std::uint64_t expected;
};
/// Edge values with results worked out from the manual's text.
const std::vector<ValueCase>& value_cases();

/// Lines of "operand-count opcode opcode ...".
extern const char* const compiler_opcodes;

}  // namespace cudasim
