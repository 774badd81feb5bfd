// SPDX-License-Identifier: MIT
#include "runtime/graph.h"

#include <algorithm>
#include <map>
#include <new>
#include <random>

#include "runtime/refusals.h"

namespace cudasim {
namespace {

/// In all graphs together.
constexpr std::size_t kMostNodes = std::size_t{1} << 18;

/// A topological order of the nodes: each comes after those that it depends on. The function `choose` takes one of
/// those that may come next. The order is shorter where there is a cycle.
template <class Choose>
std::vector<std::size_t> order_of(const std::vector<FlatNode>& nodes, Choose choose) {
  std::vector<std::size_t> waits(nodes.size()), ready, order;
  std::vector<std::vector<std::size_t>> dependents(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    waits[i] = nodes[i].dependencies.size();
    for (const std::size_t before : nodes[i].dependencies) dependents[before].push_back(i);
    if (waits[i] == 0) ready.push_back(i);
  }
  while (!ready.empty()) {
    const auto chosen = choose(ready);
    const std::size_t node = *chosen;
    ready.erase(chosen);
    order.push_back(node);
    for (const std::size_t after : dependents[node]) {
      if (--waits[after] == 0) ready.insert(std::lower_bound(ready.begin(), ready.end(), after), after);
    }
  }
  return order;
}

using Ready = std::vector<std::size_t>;

std::vector<std::size_t> order_of(const std::vector<FlatNode>& nodes, const Schedule& schedule) {
  std::mt19937_64 random(schedule.seed);
  switch (schedule.order) {
    case Schedule::Order::plain:
      break;
    case Schedule::Order::adversarial:
      return order_of(nodes, [](Ready& ready) { return std::prev(ready.end()); });
    case Schedule::Order::random:
      return order_of(nodes, [&random](Ready& ready) {
        return ready.begin() + static_cast<std::ptrdiff_t>(random() % ready.size());
      });
  }
  return order_of(nodes, [](Ready& ready) { return ready.begin(); });
}

/// Chains: a node continues the branch of its dependency where that is the last there, or begins a branch of its own.
std::size_t give_branches(std::vector<FlatNode>& nodes, const std::vector<std::size_t>& order) {
  std::vector<std::size_t> last;  // by branch, its last node
  for (const std::size_t node : order) {
    const std::vector<std::size_t>& before = nodes[node].dependencies;
    const auto on = std::find_if(before.begin(), before.end(),
                                 [&](std::size_t other) { return last[nodes[other].branch] == other; });
    nodes[node].branch = on == before.end() ? last.size() : nodes[*on].branch;
    if (on == before.end()) last.push_back(node);
    last[nodes[node].branch] = node;
  }
  return last.size();
}

}  // namespace

CUgraphExec_st* Graphs::find(cudaGraphExec_t exec) const {
  const auto found = execs_.find(exec);
  return found == execs_.end() ? nullptr : found->second.get();
}

cudaGraph_t Graphs::make() {
  auto graph = std::make_unique<CUgraph_st>();
  cudaGraph_t const handle = graph.get();
  graphs_.emplace(handle, std::move(graph));
  return handle;
}

void Graphs::destroy(cudaGraph_t graph) {
  std::vector<cudaGraph_t> left{graph};
  while (!left.empty()) {
    const auto found = graphs_.find(left.back());
    left.pop_back();
    for (const auto& node : found->second->nodes) {
      if (const auto* inner = std::get_if<GraphStep>(&node->step)) left.push_back(inner->graph);
      nodes_.erase(node.get());
    }
    graphs_.erase(found);
  }
}

cudaGraphNode_t Graphs::add(cudaGraph_t graph, Step step, std::vector<cudaGraphNode_t> dependencies) {
  if (nodes_.size() >= kMostNodes) throw std::bad_alloc();
  graph->nodes.push_back(std::make_unique<CUgraphNode_st>());
  cudaGraphNode_t const node = graph->nodes.back().get();
  nodes_.insert(node);
  node->graph = graph;
  node->dependencies = std::move(dependencies);
  set(node, std::move(step));
  return node;
}

void Graphs::set(cudaGraphNode_t node, Step step) {
  node->step = std::move(step);
  node->arguments.clear();
}

void Graphs::remove(cudaGraphNode_t node) {
  if (const auto* inner = std::get_if<GraphStep>(&node->step)) destroy(inner->graph);
  auto& nodes = node->graph->nodes;
  for (const auto& other : nodes) {
    auto& list = other->dependencies;
    list.erase(std::remove(list.begin(), list.end(), node), list.end());
  }
  nodes_.erase(node);
  nodes.erase(std::find_if(nodes.begin(), nodes.end(), [node](const auto& other) { return other.get() == node; }));
}

cudaGraph_t Graphs::copy(cudaGraph_t graph) {
  cudaGraph_t const result = make();
  result->objects.add(graph->objects);
  std::unordered_map<cudaGraphNode_t, cudaGraphNode_t> copies;
  for (const auto& node : graph->nodes) {
    Step step = node->step;
    if (auto* inner = std::get_if<GraphStep>(&step)) {
      inner->graph = copy(inner->graph);
      inner->graph->is_inner = true;
    }
    copies[node.get()] = add(result, std::move(step), {});
    copies[node.get()]->original = node.get();
  }
  for (const auto& node : graph->nodes) {
    for (cudaGraphNode_t before : node->dependencies) copies[node.get()]->dependencies.push_back(copies[before]);
  }
  return result;
}

/// `before`: the dependencies of its first nodes. `last`: its nodes on which no other depends.
void Graphs::flatten_into(cudaGraph_t graph, const std::vector<std::size_t>& before, std::vector<FlatNode>& nodes,
                          std::vector<std::size_t>& last) const {
  // A graph within lies between two empty nodes. The first waits for all that its node waits for. A node that waits for
  // its node waits for the second.
  std::unordered_map<cudaGraphNode_t, std::pair<std::size_t, std::size_t>> places;
  std::unordered_set<cudaGraphNode_t> has_dependents;
  for (const auto& node : graph->nodes) {
    const std::size_t place = nodes.size();
    const auto* inner = std::get_if<GraphStep>(&node->step);
    nodes.push_back({inner != nullptr ? Step(EmptyStep{}) : node->step, {}, node.get()});
    if (inner != nullptr) {
      std::vector<std::size_t> ends;
      flatten_into(inner->graph, {place}, nodes, ends);
      if (ends.empty()) ends = {place};
      nodes.push_back({EmptyStep{}, std::move(ends)});
    }
    places[node.get()] = {place, nodes.size() - 1};
    if (nodes.size() > kMostNodes) throw std::bad_alloc();
  }
  for (const auto& node : graph->nodes) {
    std::vector<std::size_t>& list = nodes[places[node.get()].first].dependencies;
    for (cudaGraphNode_t other : node->dependencies) {
      list.push_back(places[other].second);
      has_dependents.insert(other);
    }
    if (node->dependencies.empty()) list = before;
  }
  for (const auto& node : graph->nodes) {
    if (has_dependents.count(node.get()) == 0) last.push_back(places[node.get()].second);
  }
}

bool Graphs::flatten(cudaGraph_t graph, std::vector<FlatNode>& nodes) const {
  std::vector<std::size_t> last;
  flatten_into(graph, {}, nodes, last);
  const Schedule plain;
  return order_of(nodes, plain).size() == nodes.size();
}

cudaGraphExec_t Graphs::instantiate(std::vector<FlatNode> nodes, const Schedule& schedule) {
  auto exec = std::make_unique<CUgraphExec_st>();
  const Schedule plain;
  exec->first_branch = next_branch_;
  next_branch_ += give_branches(nodes, order_of(nodes, plain));
  exec->order = order_of(nodes, schedule);
  exec->nodes = std::move(nodes);
  for (const FlatNode& node : exec->nodes) {
    if (const auto* step = std::get_if<AllocStep>(&node.step)) step->memory->is_instantiated = true;
  }
  cudaGraphExec_t const handle = exec.get();
  execs_.emplace(handle, std::move(exec));
  return handle;
}

void Graphs::destroy(cudaGraphExec_t exec) {
  for (const FlatNode& node : exec->nodes) {
    if (const auto* step = std::get_if<AllocStep>(&node.step)) step->memory->is_instantiated = false;
  }
  execs_.erase(exec);
}

void Graphs::hold_objects(CUgraphExec_st& exec, cudaGraph_t graph) const {
  exec.objects.add(graph->objects);
  for (const auto& node : graph->nodes) {
    if (const auto* inner = std::get_if<GraphStep>(&node->step)) hold_objects(exec, inner->graph);
  }
}

void Graphs::clear() {
  execs_.clear();
  nodes_.clear();
  graphs_.clear();
  std::vector<std::shared_ptr<GraphMemory>> left;  // allocated by a launch, and not freed
  for (const auto& [address, weak] : memory) left.push_back(weak.lock());
  for (const auto& each : left) {
    if (each != nullptr) each->allocated.reset();
  }
  left.clear();
  memory.clear();
  untrimmed_bytes = 0;
  most_memory = {};
}

namespace {

bool is_memory_step(const Step& step) {
  return std::holds_alternative<AllocStep>(step) || std::holds_alternative<FreeStep>(step);
}

}  // namespace

bool has_memory_nodes(const CUgraph_st& graph) {
  return std::any_of(graph.nodes.begin(), graph.nodes.end(), [](const auto& node) {
    const auto* inner = std::get_if<GraphStep>(&node->step);
    return is_memory_step(node->step) || (inner != nullptr && has_memory_nodes(*inner->graph));
  });
}

bool has_memory_nodes(const std::vector<FlatNode>& nodes) {
  return std::any_of(nodes.begin(), nodes.end(), [](const FlatNode& node) { return is_memory_step(node.step); });
}

cudaError_t check_graph_memory(const CUgraphExec_st& exec) {
  if ((exec.flags & cudaGraphInstantiateFlagAutoFreeOnLaunch) != 0) return cudaSuccess;
  const bool is_left = std::any_of(exec.nodes.begin(), exec.nodes.end(), [](const FlatNode& node) {
    const auto* step = std::get_if<AllocStep>(&node.step);
    return step != nullptr && step->memory->is_allocated();
  });
  if (!is_left) return cudaSuccess;
  return complain("cudaGraphLaunch",
                  "memory that the graph has allocated in its last launch was not freed: free it by a node or by "
                  "cudaFreeAsync, or instantiate the graph with cudaGraphInstantiateFlagAutoFreeOnLaunch",
                  cudaErrorInvalidValue);
}

}  // namespace cudasim
