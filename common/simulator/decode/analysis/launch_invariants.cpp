// SPDX-License-Identifier: MIT
#include "decode/analysis/launch_invariants.h"

#include <algorithm>
#include <iterator>

namespace cudasim {
namespace {

bool is_integer(std::string_view type, const char* bits) {
  return type.size() == 3 && type[0] != 'f' && type.substr(1) == bits;
}

/// Whether the operation makes its first operand, or its first two, wider, from 32 bits.
bool widens(const Found& found) {
  const auto& tokens = found.tokens;
  if (tokens.size() != 3 || !is_integer(tokens[2], "32")) return false;
  return found.name() == "cvt" ? is_integer(tokens[1], "64") : tokens[1] == "wide";
}

}  // namespace

void KnownValues::begins_with(const FrameConstant& constant) {
  using S = FrameConstant::Source;
  Value value = Value::launch_invariant;
  if (differs_by_block(constant.source)) value = Value::of_block;
  if (constant.source == S::bits || constant.source == S::ntid_x || constant.source == S::ntid_y ||
      constant.source == S::ntid_z)
    value = Value::alike;
  values_[constant.slot] = value;
}

KnownValues::Value KnownValues::value_of(std::uint32_t slot) const {
  if (slot == 0) return Value::alike;  // no operand
  const auto known = values_.find(slot);
  return known == values_.end() ? Value::any : known->second;
}

/// Whether a * b differs between blocks by one number for all threads.
bool KnownValues::is_product(const MicroOp& op) const {
  const Value a = value_of(op.a), b = value_of(op.b);
  const auto is_number = [](Value value) { return value == Value::alike || value == Value::of_block; };
  return a == Value::alike || b == Value::alike || (is_number(a) && is_number(b));
}

/// Whether the result, of known operands, differs between blocks by one number for all threads.
bool KnownValues::is_affine(const MicroOp& op, const Found& found) const {
  const auto& tokens = found.tokens;
  const std::string_view name = found.name();
  if (!is_integer(tokens.back(), "32") && !is_integer(tokens.back(), "64")) return false;
  if (name == "mul" || name == "mad")
    return is_product(op) && tokens.size() == 3 && (tokens[1] == "lo" || widens(found));
  if (name == "cvt") return widens(found);
  if (tokens.size() != 2) return false;
  return name == "mov" || name == "add" || name == "sub" || (name == "shl" && value_of(op.b) == Value::alike);
}

KnownValues::Value KnownValues::result(const MicroOp& op, const Found* found) const {
  Value least = Value::affine, most = Value::alike;
  bool is_number = true;
  for (const std::uint32_t slot : {op.a, op.b, op.c, op.f}) {
    const Value value = value_of(slot);
    least = std::min(least, value);
    most = std::max(most, value);
    is_number &= value == Value::alike || value == Value::of_block;
  }
  if (least == Value::any || op.e != 0) return Value::any;
  if (most <= Value::launch_invariant) return most;
  if (found == nullptr) return Value::any;
  if (is_number) return Value::of_block;
  return is_affine(op, *found) ? Value::affine : Value::any;
}

void KnownValues::note(Program& program, std::uint32_t pc, const Found* found, FrameConstant::Width width) {
  const MicroOp& op = program.code[pc];
  const bool loads = op.kind == MicroOpcode::load;
  const Value value = loads ? Value::alike : result(op, found);
  if (value == Value::any) return;
  const std::uint32_t slot = loads ? program.accesses[op.extra].data[0].slot : op.d;
  if (value <= Value::launch_invariant) {
    values_[slot] = value;
    program.launch_invariant.push_back(pc);
    return;
  }
  if (width == FrameConstant::Width::predicate) return;
  values_[slot] = value;
  program.affine.push_back(pc);
  program.affine_results.push_back({slot, width == FrameConstant::Width::wide});
  for (const std::uint32_t source : {op.a, op.b, op.c, op.f}) {
    if (source != 0) --reads_[source];
  }
  if (value != Value::affine || !widens(*found)) return;
  for (const std::uint32_t source : {op.a, op.b}) {
    if (value_of(source) == Value::affine) program.widened.push_back({source, found->tokens.back()[0] == 's'});
  }
}

void KnownValues::finish(Program& program) const {
  auto& affine = program.affine_results;
  const auto reads = [&](std::uint32_t slot) { return reads_.count(slot) != 0 && reads_.at(slot) != 0; };
  affine.erase(std::remove_if(affine.begin(), affine.end(), [&](const auto& one) { return !reads(one.slot); }),
               affine.end());
  if (affine.size() > kMostAffineResults || program.affine.size() > kMostAffine) {
    program.affine.clear();
    affine.clear();
    program.widened.clear();
    return;
  }
  for (auto& constant : program.functions[0].constants) {
    if (differs_by_block(constant.source)) constant.is_read = reads(constant.slot);
  }
}

}  // namespace cudasim
