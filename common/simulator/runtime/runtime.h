// SPDX-License-Identifier: MIT
// The state of the simulated CUDA runtime: one object a process. The entry points of the other files work on it.
// Modules are registered when the program starts, and loaded at their first use. Device memory, streams and events make
// up the context. It begins with the first call that needs it and ends with cudaDeviceReset.
#pragma once

#include <atomic>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "checkers/history/access_trace.h"
#include "checkers/registry/checks.h"
#include "decode/module.h"
#include "memory/memory.h"
#include "program/launch.h"
#include "report/run_report.h"
#include "runtime/base/settings.h"
#include "runtime/base/stream_queue.h"
#include "runtime/cuda_api.h"
#include "timing/launch_timing.h"
#include "timing/ptxas.h"

namespace cudasim {
struct Capture;
class Captures;
class Graphs;
}  // namespace cudasim

// The objects behind the opaque handles of the CUDA headers.
struct CUstream_st {
  unsigned flags = 0;
  int priority = 0;
  unsigned long long id = 0;
};
struct CUevent_st {
  unsigned flags = 0;
  cudasim::StreamClock recorded;  // What the last record comes after; empty: none yet.
  cudasim::StreamName stream;     // That of the last record, and which operation it was of this stream and of all.
  std::uint64_t number = 0, put = 0;
  cudasim::CallStack recorded_by{};
  std::shared_ptr<double> time_ms =
      std::make_shared<double>(0.0);          // The time of the host's steady clock at its completion.
  std::shared_ptr<cudasim::Capture> capture;  // The capture in which it was last recorded, and the nodes before it.
  std::vector<cudaGraphNode_t> captured;
};
struct CUmemPoolHandle_st {
  std::map<int, std::uint64_t> attributes;
  std::uint64_t most_bytes = 0;  // 0: as many as the device has
  std::uint64_t used_bytes = 0, most_used_bytes = 0;
};

namespace cudasim {

/// Device code of the program: embedded by nvcc, or given to cudaLibraryLoadData.
struct ModuleRecord {
  bool is_library = false;
  const void* wrapper = nullptr;     ///< What nvcc registers; nullptr for PTX text.
  std::vector<std::string> ptx;      ///< Texts to be linked, one for most programs; until it is loaded, or for ptxas.
  std::uint32_t most_registers = 0;  ///< Of each kernel, by an option of the JIT compiler; 0: as many as it needs.
  std::unique_ptr<Module> module;    ///< nullptr until first used, or when it cannot be loaded.
  cudaError_t error = cudaSuccess;   ///< Why it cannot be loaded; printed once, returned by every use.
  std::string message;
  bool error_was_printed = false;
  std::set<std::string> kernel_names;  ///< For a library: the kernels of its handles in Runtime::kernels.
};

struct KernelRecord {
  ModuleRecord* module = nullptr;
  std::string name;             ///< mangled
  int max_dynamic_shared = -1;  ///< Set by cudaFuncSetAttribute; -1: what fits into 48 KiB beside the static part.
  int shared_carveout = -1;
};

struct VariableRecord {
  ModuleRecord* module = nullptr;
  std::string name;
  std::size_t size_bytes = 0;
  void** managed_pointer = nullptr;  ///< the host's pointer to a __managed__ variable
};

/// A refused launch or copy; it stands for all those of one line and for one reason (refusals.h).
struct RefusedCall {
  Finding finding;
  bool by_cuda = false;
  std::set<std::thread::id> not_asked;  ///< threads that have not queried an error since
};

/// The check `host`: the part of the program between cudaProfilerStart() and cudaProfilerStop(). There the host should
/// only put work into streams. A host that waits there, or reads device memory, may compute what the kernels should. It
/// is a finding. A launch with <<<>>> whose error nobody asks for until the end of the range is a remark.
struct HostRange {
  bool is_open = false;
  CallStack unasked_launch{};  ///< the last launch since the program queried an error; zeros: none
  std::string kernel;          ///< of that launch, mangled
};

class Runtime {
 public:
  /// It is never destroyed: programs call the runtime from their own static destructors.
  static Runtime& instance();

  const char* call = "";  ///< the name of the last one that began
  std::mutex mutex;       ///< held by every entry point, except while a host function of the program runs

  /// The process that owns this state.
  enum class Process : std::uint8_t {
    own,
    unused,  ///< A child of fork() that has not called CUDA, and neither has its parent.
    lost,    ///< A child whose parent had used the device: its state is the parent's.
  };
  Process process = Process::own;
  bool is_in_use() const { return has_context_ || !streams.empty(); }
  bool has_ended = false;  ///< the end of the program has been reported

  /// Device memory, made at the first call. The settings were valid (see enter()).
  Memory& memory();
  bool has_memory() const { return memory_ != nullptr; }
  const Settings& settings() const { return settings_; }
  std::string device_name() const;
  Checks* checks() { return checks_.get(); }  ///< nullptr: none requested

  /// The module, loaded if need be; nullptr when it cannot be. Then `record.error` has the reason, which was printed.
  Module* load(ModuleRecord& record);
  /// nullptr when `function` is no kernel handle.
  KernelRecord* find_kernel(const void* function);
  /// Loads the variable of a host symbol. `error` receives cudaErrorInvalidSymbol, or why its module cannot be loaded.
  const Allocation* find_variable(const void* symbol, cudaError_t& error);
  /// Information on a kernel for attributes and launches; nullptr and `error` set when there is none.
  const KernelInfo* kernel_info(const void* function, cudaError_t& error);
  /// Removes a module's kernels and variables from the tables.
  void unregister(ModuleRecord& record);

  /// Ends the context. It has no memory, streams, events or errors afterwards, and modules will be loaded again.
  void reset();
  /// Whether a kernel failed: then nothing runs any more.
  bool is_broken() const { return pending_error != cudaSuccess || sticky_error != cudaSuccess; }

  bool is_stream(cudaStream_t stream) const;
  /// For a stream that exists.
  StreamName stream_name(cudaStream_t stream) const;
  /// The host waits. Returns the error that it then sees, as a call that synchronises does.
  cudaError_t wait_for(cudaStream_t stream);
  cudaError_t wait_for(const StreamClock& clock);
  cudaError_t wait_for_all();
  /// Whether accesses are compared with the work of other streams.
  bool watches_streams() const { return checks_ != nullptr; }
  /// Whether accesses of the host are compared with work that it has not waited for.
  bool watches_host() const {
    return checks_ != nullptr && checks_->race != nullptr && memory_ != nullptr && memory_->host_may_write();
  }

  std::list<ModuleRecord> modules;
  std::unordered_map<std::uint64_t, std::uint64_t> launched;  ///< how often each has run (Launch::times_before)
  std::unordered_map<const void*, KernelRecord> kernels;      ///< by host stub, or by handle for libraries
  std::unordered_map<const void*, VariableRecord> variables;
  std::unordered_set<cudaStream_t> streams;
  std::unordered_set<cudaEvent_t> events;
  std::unordered_set<cudaArray_const_t> arrays;
  TextureTable textures;
  std::map<cudaTextureObject_t, std::pair<cudaResourceDesc, cudaTextureDesc>> texture_descriptions;
  cudaTextureObject_t next_texture = 1;
  StreamQueue work;
  std::unique_ptr<Graphs> graphs;  ///< never null, nor is this: runtime/graph.h, runtime/capture.h
  std::unique_ptr<Captures> captures;
  CUmemPoolHandle_st default_pool;
  cudaMemPool_t current_pool = nullptr;                                          ///< Null: the default one.
  std::unordered_map<cudaMemPool_t, std::unique_ptr<CUmemPoolHandle_st>> pools;  ///< Those of the program.
  std::unordered_map<std::uint64_t, cudaMemPool_t> pool_of;                      ///< By address, what is allocated.
  std::unordered_map<const void*, unsigned> host_flags;  ///< Those of pinned and registered memory.
  std::map<int, std::size_t> limits;                     ///< Those set by cudaDeviceSetLimit.
  unsigned device_flags = 0;
  unsigned long long next_stream_id = 1;

  /// A kernel failed, and no synchronising call has reported it yet.
  cudaError_t pending_error = cudaSuccess;
  /// Reported, and from then on the result of every call that needs the context.
  cudaError_t sticky_error = cudaSuccess;

  unsigned queued = 0;      ///< calls that came while pending_error was unseen, and did nothing
  bool has_failed = false;  ///< some call or launch returned an error
  std::map<std::string, RefusedCall> refused_calls;
  HostRange host_range;
  std::atomic<bool> runs_kernel{false};
  int exit_status = -1;  ///< what the program gave to exit(), once it has

  std::unique_ptr<Ptxas> ptxas;  ///< null: it was not asked yet
  CallsOfHost calls_of_host;     ///< since the last launch; counted where CUDASIM_TIMING is set
  const std::shared_ptr<WarmCache> warm_l2 = std::make_shared<WarmCache>();  ///< what launches have left, likewise

  RunReport report;
  void print(const Finding& finding) const;  ///< To standard error, unless the report alone has findings.
  void add_finding(const Finding& finding);  ///< One that belongs to no launch: prints it, and writes the report.
  void write_report();                       ///< To CUDASIM_REPORT, where that is set.
  void write_results() const;                ///< To CUDASIM_RESULTS, where that is set.
  void write_trace() const;                  ///< To CUDASIM_TRACE, where that is set.
  bool was_reset = false;                    ///< cudaDeviceReset() was called.
  std::set<std::string> reported;            ///< Keys of messages that are printed only once.

 private:
  Runtime();
  ~Runtime();
  void load_wrapper(ModuleRecord& record);  ///< sets `ptx`, or `error` and `message`

  Settings settings_;
  std::shared_ptr<AccessTrace> trace_;  ///< null: not requested
  std::unique_ptr<Checks> checks_;
  std::unique_ptr<Memory> memory_;
  bool has_context_ = false;  ///< memory_ is used
};

// host_watch.cpp: the host touches memory that work still uses.

/// While it exists, the simulator itself works, and nothing is guarded. Runtime::mutex is held.
class HostWatchPause {
 public:
  explicit HostWatchPause(Runtime& runtime);
  ~HostWatchPause();
  HostWatchPause(const HostWatchPause&) = delete;
  HostWatchPause& operator=(const HostWatchPause&) = delete;

 private:
  Runtime& runtime_;
};

/// While it exists, a host function of a stream runs. The stream orders it, and nothing is guarded.
class HostFunctionRuns {
 public:
  HostFunctionRuns();
  ~HostFunctionRuns();
  HostFunctionRuns(const HostFunctionRuns&) = delete;
  HostFunctionRuns& operator=(const HostFunctionRuns&) = delete;
  static bool in_this_thread();
};

void open_host_range(Runtime& runtime);
/// Reports the launch that nobody asked about.
void close_host_range(Runtime& runtime);
/// In a range: `call` waits for the device, and reads `bytes_read` bytes of it.
void look_at_wait(Runtime& runtime, const char* call, std::uint64_t bytes_read = 0);
/// In a range: a kernel was launched with <<<>>>. `kernel`: the mangled name.
void look_at_launch(Runtime& runtime, const std::string& kernel);

/// A finding at an address that is near no allocation: says whose it is, where it is the host's.
void name_host_memory(const Runtime& runtime, Finding& finding);

// calls_of_host.cpp: what the runtime knows for an estimate of the time (CUDASIM_TIMING).

/// `call`: the name of an entry point.
void count_call_of_host(CallsOfHost& calls, const char* call);
/// For a launch that goes into this stream now. From here on the calls of the host are counted anew.
std::shared_ptr<LaunchTiming> begin_timing(Runtime& runtime, const KernelRecord& kernel, const Launch& launch,
                                           const StreamName& stream);

/// How a call relates to kernels that are still running on a real device.
enum class Access {
  none,         ///< Nothing: it works when the context is broken.
  context,      ///< It needs a context, and waits for nothing.
  enqueued,     ///< It is put into a stream: after a fault that is not reported yet it succeeds and does nothing.
  synchronous,  ///< It waits for the device, and is the first to see a fault.
};

/// CUDA's name for a pointer that is no kernel: CUDA 13 (measured) an invalid handle, CUDA 12 an invalid function.
constexpr cudaError_t kNotAKernel =
    CUDART_VERSION >= 13000 ? cudaErrorInvalidResourceHandle : cudaErrorInvalidDeviceFunction;

/// Stores `error` for cudaGetLastError and returns it.
cudaError_t remember(cudaError_t error);
cudaError_t last_error(bool clear);

// For the driver API (driver/driver.h).
const char* driver_call_under_way();  ///< Its name, or nullptr.
void runtime_needs_context();         ///< A call of the runtime makes the primary context, where none is current.
void device_was_reset();

/// Prints "cudasim: CALL: WHY" and returns `error`: for a mistake of the program that the code alone hardly explains.
cudaError_t complain(const char* call, const std::string& why, cudaError_t error);

/// What to return before the call does anything; cudaSuccess: continue. `skip` is set when it is to succeed and do
/// nothing.
cudaError_t check_access(Runtime& runtime, Access access, bool& skip);
/// For a call in a process that is Runtime::Process::lost.
cudaError_t refuse_in_child(const char* call, Access access);
/// For a call by a host function of a stream.
cudaError_t refuse_in_host_function(Runtime& runtime);
/// The error for the exception that is being handled.
cudaError_t error_of_exception(const char* call);

/// Every entry point goes through this. It takes the lock, gives the error of a broken context, stops C++ exceptions,
/// and stores the error.
template <typename Body>
cudaError_t enter(const char* call, Access access, Body body) {
  try {
    Runtime& runtime = Runtime::instance();
    if (runtime.process != Runtime::Process::own) {
      if (runtime.process == Runtime::Process::lost) return refuse_in_child(call, access);
      if (access != Access::none) runtime.process = Runtime::Process::own;
    }
    const std::lock_guard<std::mutex> lock(runtime.mutex);
    const HostWatchPause pause(runtime);
    if (runtime.has_ended) return cudaErrorCudartUnloading;
    runtime.call = call;
    if (access != Access::none && HostFunctionRuns::in_this_thread()) return remember(refuse_in_host_function(runtime));
    if (access != Access::none) runtime_needs_context();
    if (access != Access::none && runtime.settings().timing) count_call_of_host(runtime.calls_of_host, call);
    bool skip = false;
    const cudaError_t broken = check_access(runtime, access, skip);
    if (broken != cudaSuccess || skip) return remember(broken);
    const cudaError_t error = remember(body(runtime));
    if (error != cudaSuccess && error != cudaErrorNotReady) runtime.has_failed = true;
    return error;
  } catch (...) {
    return remember(error_of_exception(call));
  }
}

}  // namespace cudasim
