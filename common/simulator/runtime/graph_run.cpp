// SPDX-License-Identifier: MIT
// A launch of a graph: each node becomes the call that it was made from, in a branch of the graph.
#include <algorithm>

#include "report/host_lines.h"
#include "runtime/graph.h"
#include "runtime/stream_event.h"

namespace cudasim {
namespace {

/// The work that a step puts into a branch.
class PutStep {
 public:
  PutStep(Runtime& runtime, const StreamName& branch) : runtime_(runtime), branch_(branch) {}

  cudaError_t operator()(KernelStep& step) {
    cudaError_t error = cudaSuccess;
    const KernelInfo* info = runtime_.kernel_info(step.kernel.function, error);
    std::vector<void*> addresses;
    // A kernel of another module may now have the same address, with other parameters.
    if (info != nullptr && info->parameter_bytes != step.parameters.size()) return cudaErrorInvalidValue;
    if (info != nullptr) addresses = addresses_of(*info, step.parameters);
    return launch_kernel(runtime_, "cudaGraphLaunch", step.kernel, addresses.data(), {nullptr, &branch_});
  }
  cudaError_t operator()(const CopyStep& step) {
    return copy(runtime_, "cudaGraphLaunch", step.copied, {nullptr, false, &branch_});
  }
  cudaError_t operator()(const FillStep& step) {
    return fill(runtime_, "cudaGraphLaunch", step.filled, {nullptr, false, &branch_});
  }
  cudaError_t operator()(const RecordStep& step) {
    if (runtime_.events.count(step.event) == 0)
      return complain("cudaGraphLaunch", "the event of a node was destroyed", cudaErrorInvalidValue);
    record_event(runtime_, step.event, branch_);
    return cudaSuccess;
  }
  cudaError_t operator()(const WaitStep& step) {
    if (runtime_.events.count(step.event) == 0)
      return complain("cudaGraphLaunch", "the event of a node was destroyed", cudaErrorInvalidValue);
    runtime_.work.order_after(branch_, step.event->recorded);
    return cudaSuccess;
  }
  cudaError_t operator()(const AllocStep& step) {
    allocate_graph_memory(runtime_, step.memory);
    return put("a node that allocates memory", *step.memory);
  }
  cudaError_t operator()(const FreeStep& step) {
    if (!step.memory->is_allocated())
      return complain("cudaGraphLaunch",
                      "a node frees memory that no node before it has allocated: let it depend on the node that does",
                      cudaErrorInvalidValue);
    step.memory->allocated.reset();
    return put("a node that frees memory", *step.memory);
  }
  /// Those that put no work into a branch.
  template <class Other>
  cudaError_t operator()(const Other& /*step*/) {
    return cudaSuccess;
  }

 private:
  /// What was in the memory is gone.
  cudaError_t put(const char* what, const GraphMemory& memory) {
    StreamWork work;
    work.what = what;
    work.callers = callers();
    work.touches = {{true, memory.address, memory.shown.bytesize}};
    work.run = [&runtime = runtime_, address = memory.address](const StreamWork&) {
      make_undefined(runtime, address);
      return true;
    };
    runtime_.work.put(branch_, std::move(work));
    return cudaSuccess;
  }

  Runtime& runtime_;
  const StreamName& branch_;
};

}  // namespace

GraphRun begin_run(Runtime& runtime, CUgraphExec_st& exec, cudaStream_t stream) {
  GraphRun run{exec.nodes, exec.order, exec.first_branch, runtime.work.clock_of(runtime.stream_name(stream)), {}, 0};
  run.begin.join(exec.last);
  run.done.resize(run.nodes.size());
  return run;
}

cudaError_t go_on(Runtime& runtime, GraphRun& run, HostStep& function) {
  for (function = {}; run.next < run.order.size(); ++run.next) {
    const std::size_t index = run.order[run.next];
    FlatNode& node = run.nodes[index];
    const StreamName branch{run.first_branch + node.branch, false};
    StreamClock before = run.begin;
    for (const std::size_t other : node.dependencies) before.join(run.done[other]);
    if (const auto* host = std::get_if<HostStep>(&node.step); host != nullptr && host->function != nullptr) {
      runtime.work.run(before);
      run.done[index] = before;
      if (runtime.is_broken()) continue;
      function = *host;
      ++run.next;
      return cudaSuccess;
    }
    runtime.work.order_after(branch, before);
    if (node.is_enabled) {
      const cudaError_t error = std::visit(PutStep(runtime, branch), node.step);
      if (error != cudaSuccess) return error;
    }
    run.done[index] = runtime.work.clock_of(branch);
  }
  return cudaSuccess;
}

StreamClock end_of(const GraphRun& run) {
  StreamClock end = run.begin;
  for (const StreamClock& clock : run.done) end.join(clock);
  return end;
}

}  // namespace cudasim
