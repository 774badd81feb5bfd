// SPDX-License-Identifier: MIT
#include "timing/operations.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <string_view>

#include "timing/instruction_class.h"
#include "timing/unrolled_loops.h"

namespace cudasim {
namespace {

using Kind = TimedOperation::Kind;

/// How long a result takes and how many turns of a scheduler the machine code of a PTX instruction needs.
struct Cost {
  double latency;
  unsigned issue;
};

/// By class. Divisions are the code that ptxas writes out: reciprocal, multiplications, corrections.
Cost cost_of(InstructionClass its_class, const Latencies& l, const Gpu& gpu) {
  switch (its_class) {
    case InstructionClass::fp64:
      return {gpu.float_to_double_ratio > 2 ? l.fp64_slow : l.fp64, 1};
    case InstructionClass::wide_integer:
      return {l.wide_integer, 2};
    case InstructionClass::division:
      return {l.division, 18};
    case InstructionClass::conversion:
      return {l.conversion, 1};
    case InstructionClass::special:
      return {l.special, 1};
    case InstructionClass::predicate:
      return {l.predicate, 1};
    case InstructionClass::move:
      return {0, 0};
    case InstructionClass::shuffle:
      return {l.shuffle, 1};
    case InstructionClass::tensor:
      return {l.tensor, 1};
    case InstructionClass::barrier:
    case InstructionClass::control:
      return {0, 1};
    default:
      return {l.arithmetic, 1};
  }
}

/// Collects the registers of one operation after the other. The register with the number 0 is the one into which
/// operands that are not there lead.
class Collector {
 public:
  Collector(const Program& program, std::vector<std::uint32_t>& registers) : program_(program), all_(registers) {}

  void collect(const MicroOp& op, TimedOperation& timed) {
    sources_.clear();
    results_.clear();
    if (op.guard_mode != MicroOp::Guard::always) read(op.guard);
    visit(op);
    timed.first = static_cast<std::uint32_t>(all_.size());
    timed.reads = append(sources_);
    timed.writes = append(results_);
  }

 private:
  void read(std::uint32_t slot) { sources_.push_back(slot / kSlotBytes); }
  void write(std::uint32_t slot) { results_.push_back(slot / kSlotBytes); }
  void read_address(const MemoryAccess& access) {
    if (access.base_kind == MemoryAccess::Base::reg32 || access.base_kind == MemoryAccess::Base::reg64)
      read(access.base);
  }
  void visit_fragment(const MatrixFragment& fragment, bool is_written) {
    for (unsigned i = 0; i < fragment.registers; ++i) is_written ? write(fragment.slot[i]) : read(fragment.slot[i]);
  }

  std::uint8_t append(std::vector<std::uint32_t>& some) {
    std::sort(some.begin(), some.end());
    some.erase(std::unique(some.begin(), some.end()), some.end());
    if (!some.empty() && some.front() == 0) some.erase(some.begin());
    all_.insert(all_.end(), some.begin(), some.end());
    return static_cast<std::uint8_t>(some.size());
  }

  /// An instruction of the table of instructions, by the operands of its row.
  void visit_pure(const MicroOp& op) {
    const InstructionDefinition* const row = program_.origins[op.counter].row;
    if (op.kind == MicroOpcode::not_predicate || row == nullptr || !is_pure(*row)) {
      for (const std::uint32_t slot : {op.a, op.b, op.c, op.f}) read(slot);
      write(op.d);
      return;
    }
    for (const RowOperand& operand : parse_operands(row->operands)) {
      if (operand.shape == RowOperand::Shape::carry) {
        read(op.e);
        write(op.e);
        continue;
      }
      for (unsigned i = 0; i < operand.count; ++i) {
        const char letter = operand.slots[i];
        const std::uint32_t slot = letter == 'a'   ? op.a
                                   : letter == 'b' ? op.b
                                   : letter == 'c' ? op.c
                                   : letter == 'd' ? op.d
                                   : letter == 'e' ? op.e
                                                   : op.f;
        operand.written ? write(slot) : read(slot);
      }
    }
  }

  void visit_access(const MemoryAccess& access) {
    read_address(access);
    for (unsigned i = 0; i < access.count; ++i) {
      if (access.data[i].sink) continue;
      access.is_store ? read(access.data[i].slot) : write(access.data[i].slot);
    }
  }

  void visit_matrix(const MatrixOperation& matrix) {
    using Mode = MatrixOperation::Mode;
    if (matrix.mode == Mode::multiply) {
      for (const auto* fragment : {&matrix.a, &matrix.b, &matrix.c}) visit_fragment(*fragment, false);
    } else if (matrix.mode == Mode::transpose) {
      visit_fragment(matrix.a, false);
    } else {
      read_address(program_.accesses[matrix.access]);
      if (matrix.stride != 0) read(matrix.stride);
    }
    visit_fragment(matrix.d, matrix.mode != Mode::store && matrix.mode != Mode::store_rows);
  }

  void visit(const MicroOp& op) {
    switch (op.kind) {
      case MicroOpcode::pure:
      case MicroOpcode::not_predicate:
        return visit_pure(op);
      case MicroOpcode::load:
      case MicroOpcode::store:
        return visit_access(program_.accesses[op.extra]);
      case MicroOpcode::atomic:
        read_address(program_.atomics[op.extra].address);
        read(op.b);
        read(op.c);
        if (program_.atomics[op.extra].returns) write(op.d);
        return;
      case MicroOpcode::async_copy:
        read_address(program_.accesses[op.extra]);
        read_address(program_.accesses[op.extra + 1]);
        return read(op.a);
      case MicroOpcode::texture_fetch: {
        const TextureFetch& fetch = program_.texture_fetches[op.extra];
        for (const std::uint32_t slot : fetch.coordinates) read(slot);
        for (const std::uint32_t slot : fetch.destinations) write(slot);
        return;
      }
      case MicroOpcode::matrix:
        return visit_matrix(program_.matrices[op.extra]);
      case MicroOpcode::shuffle:
      case MicroOpcode::vote:
      case MicroOpcode::match:
      case MicroOpcode::warp_reduce:
      case MicroOpcode::elect:
      case MicroOpcode::active_mask:
      case MicroOpcode::clock:
      case MicroOpcode::barrier:
        for (const std::uint32_t slot : {op.a, op.b, op.c, op.f}) read(slot);
        write(op.d);
        return write(op.e);
      default:
        return read(op.a);
    }
  }

  const Program& program_;
  std::vector<std::uint32_t>& all_;
  std::vector<std::uint32_t> sources_, results_;
};

bool has_token(const InstructionOrigin& origin, std::string_view wanted) {
  const auto tokens = tokens_of(*origin.row, origin.match);
  return std::find(tokens.begin(), tokens.end(), wanted) != tokens.end();
}

bool ends_stretch(MicroOpcode kind) {
  switch (kind) {
    case MicroOpcode::branch:
    case MicroOpcode::branch_indexed:
    case MicroOpcode::call:
    case MicroOpcode::ret:
    case MicroOpcode::exit:
    case MicroOpcode::barrier:
    case MicroOpcode::async_wait:
    case MicroOpcode::fence:
    case MicroOpcode::clock:
      return true;
    default:
      return false;
  }
}

/// Whether ptxas makes a predicate of a branch: it goes forward, over few instructions that can have one
/// (decode/ptxas_model/predication.h).
bool becomes_predicate(const Program& program, std::uint32_t pc) {
  constexpr std::uint32_t kMostInstructions = 20;
  const std::uint32_t target = program.branches[program.code[pc].extra].target;
  if (target <= pc || target - pc > kMostInstructions) return false;
  for (std::uint32_t i = pc + 1; i < target; ++i) {
    const MicroOpcode kind = program.code[i].kind;
    const bool is_plain = kind == MicroOpcode::pure || kind == MicroOpcode::not_predicate ||
                          kind == MicroOpcode::load || kind == MicroOpcode::store || kind == MicroOpcode::branch ||
                          kind == MicroOpcode::reconverge;
    if (!is_plain) return false;
  }
  return true;
}

TimedOperation::Order order_of(const MemoryAccess& access) {
  using Order = TimedOperation::Order;
  if (access.space == ptx::Space::shared) return Order::shared;
  const bool may_change =
      (access.space == ptx::Space::global && !access.read_only) || access.space == ptx::Space::generic;
  return may_change ? Order::global : Order::free;
}

/// Whether ptxas puts a comparison and two multiplications around a special function, for arguments that are denormal.
bool scales_denormals(const InstructionOrigin& origin, InstructionClass its_class) {
  constexpr std::string_view kScaled[] = {"rsqrt", "sqrt", "rcp", "lg2", "ex2"};
  if (its_class != InstructionClass::special || has_token(origin, "ftz") || !has_token(origin, "f32")) return false;
  const std::string_view name = tokens_of(*origin.row, origin.match).front();
  return std::find(std::begin(kScaled), std::end(kScaled), name) != std::end(kScaled);
}

/// Divisions of 64 bits are a call of a long function.
constexpr unsigned kIssueOfWideDivision = 70;

TimedOperation timed(const Program& program, std::uint32_t pc, const Latencies& latencies, const Gpu& gpu) {
  const MicroOp& op = program.code[pc];
  TimedOperation result;
  const InstructionOrigin& origin = program.origins[op.counter];
  if (op.counter == 0 || origin.row == nullptr) {
    result.issue = 0;
    return result;
  }
  const InstructionClass its_class = class_of(origin);
  Cost cost = cost_of(its_class, latencies, gpu);
  if (its_class == InstructionClass::division && (has_token(origin, "u64") || has_token(origin, "s64")))
    cost = {latencies.wide_division, kIssueOfWideDivision};
  if (scales_denormals(origin, its_class)) {
    cost.latency += latencies.predicate + 2 * latencies.arithmetic;
    cost.issue += 3;
  }
  result.latency = static_cast<float>(cost.latency);
  result.issue = static_cast<std::uint8_t>(cost.issue);
  result.ends_stretch = ends_stretch(op.kind);
  switch (op.kind) {
    case MicroOpcode::load:
      result.kind = program.accesses[op.extra].space == ptx::Space::param ? Kind::plain : Kind::load;
      result.order = order_of(program.accesses[op.extra]);
      result.ends_stretch = program.accesses[op.extra].ordering != Ordering::weak;
      break;
    case MicroOpcode::store:
      result.kind = Kind::store;
      result.order = order_of(program.accesses[op.extra]);
      result.ends_stretch = program.accesses[op.extra].ordering != Ordering::weak;
      break;
    case MicroOpcode::atomic:
      result.kind = program.atomics[op.extra].returns ? Kind::update : Kind::store;
      result.order = order_of(program.atomics[op.extra].address);
      break;
    case MicroOpcode::async_copy:
      result.kind = Kind::async_copy;
      break;
    case MicroOpcode::async_commit:
      result.kind = Kind::async_commit;
      break;
    case MicroOpcode::async_wait:
      result.kind = Kind::async_wait;
      result.groups = op.extra;
      break;
    case MicroOpcode::branch:
      if (!becomes_predicate(program, pc)) break;
      result.kind = Kind::branch;
      result.end = program.branches[op.extra].target;
      result.ends_stretch = false;
      break;
    case MicroOpcode::texture_fetch:
      result.latency = static_cast<float>(latencies.l1);
      break;
    case MicroOpcode::matrix: {
      using Mode = MatrixOperation::Mode;
      const Mode mode = program.matrices[op.extra].mode;
      if (mode == Mode::load || mode == Mode::load_rows) result.kind = Kind::load;
      if (mode == Mode::store || mode == Mode::store_rows) result.kind = Kind::store;
      break;
    }
    default:
      break;
  }
  if (result.kind == Kind::load) result.latency = static_cast<float>(latencies.shared);
  return result;
}

}  // namespace

Operations::Operations(const Program& program, const Latencies& latencies, const Gpu& gpu) {
  by_pc.reserve(program.code.size());
  Collector collector(program, registers);
  for (std::uint32_t pc = 0; pc < program.code.size(); ++pc) {
    by_pc.push_back(timed(program, pc, latencies, gpu));
    collector.collect(program.code[pc], by_pc.back());
  }
  const std::vector<bool> unrolled = find_unrolled_loops(program, *this);
  for (std::uint32_t pc = 0; pc < by_pc.size(); ++pc) by_pc[pc].ends_unrolled = unrolled[pc];
}

}  // namespace cudasim
