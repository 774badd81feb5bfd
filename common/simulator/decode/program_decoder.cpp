// SPDX-License-Identifier: MIT
#include "decode/program_decoder.h"

#include <algorithm>
#include <iterator>
#include <mutex>
#include <stdexcept>

#include "decode/call_graph.h"
#include "decode/decoder.h"
#include "decode/dynamic_arrays.h"
#include "decode/shared_layout.h"
#include "decode/stack_size.h"
#include "decode/volatile_updates.h"

namespace cudasim {
namespace {

bool is_simple(const MemoryAccess& access) {
  const auto& data = access.data[0];
  const bool in_global = access.space == ptx::Space::global && access.base_kind == MemoryAccess::Base::reg64;
  const bool in_shared =
      access.space == ptx::Space::shared && access.base_kind == MemoryAccess::Base::reg32 && access.bytes == 4;
  return (in_global || in_shared) && access.count == 1 && access.bytes >= 4 && !data.sink &&
         data.wide == (access.bytes == 8) && access.joined.part == MemoryAccess::Joined::Part::none;
}

/// Marks the operations that the machine skips where they stand, and the accesses whose addresses are known then.
void mark_known(Program& program) {
  std::vector<std::uint32_t> known;
  std::merge(program.launch_invariant.begin(), program.launch_invariant.end(), program.affine.begin(),
             program.affine.end(), std::back_inserter(known));
  for (std::size_t i = known.size(); i-- > 0;) {
    MicroOp* const op = &program.code[known[i]];
    op->launch_invariant = static_cast<std::uint16_t>(std::min(op[1].launch_invariant + 1, 0xffff));
  }
  const auto& kernel = program.functions[0];
  const auto end = program.functions.size() > 1 ? program.functions[1].entry : program.code.size();
  for (auto pc = kernel.entry; pc < end; ++pc) {
    MicroOp& op = program.code[pc];
    if (op.kind != MicroOpcode::load && op.kind != MicroOpcode::store) continue;
    auto& access = program.accesses[op.extra];
    if (!access.is_simple || access.space != ptx::Space::global || access.ordering != Ordering::weak) continue;
    access.is_affine = std::any_of(program.affine_results.begin(), program.affine_results.end(),
                                   [&](const auto& affine) { return affine.slot == access.base; });
    if (access.is_affine && op.guard_mode == MicroOp::Guard::always) op.e = kAtAffineAddress;
  }
}

const Analysis& analysis_of(const ptx::Module& text, std::uint32_t function, Analyses& analyses) {
  try {
    return analyses.of(function);
  } catch (const std::runtime_error& error) {
    throw Refusal{"in '" + text.functions[function].name + "': " + error.what()};
  }
}

}  // namespace

Program decode(const ptx::Module& text, std::uint32_t kernel, const KernelInfo& info,
               const VariableAddresses& variables, Analyses& analyses, bool has_own_slots) {
  const auto& clusters = text.functions[kernel].cluster_blocks;
  if (clusters[0] * clusters[1] * clusters[2] > 1)
    throw Refusal{"it asks for clusters of " + std::to_string(clusters[0] * clusters[1] * clusters[2]) +
                  " blocks (__cluster_dims__), and thread block clusters are not simulated; let blocks share through "
                  "global memory, or make one block of a cluster's threads"};
  Program program;
  program.info = info;
  program.text = &text;
  program.text_kernel = kernel;
  program.variables = &variables;
  program.has_own_slots = has_own_slots;
  program.origins.emplace_back();
  const auto reachable = reachable_functions(text, kernel);
  program.shared = lay_out_shared(text, reachable, program.static_shared_bytes);
  program.functions.resize(reachable.size());
  program.function_of_text.assign(text.functions.size(), kNoPc);
  for (std::uint32_t f = 0; f < reachable.size(); ++f) program.function_of_text[reachable[f]] = f;
  std::vector<FunctionDecoder> decoders;
  decoders.reserve(reachable.size());
  for (auto f : reachable) decoders.emplace_back(text, f, program, variables);
  for (auto& decoder : decoders) decoder.lay_out();
  std::vector<std::uint32_t> begin;
  for (std::size_t f = 0; f < reachable.size(); ++f) {
    begin.push_back(static_cast<std::uint32_t>(program.code.size()));
    decoders[f].decode(analysis_of(text, reachable[f], analyses));
  }
  decoders.front().finish();
  program.dynamic_array_of = dynamic_arrays_of(program, reachable);
  program.volatile_updates = volatile_updates_of(program, reachable);
  size_stack(program, begin);
  for (auto& access : program.accesses) access.is_simple = is_simple(access);
  mark_known(program);
  return program;
}

const Program& Program::with_own_slots() const {
  static std::mutex mutex;  // workers call it
  const std::lock_guard<std::mutex> lock(mutex);
  try {
    if (with_own_slots_ == nullptr) {
      Analyses analyses(*text);
      with_own_slots_ = std::make_unique<const Program>(decode(*text, text_kernel, info, *variables, analyses, true));
    }
  } catch (const Refusal&) {
    return *this;  // too many of them: messages may be less exact
  }
  return *with_own_slots_;
}

}  // namespace cudasim
