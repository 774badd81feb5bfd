// SPDX-License-Identifier: MIT
// PTX text: parsed, linked (a line "// next module" begins another one), loaded, and each kernel decoded and run as two
// blocks of 40 threads. Whatever the text is, it comes to an outcome, a syntax error, a link error or a refusal.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "checkers/init/initialised.h"
#include "checkers/race/shadow/race_checker.h"
#include "checkers/registry/checks.h"
#include "decode/module.h"
#include "machine/run.h"
#include "memory/memory.h"
#include "program/launch.h"
#include "program/program.h"
#include "ptx/link.h"
#include "ptx/parser.h"
#include "report/finding_text.h"

namespace {

using namespace cudasim;

constexpr std::uint64_t memory_bytes = 64 << 20;
constexpr std::uint64_t buffer_bytes = 64 << 10;
constexpr std::uint64_t dynamic_shared_bytes = 1024;
constexpr std::uint64_t step_budget = 2000;
constexpr std::size_t most_kernels = 4;
constexpr std::string_view separator = "// next module\n";

ptx::Module parse_all(std::string_view text) {
  std::vector<ptx::Module> modules;
  for (;;) {
    const std::size_t end = text.find(separator);
    modules.push_back(ptx::parse(text.substr(0, end)));
    if (end == std::string_view::npos) return ptx::link(std::move(modules));
    text.remove_prefix(end + separator.size());
  }
}

/// `choice` draws the order and whether checks are on, so that the same text always runs in the same way.
void run_kernel(Module& module, const std::string& name, Memory& memory, std::size_t choice) {
  const Program& program = module.program(name);
  Launch launch;
  launch.grid.x = 2;
  launch.block.x = 40;
  launch.dynamic_shared_bytes = dynamic_shared_bytes;
  const KernelInfo& info = module.info(name);
  // Beyond these limits the runtime refuses a launch.
  if (info.max_threads < launch.block.x || info.static_shared_bytes + dynamic_shared_bytes > 48 << 10) return;
  const Allocation* buffer = memory.allocate(buffer_bytes, Origin::cuda_malloc);
  launch.parameters.resize(info.parameter_bytes);
  for (const KernelInfo::Parameter& parameter : info.parameters) {
    const std::uint64_t value = parameter.size_bytes == 8 ? buffer->address : 7;
    std::memcpy(launch.parameters.data() + parameter.offset_bytes, &value,
                std::min<std::size_t>(parameter.size_bytes, sizeof value));
  }
  Schedule schedule;
  schedule.workers = 1;
  schedule.seed = 1;
  schedule.step_budget = step_budget;
  schedule.order = static_cast<Schedule::Order>(choice % 3);
  Checks checks;
  checks.race = std::make_unique<RaceChecker>();
  checks.init = std::make_unique<InitChecker>();
  const Outcome outcome = run(program, launch, memory, schedule, choice % 2 == 0 ? &checks : nullptr);
  for (const Finding& finding : outcome.findings) text_of(finding);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    Memory memory(memory_bytes);
    if (size % 2 == 0) memory.watch_writes();
    Module module(parse_all(text), memory);
    std::size_t kernels = 0;
    for (const ptx::Function& function : module.text().functions) {
      if (!function.is_entry || !module.has_kernel(function.name) || kernels++ == most_kernels) continue;
      try {
        run_kernel(module, function.name, memory, size);
      } catch (const Refusal&) {
      }
    }
  } catch (const ptx::SyntaxError&) {
  } catch (const ptx::LinkError&) {
  } catch (const Refusal&) {
  }
  return 0;
}
