// SPDX-License-Identifier: MIT
#include "messages/causes.h"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <string>

#include "base/demangle.h"
#include "messages/data_flow.h"
#include "program/paths.h"

namespace cudasim {
namespace {

// ---- rules of libraries --------------------------------------------------------------------------------------------

/// The number of threads that a block-wide algorithm of CUB is compiled for, its first argument that is a number. Empty
/// name: the function is of no such algorithm.
struct BlockAlgorithm {
  std::string name;
  std::uint32_t threads = 0;
};

BlockAlgorithm block_algorithm(const std::string& mangled) {
  const std::string name = demangle(mangled);
  const std::size_t cub = name.find("cub::"), begin = name.find("::Block", cub);
  if (cub == std::string::npos || begin == std::string::npos) return {};
  const std::size_t open = name.find('<', begin);
  if (open == std::string::npos || name.find_first_of("(:", begin + 2) < open) return {};
  int depth = 0;
  for (std::size_t i = open; i < name.size(); ++i) {
    if (name[i] == '<') ++depth;
    if (name[i] == '>' && --depth == 0) break;
    const bool begins = depth == 1 && (name[i] == '<' || name[i] == ',');
    const std::size_t digits = name.find_first_not_of(' ', i + 1);
    if (!begins || digits == std::string::npos || name[digits] < '0' || name[digits] > '9') continue;
    return {"cub::" + name.substr(begin + 2, open - begin - 2),
            static_cast<std::uint32_t>(std::strtoul(name.c_str() + digits, nullptr, 10))};
  }
  return {};
}

void advise_on_block_algorithm(const Launch& launch, Finding& finding) {
  // The outermost is the one that the program names.
  for (auto frame = finding.inlined.rbegin(); frame != finding.inlined.rend(); ++frame) {
    const BlockAlgorithm algorithm = block_algorithm(frame->function);
    if (algorithm.name.empty() || algorithm.threads == launch.block.x) continue;
    finding.advice = algorithm.name + " is made for blocks of " + std::to_string(algorithm.threads) +
                     " threads here, and this block has " + std::to_string(launch.block.x) +
                     (launch.block.count() != launch.block.x ? " in x" : "") +
                     ": give the template and the launch the same number";
    return;
  }
}

/// grid.sync() stops the kernel where the launch is an ordinary one.
void advise_on_grid_barrier(const Program& program, const Launch& launch, Finding& finding) {
  if (finding.kind != FindingKind::trap || launch.cooperative) return;
  const bool is_known = std::any_of(finding.inlined.begin(), finding.inlined.end(), [](const SourceLine& frame) {
    return frame.function.find("cooperative_groups") != std::string::npos &&
           frame.function.find("grid_group") != std::string::npos;
  });
  const auto& constants = program.functions[0].constants;
  const bool reads_barrier = std::any_of(constants.begin(), constants.end(), [](const FrameConstant& constant) {
    return constant.source == FrameConstant::Source::envreg1 || constant.source == FrameConstant::Source::envreg2;
  });
  if (!is_known && (!finding.inlined.empty() || !reads_barrier)) return;
  finding.message = "grid.sync() in an ordinary launch, which stops the kernel";
  finding.advice =
      "launch the kernel with cudaLaunchCooperativeKernel() (or cudaLaunchKernelEx and "
      "cudaLaunchAttributeCooperative), with no more blocks than fit on the device at once; or put what comes behind "
      "the barrier in a kernel of its own";
}

// ---- one finding from another --------------------------------------------------------------------------------------

bool is_of_value(FindingKind kind) {
  return kind == FindingKind::race || kind == FindingKind::async_copy || kind == FindingKind::uninitialised ||
         kind == FindingKind::shuffle_source;
}

/// Lines of the PTX text where a finding's value is read.
std::set<int> reads_of(const Finding& finding) {
  if (finding.kind == FindingKind::race || finding.kind == FindingKind::async_copy) return early_reads(finding);
  return {finding.other ? finding.other->ptx_line : finding.ptx_line};
}

/// The lines of the PTX text from which the address of an access is computed, and the conditions of the branches around
/// it.
std::set<int> decides(const Program& program, int ptx_line) {
  std::set<int> lines;
  const auto op = std::find_if(program.code.begin(), program.code.end(), [&](const MicroOp& o) {
    return o.counter != 0 && program.origins[o.counter].ptx_line == ptx_line;
  });
  if (op == program.code.end()) return lines;
  const auto [function, instruction] = text_at(program, op->counter);
  if (function == nullptr) return lines;
  const DataFlow flow(*function);
  const auto add = [&, function = function](std::int32_t reg) {
    if (reg < 0) return;
    for (const std::uint32_t i : flow.slice_of(reg).instructions) lines.insert(function->instructions[i].ptx_line);
  };
  add(instruction->guard);
  for (const ptx::Operand& operand : instruction->operands) {
    if (operand.kind == ptx::Operand::Kind::address && !operand.elements.empty()) add(operand.elements[0].reg);
  }
  for (const std::uint32_t branch :
       branches_away_from(program, static_cast<std::uint32_t>(op - program.code.begin()))) {
    if (const TextPlace at = text_at(program, branch); at.function == function) add(at.instruction->guard);
  }
  return lines;
}

/// Sets Finding::follows of the finding at this index.
void find_cause(const Program& program, std::vector<Finding>& findings, std::size_t index) {
  Finding& finding = findings[index];
  std::set<int> lines;
  for (std::size_t i = 0; i < index && !finding.follows; ++i) {
    const Finding& earlier = findings[i];
    if (!is_of_value(earlier.kind)) continue;
    if (lines.empty()) {
      lines = decides(program, finding.ptx_line);
      if (finding.kind == FindingKind::race && finding.other) lines.merge(decides(program, finding.other->ptx_line));
    }
    for (const int read : reads_of(earlier)) {
      if (lines.count(read) != 0) finding.follows = Cause{earlier.kind, earlier.where, earlier.ptx_line};
    }
  }
}

}  // namespace

void name_causes(const Program& program, const Launch& launch, std::vector<Finding>& findings) {
  std::set<int> early;
  for (const Finding& finding : findings) early.merge(early_reads(finding));
  const auto is_on_its_way = [&](const Finding& finding) {
    return finding.kind == FindingKind::uninitialised && finding.other && early.count(finding.other->ptx_line) != 0;
  };
  findings.erase(std::remove_if(findings.begin(), findings.end(), is_on_its_way), findings.end());
  for (std::size_t i = 0; i < findings.size(); ++i) {
    advise_on_block_algorithm(launch, findings[i]);
    advise_on_grid_barrier(program, launch, findings[i]);
    find_cause(program, findings, i);
  }
}

std::set<int> early_reads(const Finding& finding) {
  std::set<int> lines;
  if (finding.kind != FindingKind::race && finding.kind != FindingKind::async_copy) return lines;
  if (!finding.is_store || finding.is_atomic) lines.insert(finding.ptx_line);
  if (finding.other && (!finding.other->is_store || finding.other->is_atomic)) lines.insert(finding.other->ptx_line);
  return lines;
}

}  // namespace cudasim
