// SPDX-License-Identifier: MIT
#include "checkers/init/value_rules.h"

#include <algorithm>
#include <cstring>
#include <string_view>

namespace cudasim {
namespace {

std::uint8_t bit_of(char operand) {
  switch (operand) {
    case 'a':
      return ValueRule::a;
    case 'b':
      return ValueRule::b;
    case 'c':
      return ValueRule::c;
    case 'd':
      return ValueRule::d;
    case 'e':
      return ValueRule::e;
    case 'f':
      return ValueRule::f;
    default:
      return 0;
  }
}

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

ValueRule::Width width_of(ptx::Type type) {
  if (type == ptx::Type::pred) return ValueRule::Width::predicate;
  return size_of(type) == 8   ? ValueRule::Width::wide
         : size_of(type) == 2 ? ValueRule::Width::half
                              : ValueRule::Width::narrow;
}

std::uint64_t bits_of(ValueRule::Width width) {
  return width == ValueRule::Width::wide ? ~0ull : width == ValueRule::Width::half ? 0xffffull : 0xffffffffull;
}

Mask predicate(const std::byte* frame, std::uint32_t slot) {
  Mask bits;
  std::memcpy(&bits, frame + slot, sizeof bits);
  return bits;
}

std::uint32_t word(const std::byte* frame, std::uint32_t slot, unsigned lane) {
  std::uint32_t value;
  std::memcpy(&value, frame + slot + 4 * lane, sizeof value);
  return value;
}

std::uint64_t value_of(const std::byte* frame, std::uint32_t slot, unsigned lane, ValueRule::Width width) {
  if (width != ValueRule::Width::wide) return word(frame, slot, lane);
  std::uint64_t value;
  std::memcpy(&value, frame + slot + 8 * lane, sizeof value);
  return value;
}

/// Bits that may be 0 or 1, depending on the unknown values.
std::uint64_t open_bits(std::uint8_t table, const std::uint64_t (&value)[3], const std::uint64_t (&unknown)[3]) {
  std::uint64_t zero = 0, one = 0;
  for (unsigned i = 0; i < 8; ++i) {
    const std::uint64_t possible = (((i & 4) != 0 ? value[0] : ~value[0]) | unknown[0]) &
                                   (((i & 2) != 0 ? value[1] : ~value[1]) | unknown[1]) &
                                   (((i & 1) != 0 ? value[2] : ~value[2]) | unknown[2]);
    (((table >> i) & 1) != 0 ? one : zero) |= possible;
  }
  return zero & one;
}

}  // namespace

ValueRule rule_of(const InstructionDefinition& row, const Match& match) {
  using Kind = ValueRule::Kind;
  ValueRule rule;
  rule.kind = Kind::any;
  if (!is_pure(row)) {
    rule.sources = ValueRule::a;  // conversions of addresses (cvta, isspacep), where b is a constant
    rule.destinations = ValueRule::d;
    return rule;
  }
  for (const RowOperand& operand : parse_operands(row.operands)) {  // without the carry flag: see below
    auto& side = operand.written ? rule.destinations : rule.sources;
    for (unsigned i = 0; i < operand.count; ++i) side = static_cast<std::uint8_t>(side | bit_of(operand.slots[i]));
  }
  const auto tokens = tokens_of(row, match);
  const auto has = [&](std::string_view token) {
    return std::find(tokens.begin(), tokens.end(), token) != tokens.end();
  };
  const std::string_view name = tokens[0];
  const auto type = ptx::type_from_text(tokens.back());
  rule.width = width_of(type);
  if (is_one_of(name, {"addc", "subc", "madc"})) rule.sources |= ValueRule::e;
  if (has("cc")) rule.destinations |= ValueRule::e;
  if (name == "and" || name == "or" || name == "lop3") {
    rule.kind = Kind::logic;
    rule.table = name == "and" ? 0xc0 : 0xfc;
    if (name == "lop3") rule.sources = ValueRule::a | ValueRule::b | ValueRule::c;
  } else if (name == "xor" || (name == "sub" && type != ptx::Type::f32 && type != ptx::Type::f64)) {
    rule.kind = Kind::same_cancels;
  } else if (name == "selp" || name == "slct") {
    rule.kind = name == "selp" ? Kind::chosen_by_flag : Kind::chosen_by_sign;
    rule.floating = type == ptx::Type::f32;
  } else if (name == "prmt" && tokens.back() == "b32" && tokens.size() == 2) {
    rule.kind = Kind::bytes;
  } else if ((name == "mov" || name == "cvt") && (rule.sources & ValueRule::b) != 0) {
    rule.kind = Kind::all;
  } else if (name == "bfi") {
    rule.kind = Kind::all;
    rule.sources = ValueRule::a | ValueRule::b;
  } else if (name == "setp" && (rule.sources & ValueRule::c) != 0) {
    rule.kind = Kind::combined;
    rule.combine = has("and")  ? ValueRule::Combine::and_
                   : has("or") ? ValueRule::Combine::or_
                               : ValueRule::Combine::xor_;
  }
  return rule;
}

Mask undefined_logic(const ValueRule& rule, const std::byte* frame, const MicroOp& op, Mask pa, Mask pb, Mask pc) {
  const bool third = (rule.sources & ValueRule::c) != 0;
  if (rule.width == ValueRule::Width::predicate) {
    const std::uint64_t value[3] = {predicate(frame, op.a), predicate(frame, op.b), 0}, unknown[3] = {pa, pb, 0};
    return static_cast<Mask>(open_bits(rule.table, value, unknown)) & (pa | pb);
  }
  Mask result = 0;
  for (Mask m = pa | pb | pc; m != 0; m &= m - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(m));
    const std::uint64_t value[3] = {value_of(frame, op.a, lane, rule.width), value_of(frame, op.b, lane, rule.width),
                                    third ? word(frame, op.c, lane) : 0};
    const std::uint64_t unknown[3] = {((pa >> lane) & 1) != 0 ? ~0ull : 0, ((pb >> lane) & 1) != 0 ? ~0ull : 0,
                                      ((pc >> lane) & 1) != 0 ? ~0ull : 0};
    const auto table = third ? static_cast<std::uint8_t>(word(frame, op.f, lane)) : rule.table;
    if ((open_bits(table, value, unknown) & bits_of(rule.width)) != 0) result |= 1u << lane;
  }
  return result;
}

Mask undefined_choice(const ValueRule& rule, const std::byte* frame, const MicroOp& op, Mask pa, Mask pb, Mask pc) {
  Mask chooses_a = 0;
  if (rule.kind == ValueRule::Kind::chosen_by_flag) {
    chooses_a = predicate(frame, op.c);
  } else {
    for (unsigned lane = 0; lane < kWarpSize; ++lane) {
      const std::uint32_t bits = word(frame, op.c, lane);
      float number;
      std::memcpy(&number, &bits, sizeof number);
      const bool positive = rule.floating ? number >= 0 : static_cast<std::int32_t>(bits) >= 0;
      chooses_a |= Mask{positive} << lane;
    }
  }
  return pc | (chooses_a & pa) | (~chooses_a & pb);
}

Mask undefined_bytes(const std::byte* frame, const MicroOp& op, Mask pa, Mask pb, Mask pc) {
  Mask result = pc;
  for (Mask m = pa | pb; m != 0; m &= m - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(m));
    bool undefined = true;
    for (unsigned i = 0; i < 4; ++i) {
      const bool from_b = ((word(frame, op.c, lane) >> (4 * i)) & 4) != 0;
      undefined &= (((from_b ? pb : pa) >> lane) & 1) != 0;
    }
    result |= Mask{undefined} << lane;
  }
  return result;
}

Mask undefined_combination(const ValueRule& rule, std::byte* frame, const MicroOp& op, Mask mask, Mask compared,
                           Mask pc) {
  const Mask c = predicate(frame, op.c), d = predicate(frame, op.d), e = predicate(frame, op.e);
  // Where c is defined, it may fix the result whatever the comparison gives.
  const Mask settled = rule.combine == ValueRule::Combine::and_  ? ~c & ~pc
                       : rule.combine == ValueRule::Combine::or_ ? c & ~pc
                                                                 : 0;
  Mask results[2];
  for (unsigned i = 0; i < 2; ++i) {
    const Mask value = i == 0 ? c & ~pc : c | pc;
    std::memcpy(frame + op.c, &value, sizeof value);
    op.execute(frame, op, mask);
    results[i] = predicate(frame, op.d);
    std::memcpy(frame + op.d, &d, sizeof d);
    std::memcpy(frame + op.e, &e, sizeof e);
    std::memcpy(frame + op.c, &c, sizeof c);
  }
  return (compared & ~settled) | (pc & (results[0] ^ results[1]));
}

}  // namespace cudasim
