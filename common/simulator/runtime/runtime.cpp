// SPDX-License-Identifier: MIT
// The loading of modules, the context and its end, and the errors that persist.
#include "runtime/runtime.h"

#include <link.h>
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

#include "checkers/history/record_history.h"
#include "ptx/link.h"
#include "ptx/parser.h"
#include "report/console.h"
#include "report/finding_text.h"
#include "report/trace_report.h"
#include "runtime/arrays.h"
#include "runtime/base/crash.h"
#include "runtime/base/fat_binary.h"
#include "runtime/capture.h"
#include "runtime/leaks.h"
#include "runtime/refusals.h"

namespace cudasim {
namespace {

thread_local cudaError_t last_error_of_thread = cudaSuccess;

/// nvcc's own struct (fatbinary_section.h). Version 1 has one container in `data`. Version 2 (relocatable device code)
/// has a list of containers in `fat_binaries`, which a null pointer ends.
struct FatBinaryWrapper {
  std::uint32_t magic;
  std::uint32_t version;
  const void* data;
  const void* fat_binaries;
};

/// How many bytes are mapped from `address` on, in the program or a loaded library; elsewhere `otherwise`.
std::uint64_t loaded_bytes(const void* address, std::uint64_t otherwise) {
  struct Search {
    std::uint64_t address, bytes;
  } search{reinterpret_cast<std::uint64_t>(address), otherwise};
  dl_iterate_phdr(
      [](dl_phdr_info* object, std::size_t, void* data) {
        Search& found = *static_cast<Search*>(data);
        for (unsigned i = 0; i < object->dlpi_phnum; ++i) {
          const auto& part = object->dlpi_phdr[i];
          const std::uint64_t offset = found.address - object->dlpi_addr - part.p_vaddr;
          if (part.p_type != PT_LOAD || offset >= part.p_memsz) continue;
          found.bytes = part.p_memsz - offset;
          return 1;
        }
        return 0;
      },
      &search);
  return search.bytes;
}

/// A container that is mapped with the program. Its own header gives its size, and may be damaged.
std::string_view mapped_container(const void* data) {
  const auto* bytes = static_cast<const char*>(data);
  const std::uint64_t size = container_bytes({bytes, 16});
  return {bytes, std::min(size, loaded_bytes(data, size))};
}

/// Null where nothing watches. `trace`: null where nothing is recorded.
std::unique_ptr<Checks> make_checks(const Settings& settings, const std::shared_ptr<AccessTrace>& trace) {
  auto checks = std::make_unique<Checks>();
  checks->add(settings.checks);
  if (settings.history_bytes != 0) {
    checks->history = std::make_unique<History>(settings.history_address, settings.history_bytes);
    checks->observers.push_back(std::make_shared<HistoryObserver>(*checks->history));
  }
  if (trace != nullptr) checks->observers.push_back(trace);
  return checks->is_empty() ? nullptr : std::move(checks);
}

/// The most calls in a stream before the host has to wait, and then gets the errors. So a loop that launches, and
/// queries nothing but cudaGetLastError(), ends after a fault.
constexpr unsigned kLongestQueue = 1024;

void finish_work() {
  enter("the end of the program", Access::none, [](Runtime& entered) { return entered.wait_for_all(); });
}

/// Runs after everything else of the program, its static destructors included, so that no launch is missed. Running
/// threads may call the runtime meanwhile: they wait for the lock, and then get cudaErrorCudartUnloading.
__attribute__((destructor)) void end_of_program() {
  if (Runtime::instance().process != Runtime::Process::own) return;  // the parent process reports it
  finish_work();  // kernels that no call waited for: their errors are reported
  enter("the end of the program", Access::none, [](Runtime& runtime) {
    if (runtime.settings().checks.leak) report_leaks(runtime);
    take_back_handled_calls(runtime);
    runtime.write_report();
    runtime.write_results();
    runtime.write_trace();
    runtime.has_ended = true;
    return cudaSuccess;
  });
}

/// In the child of a fork(). It takes no lock: a thread that no longer exists may hold it.
void after_fork() {
  Runtime& runtime = Runtime::instance();
  if (runtime.process == Runtime::Process::own)
    runtime.process = runtime.is_in_use() ? Runtime::Process::lost : Runtime::Process::unused;
}

/// %p is the process, as in NVIDIA's tools: each process of a script gets a file of its own.
std::string with_process(std::string file) {
  const std::size_t process = file.find("%p");
  if (process != std::string::npos) file.replace(process, 2, std::to_string(getpid()));
  return file;
}

/// PTX for a newer GPU.
struct TooNew {
  std::string message;
};

/// `target`: "sm_90a". PTX runs on its own architecture and newer ones (PTX ISA, ".target").
void refuse_newer(const std::string& target, const Gpu& gpu) {
  if (target.rfind("sm_", 0) != 0 || std::strtoul(target.c_str() + 3, nullptr, 10) <= gpu.capability) return;
  throw TooNew{"its PTX is for " + target + ", newer than the " + gpu.product + " (sm_" +
               std::to_string(gpu.capability) + "): build it with nvcc -arch=compute_" +
               std::to_string(gpu.capability)};
}

}  // namespace

Runtime& Runtime::instance() {
  static Runtime* runtime = new Runtime;
  return *runtime;
}

Runtime::Runtime()
    : work(Schedule::Order::plain),
      graphs(std::make_unique<Graphs>()),
      captures(std::make_unique<Captures>()),
      settings_(read_settings([](const char* name) -> const char* { return std::getenv(name); })) {
  work = StreamQueue(settings_.schedule.order);
  report.set_run(device_name(), settings_.checks.names(), name_of(settings_.schedule.order), settings_.schedule.seed,
                 settings_.schedule.workers);
  if (!settings_.results_file.empty()) report.keep_results();
  if (!settings_.trace_file.empty()) trace_ = std::make_shared<AccessTrace>(settings_.trace_block);
  checks_ = make_checks(settings_, trace_);
  watch_for_crashes();
  pthread_atfork(nullptr, nullptr, after_fork);
  on_exit([](int status, void* runtime) { static_cast<Runtime*>(runtime)->exit_status = status & 0xFF; }, this);
}

Runtime::~Runtime() = default;

std::string Runtime::device_name() const {
  const Gpu& gpu = *settings_.schedule.gpu;
  return &gpu == &default_gpu() ? "Simulated GPU (cudasim)" : "Simulated " + std::string(gpu.product) + " (cudasim)";
}

void Runtime::print(const Finding& finding) const {
  if (settings_.prints_findings) print_text(text_of(finding));
}

void Runtime::add_finding(const Finding& finding) {
  print(finding);
  report.add(finding);
  write_report();  // the program may abort over it, and then nothing runs at its end
}

void Runtime::write_report() {
  if (settings_.report_file.empty()) return;
  if (settings_.checks.coverage && memory_ != nullptr) report.set_coverage(memory_->coverage());
  report.streams().operations = work.operations();
  report.streams().unordered_operations = work.unordered_operations();
  report.streams().most_operations_in_a_stream = work.most_operations_in_a_stream();
  try {
    const History* history = checks_ != nullptr ? checks_->history.get() : nullptr;
    const std::string error = write_file_atomically(with_process(settings_.report_file), report.json(history));
    if (!error.empty()) print_line("CUDASIM_REPORT: " + error);
  } catch (const std::exception& exception) {
    print_line(std::string("CUDASIM_REPORT: ") + exception.what());
  }
}

void Runtime::write_results() const {
  const std::string results = report.results();
  if (settings_.results_file.empty() || results.empty()) return;
  const std::string error = write_file_atomically(with_process(settings_.results_file), results);
  if (!error.empty()) print_line("CUDASIM_RESULTS: " + error);
}

void Runtime::write_trace() const {
  if (trace_ == nullptr) return;
  const std::string error = write_file_atomically(with_process(settings_.trace_file), json_of(*trace_));
  if (!error.empty()) print_line("CUDASIM_TRACE: " + error);
}

Memory& Runtime::memory() {
  if (memory_ == nullptr) {
    memory_ = std::make_unique<Memory>(settings_.memory_bytes, settings_.poison);
    if (settings_.checks.init) memory_->watch_writes();
    if (settings_.checks.coverage) memory_->watch_coverage();
  }
  has_context_ = true;
  return *memory_;
}

void Runtime::load_wrapper(ModuleRecord& record) {
  const auto* wrapper = static_cast<const FatBinaryWrapper*>(record.wrapper);
  if (wrapper->magic != kFatBinaryWrapperMagic) throw FatBinaryError("malformed fat binary: wrong wrapper");
  std::vector<const void*> containers;
  if (wrapper->version == 1) {
    containers.push_back(wrapper->data);
  } else if (wrapper->version == 2) {
    for (auto list = static_cast<const void* const*>(wrapper->fat_binaries); list != nullptr && *list != nullptr;
         ++list) {
      containers.push_back(*list);
    }
  } else {
    throw FatBinaryError("malformed fat binary: wrapper version " + std::to_string(wrapper->version));
  }
  std::string reason;
  for (const void* container : containers) {
    ChosenPtx chosen = choose_ptx(mapped_container(container), settings_.schedule.gpu->capability);
    if (!chosen.text.empty()) {
      record.ptx.push_back(std::move(chosen.text));
    } else if (reason.empty()) {
      reason = chosen.reason;
    }
  }
  if (!record.ptx.empty()) return;
  record.error = cudaErrorNoKernelImageForDevice;
  record.message = reason.empty() ? "it holds no device code" : reason;
}

Module* Runtime::load(ModuleRecord& record) {
  if (record.module == nullptr && record.error == cudaSuccess) {
    try {
      if (record.wrapper != nullptr && record.ptx.empty()) load_wrapper(record);
      if (record.error == cudaSuccess) {
        std::vector<ptx::Module> texts;
        for (const std::string& text : record.ptx) texts.push_back(ptx::parse(text));
        ptx::Module linked = ptx::link(std::move(texts));
        refuse_newer(linked.target, *settings_.schedule.gpu);
        record.module = std::make_unique<Module>(std::move(linked), memory());
        record.module->limit_registers(record.most_registers);
      }
    } catch (const ptx::SyntaxError& error) {
      record.error = cudaErrorInvalidPtx;
      record.message = error.what();
    } catch (const TooNew& error) {
      record.error = cudaErrorInvalidPtx;
      record.message = error.message;
    } catch (const ptx::LinkError& error) {
      record.error = cudaErrorInvalidPtx;
      record.message = error.what();
    } catch (const Refusal& refusal) {
      record.error = cudaErrorNotSupported;
      record.message = refusal.message;
    } catch (const FatBinaryError& error) {
      record.error = cudaErrorInvalidKernelImage;
      record.message = error.what();
    }
    if (settings_.ptxas.empty()) std::vector<std::string>().swap(record.ptx);
    if (record.module != nullptr) {
      for (auto& [symbol, variable] : variables) {
        if (variable.module != &record || variable.managed_pointer == nullptr) continue;
        const Allocation* allocation = record.module->variable(variable.name);
        if (allocation != nullptr) *variable.managed_pointer = allocation->host;
      }
    }
  }
  if (record.module == nullptr && !record.error_was_printed) {
    record.error_was_printed = true;
    const char* const driver_call = driver_call_under_way();
    const std::string library = driver_call != nullptr ? driver_call : "cudaLibraryLoadData";
    print_line((record.is_library ? library : "the device code of this program") + ": " + record.message);
  }
  return record.module.get();
}

KernelRecord* Runtime::find_kernel(const void* function) {
  const auto found = kernels.find(function);
  return found == kernels.end() ? nullptr : &found->second;
}

const KernelInfo* Runtime::kernel_info(const void* function, cudaError_t& error) {
  KernelRecord* kernel = find_kernel(function);
  error = kNotAKernel;
  if (kernel == nullptr) return nullptr;
  Module* module = load(*kernel->module);
  if (module == nullptr) {
    error = kernel->module->error;
    return nullptr;
  }
  if (!module->has_kernel(kernel->name)) return nullptr;
  error = cudaSuccess;
  return &module->info(kernel->name);
}

const Allocation* Runtime::find_variable(const void* symbol, cudaError_t& error) {
  const auto found = variables.find(symbol);
  error = cudaErrorInvalidSymbol;
  if (found == variables.end()) return nullptr;
  Module* module = load(*found->second.module);
  if (module == nullptr) {
    error = found->second.module->error;
    return nullptr;
  }
  const Allocation* allocation = module->variable(found->second.name);
  if (allocation != nullptr) error = cudaSuccess;
  return allocation;
}

void Runtime::unregister(ModuleRecord& record) {
  work.wait_for_all();  // there may be kernels of the module
  for (auto it = kernels.begin(); it != kernels.end();) it = it->second.module == &record ? kernels.erase(it) : ++it;
  for (auto it = variables.begin(); it != variables.end();) {
    it = it->second.module == &record ? variables.erase(it) : ++it;
  }
  modules.remove_if([&](const ModuleRecord& other) { return &other == &record; });
}

void Runtime::reset() {
  work.wait_for_all();
  for (auto it = modules.begin(); it != modules.end();) {
    ModuleRecord& record = *it++;
    record.module.reset();
    if (record.is_library) {
      unregister(record);  // a library ends with its context
    } else {
      record.error = cudaSuccess;
    }
  }
  for (auto& [function, kernel] : kernels) kernel.max_dynamic_shared = kernel.shared_carveout = -1;
  captures->clear();
  graphs->clear();
  for (cudaStream_t stream : streams) delete stream;
  for (cudaEvent_t event : events) delete event;
  streams.clear();
  events.clear();
  for (cudaArray_const_t array : arrays) delete array;
  arrays.clear();
  textures.clear();
  texture_descriptions.clear();
  host_flags.clear();
  limits.clear();
  default_pool = {};
  current_pool = nullptr;
  pools.clear();
  pool_of.clear();
  if (memory_ != nullptr) memory_->release_all();  // it stays, so that no address comes again
  has_context_ = false;
  checks_ = make_checks(settings_, trace_);
  pending_error = sticky_error = cudaSuccess;
  queued = 0;
}

bool Runtime::is_stream(cudaStream_t stream) const {
  return stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread || streams.count(stream) != 0;
}

/// The special handles of the headers all mean the default stream, also where each host thread has one of its own. Then
/// more is ordered here than on a GPU, never less.
StreamName Runtime::stream_name(cudaStream_t stream) const {
  if (streams.count(stream) == 0) return {};
  return {stream->id, (stream->flags & cudaStreamNonBlocking) == 0};
}

cudaError_t Runtime::wait_for(const StreamClock& clock) {
  work.wait(clock);
  bool skip = false;
  return check_access(*this, Access::synchronous, skip);
}

cudaError_t Runtime::wait_for(cudaStream_t stream) { return wait_for(work.clock_of(stream_name(stream))); }

cudaError_t Runtime::wait_for_all() {
  work.wait_for_all();
  return wait_for(StreamClock{});
}

cudaError_t remember(cudaError_t error) {
  if (error != cudaSuccess && error != cudaErrorNotReady) last_error_of_thread = error;
  return error;
}

cudaError_t last_error(bool clear) {
  const cudaError_t error = last_error_of_thread;
  if (clear) last_error_of_thread = cudaSuccess;
  return error;
}

cudaError_t complain(const char* call, const std::string& why, cudaError_t error) {
  const char* const driver_call = driver_call_under_way();
  print_line(std::string(driver_call != nullptr ? driver_call : call) + ": " + why);
  return error;
}

cudaError_t check_access(Runtime& runtime, Access access, bool& skip) {
  if (access == Access::none) return cudaSuccess;
  const Settings& settings = runtime.settings();
  if (!settings.error.empty()) {
    if (runtime.reported.insert("settings").second) print_line(settings.error);
    return cudaErrorInitializationError;
  }
  if (runtime.pending_error == cudaSuccess) return runtime.sticky_error;
  skip = access == Access::enqueued && ++runtime.queued <= kLongestQueue;
  if (access == Access::synchronous || runtime.queued > kLongestQueue) {
    runtime.sticky_error = runtime.pending_error;
    runtime.pending_error = cudaSuccess;
  }
  return runtime.sticky_error;
}

cudaError_t refuse_in_child(const char* call, Access access) {
  static std::atomic<bool> is_told{false};
  if (access != Access::none && !is_told.exchange(true))
    complain(
        call,
        "this process is a child of fork(), and its parent had used CUDA before: call fork() before the first call "
        "of CUDA, or start another program in the child (exec)",
        cudaErrorInitializationError);
  return remember(cudaErrorInitializationError);
}

cudaError_t refuse_in_host_function(Runtime& runtime) {
  return refuse_call(runtime, runtime.call,
                     "a host function of a stream must not call CUDA, as the stream waits for it",
                     "call CUDA where the function was put into the stream: a copy behind it in the same stream comes "
                     "after it anyway",
                     cudaErrorNotPermitted);
}

cudaError_t error_of_exception(const char* call) {
  try {
    throw;
  } catch (const std::bad_alloc&) {
    return complain(call, "the host has not enough memory for this", cudaErrorMemoryAllocation);
  } catch (const Refusal& refusal) {
    return complain(call, refusal.message, cudaErrorNotSupported);
  } catch (const std::exception& error) {
    return complain(call, std::string("an error in the simulator: ") + error.what(), cudaErrorUnknown);
  } catch (...) {
    return complain(call, "an error in the simulator", cudaErrorUnknown);
  }
}

}  // namespace cudasim
