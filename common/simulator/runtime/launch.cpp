// SPDX-License-Identifier: MIT
// Kernel launches: the <<<>>> of nvcc, cudaLaunchKernel and its relatives. A launch is checked as the driver checks it
// and put into its stream. Its errors at run time are kept for the next call that synchronises.
#include "runtime/launch.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/demangle.h"
#include "checkers/init/initialised.h"
#include "isa/instruction.h"
#include "machine/run.h"
#include "memory/host_touches.h"
#include "messages/causes.h"
#include "program/program.h"
#include "report/console.h"
#include "report/finding_text.h"
#include "report/host_lines.h"
#include "runtime/base/launch_record.h"
#include "runtime/capture.h"
#include "runtime/copied_values.h"
#include "runtime/limits.h"
#include "runtime/refusals.h"
#include "runtime/runtime.h"

using namespace cudasim;

namespace {

/// One <<<grid, block, shared, stream>>> that waits for its kernel's host stub.
struct CallConfiguration {
  dim3 grid, block;
  std::size_t shared_bytes = 0;
  void* stream = nullptr;
};
/// The launches of a thread. There are several only when the arguments of a launch launch something themselves. It is a
/// plain array, because a kernel may be launched when the thread's other objects no longer exist.
thread_local CallConfiguration configurations[64];
thread_local std::size_t configuration_count = 0;
thread_local bool was_configured = false;  // by <<<>>>: the launch follows

Dim3 to_dim3(dim3 d) { return {d.x, d.y, d.z}; }

/// Copies the arguments to the memory where the kernel reads them.
Refused copy_arguments(const KernelInfo& info, void** arguments, std::vector<std::byte>& parameters) {
  if (arguments == nullptr && !info.parameters.empty()) {
    return {cudaErrorInvalidValue, "the kernel has parameters, but no arguments were given", "give it its arguments"};
  }
  parameters.resize(info.parameter_bytes);
  for (std::size_t i = 0; i < info.parameters.size(); ++i) {
    if (arguments[i] == nullptr) {
      return {cudaErrorInvalidValue, "an argument is a null pointer", "give the address of each argument"};
    }
    std::memcpy(parameters.data() + info.parameters[i].offset_bytes, arguments[i], info.parameters[i].size_bytes);
  }
  return {};
}

/// The settings that give this run again.
std::string replay_of(const Schedule& schedule) {
  std::string settings;
  if (schedule.gpu != &default_gpu()) settings = "CUDASIM_GPU=" + std::string(schedule.gpu->word) + " ";
  if (schedule.multiprocessors != schedule.gpu->multiprocessors)
    settings += "CUDASIM_MULTIPROCESSORS=" + std::to_string(schedule.multiprocessors) + " ";
  if (schedule.order != Schedule::Order::plain) {
    settings += "CUDASIM_SCHEDULE=" + std::string(name_of(schedule.order)) +
                " CUDASIM_SEED=" + std::to_string(schedule.seed) + " ";
    if (schedule.blocks != 0) settings += "CUDASIM_BLOCKS=" + std::to_string(schedule.blocks) + " ";
  }
  return settings.substr(0, settings.find_last_not_of(' ') + 1);
}

/// A line for a person who waits for a long run.
void print_still_running(const Finding& now) {
  print_line(demangle(now.kernel) + " still runs: " + now.message + ", and block (" + std::to_string(now.block[0]) +
             ", " + std::to_string(now.block[1]) + ", " + std::to_string(now.block[2]) + ") is at " + place_of(now) +
             ". " + now.advice);
  // For whoever ends the program before the kernel ends. Nothing else touches the report: its thread runs the kernel.
  Runtime::instance().report.set_running(now);
  Runtime::instance().write_report();
}

/// From time to time, so that a run that is stopped from outside leaves a report.
bool report_is_due() {
  static std::chrono::steady_clock::time_point last = std::chrono::steady_clock::now();
  const auto now = std::chrono::steady_clock::now();
  if (now - last < std::chrono::seconds(2)) return false;
  last = now;
  return true;
}

void report(Runtime& runtime, const Program& program, const Launch& launch, Outcome& outcome) {
  print_from_kernel(outcome.printed);
  if (outcome.printed_bytes != 0) {
    print_line(demangle(program.info.name) + " printed " + std::to_string(outcome.printed_bytes) +
               " bytes of text, but CUDA keeps only the last " + std::to_string(launch.printf_bytes) +
               " of a kernel: older text is lost. cudaDeviceSetLimit(cudaLimitPrintfFifoSize, bytes) keeps more");
  }
  const std::string replay = replay_of(runtime.settings().schedule);
  bool is_news = false;
  for (Finding& finding : outcome.findings) {
    finding.replay = replay;
    for (const int line : early_reads(finding)) runtime.reported.insert(key_of_early_read(finding.kernel, line));
    // A kernel mostly repeats its errors in every launch, and so do all kernels of one template: each is reported once.
    const std::string kernel = demangle(finding.kernel);
    std::string key = kernel.substr(0, kernel.find_first_of("<(")) + name_of(finding.kind) + place_of(finding) +
                      finding.scope + finding.use;
    if (finding.other) key += finding.other->where.file + std::to_string(finding.other->where.line);
    if (finding.severity != Severity::error && !runtime.reported.insert(key).second) continue;
    runtime.print(finding);
    is_news = true;
  }
  if (runtime.settings().report_file.empty()) return;
  runtime.report.add(record_of(program, launch, outcome), outcome.findings, by_line(program, outcome.by_instruction));
  if (is_news || report_is_due())
    runtime.write_report();  // the program may abort over it, and then nothing runs at its end
}

/// The work of other streams that the kernel may conflict with.
void look_at_streams(Runtime& runtime, const StreamWork& work, Launch& launch) {
  const bool compares = runtime.checks()->race != nullptr;
  launch.stream = work.stream.text();
  if (launch.late_kernel.empty()) launch.late_kernel = runtime.work.late_kernel(work);
  for (const StreamWork* other : runtime.work.unordered_with(work)) {
    for (const TouchedPlaces& places : other->touches) {
      const char* does = other->frees ? ", frees" : places.is_write ? ", writes" : ", reads";
      if (compares)
        launch.unordered.push_back({places, other->what + ", in " + other->stream.text() + does, other->callers});
      // Memory that will still be written is a matter of order, and not a value that nothing writes.
      if (!other->is_done && places.is_write) CopiedValues::count_as_written(runtime, places);
    }
  }
}

/// A number that is equal for two launches that do the same.
std::uint64_t identity(const Program& program, const Launch& launch) {
  std::string text = program.info.name;
  for (const Dim3& sizes : {launch.grid, launch.block}) {
    for (const std::uint32_t size : {sizes.x, sizes.y, sizes.z}) text += " " + std::to_string(size);
  }
  text.append(reinterpret_cast<const char*>(launch.parameters.data()), launch.parameters.size());
  return std::hash<std::string>()(text);
}

/// For a kernel that runs while another one has begun: each value is looked at, and races are not.
Checks checks_within(const Checks* checks) {
  Checks inner;
  if (checks != nullptr && checks->init) inner.init = std::make_unique<InitChecker>();
  return inner;
}

/// False when the kernel failed.
bool run_kernel(Runtime& runtime, const char* call, const Program& program, Launch& launch, const StreamWork& work) {
  if (runtime.checks() != nullptr) look_at_streams(runtime, work, launch);
  launch.host_touches = work.host_touches;
  Schedule schedule = runtime.settings().schedule;
  schedule.still_running = print_still_running;
  schedule.show_text = print_from_kernel;
  if (schedule.order == Schedule::Order::random) launch.times_before = runtime.launched[identity(program, launch)]++;
  if (schedule.order == Schedule::Order::adversarial)
    launch.times_before = runtime.launched[std::hash<std::string>()(program.info.name)]++;
  const bool is_within = runtime.runs_kernel.exchange(true);
  Checks inner = checks_within(runtime.checks());
  Outcome outcome;
  try {
    outcome = run(program, launch, runtime.memory(), schedule, is_within ? &inner : runtime.checks());
  } catch (...) {
    runtime.runs_kernel = is_within;
    throw;
  }
  runtime.runs_kernel = is_within;
  runtime.report.set_running({});
  if (launch.host_touches != nullptr) launch.host_touches->finish();
  if (outcome.cuda_error != 0) runtime.pending_error = static_cast<cudaError_t>(outcome.cuda_error);
  for (Finding& finding : outcome.findings) name_host_memory(runtime, finding);
  report(runtime, program, launch, outcome);
  if (outcome.failure) {
    // Memory holds an incomplete result of the kernel. As after a fault of the kernel, no further work can use it.
    try {
      std::rethrow_exception(outcome.failure);
    } catch (...) {
      runtime.sticky_error = error_of_exception(call);
    }
  }
  return !runtime.is_broken();
}

/// A launch that may begin before `primary` has ended: it comes to its wait first, and a launch without one to its end.
bool run_before(Runtime& runtime, const char* call, const Program& program, Launch& launch, const StreamWork& work,
                StreamWork& primary) {
  bool has_run = false, has_failed = false;
  launch.primary = [&] {
    if (!std::exchange(has_run, true)) has_failed = !primary.run(primary);
  };
  launch.late_kernel = "kernel " + demangle(primary.what) + ", the launch before it, had not ended";
  const bool ran = run_kernel(runtime, call, program, launch, work);
  if (ran) launch.primary();
  launch.primary = nullptr;
  return ran && !has_failed;
}

cudaError_t no_such_kernel(Runtime& runtime, cudaError_t error) {
  return refuse_launch(runtime, "", "there is no such kernel in the device code of the program",
                       "launch a __global__ function; where the device code could not be loaded, its reason is above",
                       error, false);
}

Launch make_launch(Runtime& runtime, const KernelCall& kernel) {
  Launch launch;
  launch.grid = to_dim3(kernel.grid);
  launch.block = to_dim3(kernel.block);
  launch.dynamic_shared_bytes = kernel.shared_bytes;
  launch.cooperative = kernel.cooperative;
  launch.textures = &runtime.textures;
  launch.printf_bytes = limit_of(runtime, cudaLimitPrintfFifoSize);
  launch.heap_bytes = limit_of(runtime, cudaLimitMallocHeapSize);
  launch.stack_bytes = limit_of(runtime, cudaLimitStackSize);
  return launch;
}

cudaError_t enter_launch(const char* call, const void* function, dim3 grid, dim3 block, void** arguments,
                         std::size_t shared_bytes, cudaStream_t stream, bool cooperative, bool begins_early = false) {
  const bool is_of_brackets = std::exchange(was_configured, false);
  return enter(call, Access::enqueued, [&](Runtime& runtime) {
    const KernelRecord* record = is_of_brackets ? runtime.find_kernel(function) : nullptr;
    if (record != nullptr) look_at_launch(runtime, record->name);
    const KernelCall kernel{function, grid, block, shared_bytes, cooperative, begins_early};
    return launch_kernel(runtime, call, kernel, arguments, {stream});
  });
}

/// The attributes of a launch. One that would change the result and is not simulated is refused.
cudaError_t read_attributes(const cudaLaunchConfig_t& config, bool& cooperative, bool& begins_early) {
  if (config.attrs == nullptr && config.numAttrs != 0) return cudaErrorInvalidValue;
  for (unsigned i = 0; i < config.numAttrs; ++i) {
    const cudaLaunchAttribute& attribute = config.attrs[i];
    if (attribute.id == cudaLaunchAttributeCooperative) {
      cooperative = attribute.val.cooperative != 0;
    } else if (attribute.id == cudaLaunchAttributeProgrammaticStreamSerialization) {
      begins_early = attribute.val.programmaticStreamSerializationAllowed != 0;
    } else if (attribute.id == cudaLaunchAttributeClusterDimension) {
      const auto& size = attribute.val.clusterDim;
      if (size.x > 1 || size.y > 1 || size.z > 1)
        return complain("cudaLaunchKernelExC", feature_of_call("Cluster"), cudaErrorNotSupported);
    }
    // The others only affect the speed of the device: priority, access policy, ...
  }
  return cudaSuccess;
}

}  // namespace

namespace cudasim {

cudaError_t take_arguments(const KernelInfo& info, void** arguments, std::vector<std::byte>& parameters) {
  return copy_arguments(info, arguments, parameters).error;
}

cudaError_t take_buffer(const KernelInfo& info, void** extra, std::vector<std::byte>& parameters) {
  // Names and values in turn, as in cuda.h: 0 ends the list, 1 is the buffer, 2 its size.
  constexpr std::uintptr_t kEnd = 0, kPointer = 1, kSize = 2;
  const std::byte* buffer = nullptr;
  std::size_t bytes = 0;
  for (; reinterpret_cast<std::uintptr_t>(*extra) != kEnd; extra += 2) {
    if (extra[1] == nullptr) return cudaErrorInvalidValue;
    const auto name = reinterpret_cast<std::uintptr_t>(*extra);
    if (name == kPointer) {
      buffer = static_cast<const std::byte*>(extra[1]);
    } else if (name == kSize) {
      bytes = *static_cast<const std::size_t*>(extra[1]);
    } else {
      return cudaErrorInvalidValue;
    }
  }
  if (buffer == nullptr) return cudaErrorInvalidValue;
  if (bytes > info.parameter_bytes) return cudaErrorLaunchOutOfResources;
  parameters.assign(info.parameter_bytes, std::byte{0});
  std::memcpy(parameters.data(), buffer, bytes);
  return cudaSuccess;
}

std::vector<void*> addresses_of(const KernelInfo& info, std::vector<std::byte>& parameters) {
  std::vector<void*> addresses;
  for (const KernelInfo::Parameter& parameter : info.parameters)
    addresses.push_back(parameters.data() + parameter.offset_bytes);
  return addresses;
}

cudaError_t launch_kernel(Runtime& runtime, const char* call, const KernelCall& called, void** arguments,
                          const LaunchPlace& place) {
  cudaError_t error = cudaSuccess;
  const KernelInfo* info = runtime.kernel_info(called.function, error);
  if (info == nullptr) return no_such_kernel(runtime, error);
  Launch launch = make_launch(runtime, called);
  Refused refused = check_launch(runtime, called, *info);
  if (refused.error == cudaSuccess && place.branch == nullptr && !runtime.is_stream(place.stream)) {
    refused = {cudaErrorInvalidResourceHandle, "there is no such stream", "create the stream, and destroy it later"};
  }
  if (refused.error == cudaSuccess) refused = copy_arguments(*info, arguments, launch.parameters);
  if (refused.error != cudaSuccess) {
    if (place.branch == nullptr) invalidate_capture(runtime, place.stream);
    return refuse_launch(runtime, info->name, refused.why, refused.advice, refused.error, true);
  }
  if (place.branch == nullptr) {
    bool is_node = false;
    error = capture_step(runtime, place.stream, KernelStep{called, launch.parameters}, is_node);
    if (is_node || error != cudaSuccess) return error;
  }

  KernelRecord& kernel = *runtime.find_kernel(called.function);
  const Program* program = nullptr;
  try {
    program = &kernel.module->module->program(kernel.name);
  } catch (const Refusal& refusal) {
    const bool is_limit = refusal.advice.empty();
    return refuse_launch(
        runtime, info->name,
        (is_limit ? "the kernel cannot be simulated: " : "the kernel cannot be loaded: ") + refusal.message,
        is_limit ? "this is a limit of the simulator, and no mistake: nothing of this kernel was checked"
                 : refusal.advice,
        cudaErrorNotSupported, false);
  }
  const StreamName name = place.branch != nullptr ? *place.branch : runtime.stream_name(place.stream);
  if (runtime.settings().timing) launch.timing = begin_timing(runtime, kernel, launch, name);
  StreamWork work;
  work.what = info->name;
  work.is_kernel = true;
  if (runtime.watches_host()) work.host_touches = HostTouches::of_launch(runtime.memory(), launch.parameters);
  if (work.host_touches != nullptr) work.callers = callers();
  std::shared_ptr<StreamWork> primary;
  if (std::optional<StreamWork> before = called.begins_early ? runtime.work.take_last_kernel(name) : std::nullopt)
    primary = std::make_shared<StreamWork>(std::move(*before));
  work.run = [&runtime, call, program, launch = std::move(launch), primary](const StreamWork& done) mutable {
    return primary == nullptr ? run_kernel(runtime, call, *program, launch, done)
                              : run_before(runtime, call, *program, launch, done, *primary);
  };
  runtime.work.put(name, std::move(work), prints(*program));
  return runtime.sticky_error;
}

}  // namespace cudasim

CUDASIM_EXPORT unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared_bytes, void* stream) {
  if (configuration_count == std::size(configurations)) return remember(cudaErrorLaunchOutOfResources);
  configurations[configuration_count++] = {grid, block, shared_bytes, stream};
  return cudaSuccess;
}

CUDASIM_EXPORT cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, std::size_t* shared_bytes,
                                                      void* stream) {
  if (configuration_count == 0) return remember(cudaErrorMissingConfiguration);
  const CallConfiguration& top = configurations[--configuration_count];
  was_configured = true;
  *grid = top.grid;
  *block = top.block;
  *shared_bytes = top.shared_bytes;
  *static_cast<void**>(stream) = top.stream;
  return cudaSuccess;
}

/// A kernel's handle is the address of its host stub, so that every way to launch it is one look-up in one table.
CUDASIM_EXPORT cudaError_t __cudaGetKernel(void** handle, const void* function) {
  *handle = const_cast<void*>(function);
  return cudaSuccess;
}

CUDASIM_EXPORT cudaError_t __cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                                              std::size_t shared_bytes, cudaStream_t stream) {
  return enter_launch("<<<...>>>", kernel, grid, block, arguments, shared_bytes, stream, false);
}
CUDASIM_ALIAS(__cudaLaunchKernel_ptsz, __cudaLaunchKernel);

extern "C" cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                                        std::size_t shared_bytes, cudaStream_t stream) {
  return enter_launch("cudaLaunchKernel", function, grid, block, arguments, shared_bytes, stream, false);
}
CUDASIM_ALIAS(cudaLaunchKernel_ptsz, cudaLaunchKernel);

extern "C" cudaError_t cudaLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                                                   std::size_t shared_bytes, cudaStream_t stream) {
  return enter_launch("cudaLaunchCooperativeKernel", function, grid, block, arguments, shared_bytes, stream, true);
}
CUDASIM_ALIAS(cudaLaunchCooperativeKernel_ptsz, cudaLaunchCooperativeKernel);

extern "C" cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* function, void** arguments) {
  bool cooperative = false, begins_early = false;
  const cudaError_t error =
      config == nullptr ? cudaErrorInvalidValue : read_attributes(*config, cooperative, begins_early);
  if (error != cudaSuccess) return remember(error);
  return enter_launch("cudaLaunchKernelExC", function, config->gridDim, config->blockDim, arguments,
                      config->dynamicSmemBytes, config->stream, cooperative, begins_early);
}
CUDASIM_ALIAS(cudaLaunchKernelExC_ptsz, cudaLaunchKernelExC);
