// SPDX-License-Identifier: MIT
// See isa_helpers.h.
#include "isa_helpers.h"

#include <algorithm>
#include <sstream>

namespace cudasim {
namespace {

struct PatternPart {
  std::string text;
  char open = 0;  // '<', '[' or 0 for literal text
};

std::vector<PatternPart> parts_of(const char* pattern) {
  std::vector<PatternPart> parts;
  for (std::string rest = pattern; !rest.empty();) {
    if (rest[0] == '<' || rest[0] == '[') {
      const auto close = rest.find(rest[0] == '<' ? '>' : ']');
      parts.push_back({rest.substr(1, close - 1), rest[0]});
      rest = rest.substr(close + 1);
    } else {
      const auto end = std::min(rest.find_first_of("<["), rest.size());
      parts.push_back({rest.substr(0, end), 0});
      rest = rest.substr(end);
    }
  }
  return parts;
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> words;
  std::istringstream stream(text);
  for (std::string word; std::getline(stream, word, separator);) words.push_back(word);
  return words;
}

unsigned bytes_of(ptx::Type type) {
  switch (type) {
    case ptx::Type::pred:
      return 0;
    case ptx::Type::b64:
    case ptx::Type::u64:
    case ptx::Type::s64:
    case ptx::Type::f64:
      return 8;
    default:
      return 4;
  }
}

ptx::Type twice_as_wide(ptx::Type type) {
  switch (type) {
    case ptx::Type::u16:
      return ptx::Type::u32;
    case ptx::Type::s16:
      return ptx::Type::s32;
    case ptx::Type::u32:
      return ptx::Type::u64;
    case ptx::Type::s32:
      return ptx::Type::s64;
    default:
      return ptx::Type::none;
  }
}

/// The slots that an instruction of the row may write, with their operand.
bool is_destination_operand(const std::vector<OperandOfRow>& operands, std::size_t index) {
  return index == 0 || operands[index].type == "cc";
}

std::uint64_t edge_value(std::mt19937_64& random) {
  constexpr std::uint64_t edges[] = {
      0, 1, 2, 3, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 255, 256, 0x7fff, 0x8000, 0xffff, 0x10000, 0x7fffffff,
      0x80000000, 0x80000001, 0xfffffffe, 0xffffffff, 0x100000000, 0x7fffffffffffffff, 0x8000000000000000,
      0x8000000000000001, 0xffffffffffffffff, 0xffffffff80000000,
      // f32: one, -1.5, half, 2^31, 2^32, least subnormal, largest subnormal, least normal, largest, infinities, NaN
      0x3f800000, 0xbfc00000, 0x3f000000, 0x4f000000, 0x4f800000, 1, 0x007fffff, 0x80400000, 0x00800000, 0x7f7fffff,
      0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001, 0xffc12345, 0x40200000, 0x3fc00000, 0x7e800001,
      // f64 likewise
      0x3ff0000000000000, 0xbff8000000000000, 0x3fe0000000000000, 0x41e0000000000000, 0x43f0000000000000,
      0x000fffffffffffff, 0x0010000000000000, 0x7fefffffffffffff, 0x7ff0000000000000, 0xfff0000000000000,
      0x7ff8000000000000, 0x7ff0000000000001, 0xfff8000012345678, 0x3810000000000000, 0x47efffffefffffff,
      // f16 and bf16
      0x3c00, 0xbe00, 0x7bff, 0x7c00, 0xfc00, 0x7e01, 0x0001, 0x03ff, 0x0400, 0x3f80, 0x7f80, 0x7fc1, 0x3c003c00,
      0x7c01fc00};
  const std::uint64_t kind = random() % 4;
  if (kind == 0) return random();
  if (kind == 1) return static_cast<std::uint64_t>(static_cast<std::int64_t>(random() % 200) - 100);
  return edges[random() % (sizeof edges / sizeof edges[0])];
}

}  // namespace

std::vector<Group> groups_of(const InstructionDefinition& row) {
  std::vector<Group> groups;
  for (const auto& part : parts_of(row.pattern)) {
    if (part.open != 0) groups.push_back({part.open == '[', split(part.text, '|')});
  }
  return groups;
}

std::vector<OperandOfRow> operands_of(const InstructionDefinition& row) {
  std::vector<OperandOfRow> operands;
  if (!is_pure(row)) return operands;
  for (const RowOperand& o : parse_operands(row.operands)) {
    const bool carry = o.shape == RowOperand::Shape::carry;
    operands.push_back({{o.slots, o.slots + o.count},
                        carry ? "cc" : std::string(o.type),
                        o.shape == RowOperand::Shape::pair,
                        o.shape == RowOperand::Shape::vector});
    if (carry) operands.back().slots = {'e'};
  }
  return operands;
}

ptx::Type type_of(const InstructionDefinition& row, const Match& match, const std::string& text) {
  if (text == "cc") return ptx::Type::pred;
  if ((text[0] != 'G' && text[0] != 'W') || text.size() > 3) return ptx::type_from_text(text);
  const auto group = static_cast<unsigned>(std::stoul(text.substr(1)));
  const auto name = token(row, match, group);
  const auto type = ptx::type_from_text(name.empty() ? name : name.substr(1));
  return text[0] == 'W' ? twice_as_wide(type) : type;
}

std::string opcode_of(const InstructionDefinition& row, const Match& match) {
  std::string text;
  unsigned group = 0;
  for (const auto& part : parts_of(row.pattern)) {
    text += part.open == 0 ? part.text : std::string(token(row, match, group++));
  }
  return text;
}

Match first_match(const InstructionDefinition& row) {
  Match match;
  std::size_t i = 0;
  for (const auto& group : groups_of(row)) match.choice[i++] = group.optional ? -1 : 0;
  return match;
}

std::vector<Level> levels_to_test() {
  std::vector<Level> levels;
  for (const Level level : {Level::baseline, Level::avx2, Level::avx512}) {
    if (can_run(level)) levels.push_back(level);
  }
  return levels;
}

void for_each_row(Level level, const std::function<void(const InstructionDefinition&)>& visit) {
  for (std::size_t f = 0; f < family_count(); ++f) {
    const InstructionDefinitions rows = all_rows(level, f);
    for (std::size_t r = 0; r < rows.count; ++r) visit(rows.begin[r]);
  }
}

void for_each_match(const InstructionDefinition& row, std::size_t limit,
                    const std::function<void(const Match&)>& visit) {
  const auto groups = groups_of(row);
  std::size_t all = 1;
  for (const auto& group : groups) all *= group.alternatives.size() + (group.optional ? 1 : 0);
  std::mt19937 random(7);
  for (std::size_t i = 0; i < std::min(all, limit); ++i) {
    std::size_t code = all <= limit ? i : random() % all;
    Match match;
    for (std::size_t g = 0; g < groups.size(); ++g) {
      const std::size_t ways = groups[g].alternatives.size() + (groups[g].optional ? 1 : 0);
      match.choice[g] = static_cast<std::int8_t>(static_cast<int>(code % ways) - (groups[g].optional ? 1 : 0));
      code /= ways;
    }
    visit(match);
  }
}

ptx::Operand vector_operand(std::size_t count) {
  ptx::Operand operand;
  operand.kind = ptx::Operand::Kind::vector;
  operand.elements.resize(count);
  for (auto& element : operand.elements) element.kind = ptx::Operand::Kind::reg;
  return operand;
}

ptx::Instruction scalar_instruction(const std::string& opcode, std::size_t count) {
  ptx::Instruction instruction;
  instruction.opcode = opcode;
  instruction.operands.resize(count);
  for (auto& operand : instruction.operands) operand.kind = ptx::Operand::Kind::reg;
  return instruction;
}

ptx::Instruction instruction_for(const InstructionDefinition& row, const Match& match) {
  ptx::Instruction instruction = scalar_instruction(opcode_of(row, match), 0);
  if (!is_pure(row) && writes_first_operand(row)) {
    instruction.operands.emplace_back();
    instruction.operands.back().kind = ptx::Operand::Kind::reg;
  }
  for (const auto& operand : operands_of(row)) {
    if (operand.type == "cc") continue;
    ptx::Operand written = vector_operand(operand.slots.size());
    if (!operand.vector) {
      written.kind = operand.pair ? ptx::Operand::Kind::pair : ptx::Operand::Kind::reg;
      if (!operand.pair) written.elements.clear();
    }
    instruction.operands.push_back(written);
  }
  return instruction;
}

Frame::Frame(std::mt19937_64& random) {
  for (std::size_t i = 0; i < size_bytes; i += 8) {
    const std::uint64_t noise = random();
    std::memcpy(storage_ + i, &noise, sizeof noise);
  }
}

void Frame::fill_sources(const InstructionDefinition& row, const Match& match, std::mt19937_64& random) {
  MicroOp op = micro_op_for(row, match);
  const auto operands = operands_of(row);
  for (std::size_t i = 1; i < operands.size(); ++i) {
    const unsigned bytes = bytes_of(type_of(row, match, operands[i].type));
    for (const char name : operands[i].slots) {
      std::byte* const slot = storage_ + slot_of(op, name);
      for (unsigned lane = 0; lane < kWarpSize && bytes != 0; ++lane) {
        const std::uint64_t value = edge_value(random);
        std::memcpy(slot + lane * bytes, &value, bytes);
      }
    }
  }
}

void Frame::expect_only_destinations_changed(const Frame& before, const InstructionDefinition& row, const Match& match,
                                             Mask mask) const {
  std::vector<bool> may_change(size_bytes, false);
  Mask predicate_mask[6] = {};
  MicroOp op = micro_op_for(row, match);
  const auto operands = operands_of(row);
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (!is_destination_operand(operands, i)) continue;
    const unsigned bytes = bytes_of(type_of(row, match, operands[i].type));
    for (const char name : operands[i].slots) {
      const std::uint32_t slot = slot_of(op, name);
      if (bytes == 0) predicate_mask[slot / slot_bytes] = mask;
      for (unsigned lane = 0; lane < kWarpSize; ++lane) {
        for (unsigned b = 0; b < bytes && ((mask >> lane) & 1) != 0; ++b) may_change[slot + lane * bytes + b] = true;
      }
    }
  }
  for (std::size_t i = 0; i < size_bytes; ++i) {
    auto changed = storage_[i] ^ before.storage_[i];
    if (i % slot_bytes < 4) changed &= ~std::byte(predicate_mask[i / slot_bytes] >> (8 * (i % slot_bytes)));
    if (changed != std::byte{0} && !may_change[i]) {
      ADD_FAILURE() << opcode_of(row, match) << " wrote byte " << i << " of the frame with mask " << std::hex << mask;
      return;
    }
  }
}

MicroOp micro_op_for(const InstructionDefinition&, const Match&) {
  MicroOp op;
  std::uint32_t next = 0;
  for (const char name : {'d', 'e', 'a', 'b', 'c', 'f'}) {
    slot_of(op, name) = next;
    next += static_cast<std::uint32_t>(Frame::slot_bytes);
  }
  return op;
}

std::uint32_t& slot_of(MicroOp& op, char name) {
  switch (name) {
    case 'd':
      return op.d;
    case 'e':
      return op.e;
    case 'a':
      return op.a;
    case 'b':
      return op.b;
    case 'c':
      return op.c;
    default:
      return op.f;
  }
}

bool same_slot_possible(const InstructionDefinition& row, const Match& match, char source) {
  const auto operands = operands_of(row);
  const unsigned bytes = bytes_of(type_of(row, match, operands[0].type));
  for (std::size_t i = 1; i < operands.size(); ++i) {
    const auto& slots = operands[i].slots;
    const bool named = operands[i].type != "cc" && std::find(slots.begin(), slots.end(), source) != slots.end();
    if (named && bytes_of(type_of(row, match, operands[i].type)) == bytes) return true;
  }
  return false;
}

std::uint64_t evaluate_carry(const std::string& opcode, const std::vector<std::uint64_t>& sources, bool& carry) {
  const Found found = find_row(scalar_instruction(opcode, sources.size() + 1), best_level());
  if (found.row == nullptr || !is_pure(*found.row)) {
    ADD_FAILURE() << opcode << " with " << sources.size() << " sources is not in the table";
    return 0;
  }
  std::mt19937_64 random(8);
  Frame frame(random);
  MicroOp op = micro_op_for(*found.row, found.match);
  const auto operands = operands_of(*found.row);
  for (std::size_t i = 1; i < operands.size(); ++i) {
    std::byte* const slot = frame.bytes() + slot_of(op, operands[i].slots[0]);
    const unsigned bytes = bytes_of(type_of(*found.row, found.match, operands[i].type));
    const bool flag = operands[i].type == "cc" ? carry : i <= sources.size() && sources[i - 1] != 0;
    const Mask truth = flag ? ~Mask{0} : 0;
    if (bytes == 0) std::memcpy(slot, &truth, sizeof truth);
    for (unsigned lane = 0; lane < kWarpSize && bytes != 0; ++lane) {
      std::memcpy(slot + lane * bytes, &sources[i - 1], bytes);
    }
  }
  found.row->select(found.match)(frame.bytes(), op, ~Mask{0});
  Mask flags;
  std::memcpy(&flags, frame.bytes() + op.e, sizeof flags);
  if (operands.back().type == "cc") carry = (flags & 1) != 0;
  const unsigned bytes = bytes_of(type_of(*found.row, found.match, operands[0].type));
  std::uint64_t result = 0;
  std::memcpy(&result, frame.bytes() + op.d, bytes == 0 ? 4 : bytes);
  return bytes == 0 ? result & 1 : result;
}

std::uint64_t evaluate(const std::string& opcode, const std::vector<std::uint64_t>& sources) {
  bool carry = false;
  return evaluate_carry(opcode, sources, carry);
}

}  // namespace cudasim
