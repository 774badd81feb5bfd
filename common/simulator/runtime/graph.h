// SPDX-License-Identifier: MIT
// Graphs of CUDA: nodes that each hold one call, and their dependencies. An instantiated graph is a copy of them, in
// which graphs within graphs are flattened. A launch puts the calls into branches, in an order that respects all
// dependencies. Branches are streams of the graph's own, one for each chain of nodes. So unordered nodes behave like
// unordered streams: in adversarial order the later one runs first, and the check `race` compares them. Source: CUDA
// C++ Programming Guide, "CUDA Graphs".
#pragma once

#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <variant>
#include <vector>

#include "runtime/base/user_objects.h"
#include "runtime/copy.h"
#include "runtime/graph_memory.h"
#include "runtime/launch.h"

namespace cudasim {

struct KernelStep {
  KernelCall kernel;
  std::vector<std::byte> parameters;  ///< the arguments at the time when the node was made
};
struct CopyStep {
  CopyCall copied;
  cudaMemcpy3DParms shown;  ///< as the program gets it back
};
struct FillStep {
  FillCall filled;
  cudaMemsetParams shown;
};
struct HostStep {
  cudaHostFn_t function = nullptr;
  void* data = nullptr;
};
struct GraphStep {
  cudaGraph_t graph;  ///< owned by the node
};
struct EmptyStep {};
struct WaitStep {
  cudaEvent_t event;
};
struct RecordStep {
  cudaEvent_t event;
};

/// Semaphores of other APIs, which are not simulated.
template <cudaGraphNodeType>
struct SemaphoreStep {};

/// What a node does, in the order of cudaGraphNodeType.
using Step = std::variant<KernelStep, CopyStep, FillStep, HostStep, GraphStep, EmptyStep, WaitStep, RecordStep,
                          SemaphoreStep<cudaGraphNodeTypeExtSemaphoreSignal>,
                          SemaphoreStep<cudaGraphNodeTypeExtSemaphoreWait>, AllocStep, FreeStep>;
static_assert(std::is_same_v<std::variant_alternative_t<cudaGraphNodeTypeMemFree, Step>, FreeStep>);

}  // namespace cudasim

// The objects behind the opaque handles of the CUDA headers.
struct CUgraphNode_st {
  cudaGraph_t graph = nullptr;
  cudasim::Step step;
  std::vector<cudaGraphNode_t> dependencies;  ///< Without repetition.
  cudaGraphNode_t original = nullptr;         ///< The source of a clone; it may be destroyed.
  std::vector<void*> arguments;               ///< Addresses in the parameters of a kernel, which the program may query.
};
struct CUgraph_st {
  std::vector<std::unique_ptr<CUgraphNode_st>> nodes;  ///< in the order in which they were made
  bool is_inner = false;                               ///< owned by a node
  cudasim::HeldObjects objects;
};

namespace cudasim {

/// A node of an instantiated graph.
struct FlatNode {
  Step step;
  std::vector<std::size_t> dependencies;
  cudaGraphNode_t source = nullptr;  ///< the program's handle of it; the graph may be destroyed
  std::size_t branch = 0;            ///< which of the graph's streams it is in
  bool is_enabled = true;
};

}  // namespace cudasim

struct CUgraphExec_st {
  std::vector<cudasim::FlatNode> nodes;
  std::vector<std::size_t> order;  ///< In which they are put into their branches.
  std::uint64_t first_branch = 0;  ///< Id of the first of its streams.
  cudasim::StreamClock last;       ///< The launch before, which the next comes after.
  unsigned long long flags = 0;
  cudasim::HeldObjects objects;  ///< also those of the graphs within
};

namespace cudasim {

/// All graphs of the program. The callers check that a handle is known before they use it.
class Graphs {
 public:
  ~Graphs() { clear(); }
  bool is_graph(cudaGraph_t graph) const { return graphs_.count(graph) != 0; }
  bool is_node(cudaGraphNode_t node) const { return nodes_.count(node) != 0; }
  CUgraphExec_st* find(cudaGraphExec_t exec) const;

  cudaGraph_t make();
  void destroy(cudaGraph_t graph);
  /// Throws std::bad_alloc where there are too many nodes: graphs in graphs double with each call.
  cudaGraphNode_t add(cudaGraph_t graph, Step step, std::vector<cudaGraphNode_t> dependencies);
  void set(cudaGraphNode_t node, Step step);
  void remove(cudaGraphNode_t node);
  /// With all graphs within.
  cudaGraph_t copy(cudaGraph_t graph);

  /// The nodes in the order in which they were made. Those of a graph within take the place of its node. False: it has
  /// a cycle.
  bool flatten(cudaGraph_t graph, std::vector<FlatNode>& nodes) const;
  cudaGraphExec_t instantiate(std::vector<FlatNode> nodes, const Schedule& schedule);
  void destroy(cudaGraphExec_t exec);
  /// Gives it references to the user objects of a graph and of those within.
  void hold_objects(CUgraphExec_st& exec, cudaGraph_t graph) const;

  void clear();

  std::unordered_map<std::uint64_t, std::weak_ptr<GraphMemory>> memory;  ///< of nodes, by address
  std::uint64_t untrimmed_bytes = 0;                                     ///< GraphMemoryUse
  GraphMemoryUse most_memory;                                            ///< at any time since it was set to zero

 private:
  void flatten_into(cudaGraph_t graph, const std::vector<std::size_t>& before, std::vector<FlatNode>& nodes,
                    std::vector<std::size_t>& last) const;

  std::unordered_map<cudaGraph_t, std::unique_ptr<CUgraph_st>> graphs_;
  std::unordered_set<cudaGraphNode_t> nodes_;
  std::unordered_map<cudaGraphExec_t, std::unique_ptr<CUgraphExec_st>> execs_;
  std::uint64_t next_branch_ = StreamName::kFirstBranchId;
};

/// Calls the destructors of user objects that are due. It is called without the runtime's lock.
void call_due_destructors();

/// Whether a node of the graph, or of one within, allocates or frees memory.
bool has_memory_nodes(const CUgraph_st& graph);
bool has_memory_nodes(const std::vector<FlatNode>& nodes);
/// Why an instantiated graph cannot be launched: memory of its last launch.
cudaError_t check_graph_memory(const CUgraphExec_st& exec);

/// A launch in progress. Functions of the host are called between two steps, without the runtime's lock.
struct GraphRun {
  std::vector<FlatNode> nodes;
  std::vector<std::size_t> order;
  std::uint64_t first_branch = 0;
  StreamClock begin;              ///< what all of it comes after
  std::vector<StreamClock> done;  ///< by node
  std::size_t next = 0;           ///< in `order`
};
GraphRun begin_run(Runtime& runtime, CUgraphExec_st& exec, cudaStream_t stream);
/// Puts nodes into their branches up to the next function of the host, which the caller calls. At the end `function` is
/// a null pointer.
cudaError_t go_on(Runtime& runtime, GraphRun& run, HostStep& function);
/// The clock at the end of the whole launch.
StreamClock end_of(const GraphRun& run);

/// The form in which a node is kept. If the runtime refuses the node, it prints the message and returns the error.
/// `params` may be a null pointer.
cudaError_t make_step(Runtime& runtime, const char* call, const cudaKernelNodeParams* params, Step& step);
cudaError_t make_step(Runtime& runtime, const char* call, const cudaMemsetParams* params, Step& step);
cudaError_t make_step(Runtime& runtime, const char* call, const cudaMemcpy3DParms* params, Step& step);
cudaError_t make_step(Runtime& runtime, const char* call, const cudaHostNodeParams* params, Step& step);
cudaError_t make_step(Runtime& runtime, const char* call, const CopyCall& copied, Step& step);
/// For captured work, with the part that the program sees.
CopyStep step_of(const CopyCall& copied);
FillStep step_of(const FillCall& filled);

}  // namespace cudasim
