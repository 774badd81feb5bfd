// SPDX-License-Identifier: MIT
#include "runtime/user_objects.h"

#include <limits>
#include <memory>
#include <vector>

#include "runtime/graph.h"
#include "runtime/runtime.h"

namespace cudasim {
namespace {

struct UserObjects {
  std::map<cudaUserObject_t, std::unique_ptr<CUuserObject_st>> live;
  std::vector<HostStep> due;
};

/// It is never destroyed: graphs end at the end of the process, too.
UserObjects& user_objects() {
  static auto* const all = new UserObjects;
  return *all;
}

}  // namespace

cudaUserObject_t make_user_object(cudaHostFn_t destroy, void* data, std::size_t references) {
  auto object = std::make_unique<CUuserObject_st>(CUuserObject_st{destroy, data, references});
  cudaUserObject_t const handle = object.get();
  user_objects().live.emplace(handle, std::move(object));
  return handle;
}

bool is_user_object(cudaUserObject_t object) { return user_objects().live.count(object) != 0; }

void drop_references(cudaUserObject_t object, std::size_t count) {
  object->references -= std::min(count, object->references);
  if (object->references != 0) return;
  user_objects().due.push_back({object->destroy, object->data});
  user_objects().live.erase(object);
}

void call_due_destructors() {
  std::vector<HostStep> due;
  {
    const std::lock_guard<std::mutex> lock(Runtime::instance().mutex);
    due.swap(user_objects().due);
  }
  if (due.empty()) return;
  const HostFunctionRuns runs;
  for (const HostStep& each : due) each.function(each.data);
}

HeldObjects::~HeldObjects() {
  for (const auto& [object, count] : counts_) drop_references(object, count);
}

void HeldObjects::add(const HeldObjects& other) {
  for (const auto& [object, count] : other.counts_) {
    object->references += count;
    take(object, count);
  }
}

bool HeldObjects::release(cudaUserObject_t object, std::size_t count) {
  const auto held = counts_.find(object);
  if (held == counts_.end() || held->second < count) return false;
  held->second -= count;
  if (held->second == 0) counts_.erase(held);
  drop_references(object, count);
  return true;
}

}  // namespace cudasim

using namespace cudasim;

namespace {

/// `count` references: from 1 to INT_MAX.
bool is_count(unsigned count) { return count != 0 && count <= static_cast<unsigned>(std::numeric_limits<int>::max()); }

cudaError_t object_call(const char* call, cudaUserObject_t object, unsigned count,
                        cudaError_t (*use)(Runtime&, cudaUserObject_t, unsigned, cudaGraph_t, unsigned),
                        cudaGraph_t graph = nullptr, unsigned flags = 0) {
  const cudaError_t error = enter(call, Access::none, [&](Runtime& runtime) {
    if (!is_user_object(object) || !is_count(count)) return cudaErrorInvalidValue;
    return use(runtime, object, count, graph, flags);
  });
  call_due_destructors();
  return error;
}

}  // namespace

extern "C" cudaError_t cudaUserObjectCreate(cudaUserObject_t* object, void* data, cudaHostFn_t destroy, unsigned count,
                                            unsigned flags) {
  return enter("cudaUserObjectCreate", Access::none, [&](Runtime&) {
    if (object == nullptr || destroy == nullptr || !is_count(count) || flags != cudaUserObjectNoDestructorSync)
      return cudaErrorInvalidValue;
    *object = make_user_object(destroy, data, count);
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaUserObjectRetain(cudaUserObject_t object, unsigned count) {
  return object_call("cudaUserObjectRetain", object, count,
                     [](Runtime&, cudaUserObject_t found, unsigned more, cudaGraph_t, unsigned) {
                       found->references += more;
                       return cudaSuccess;
                     });
}

extern "C" cudaError_t cudaUserObjectRelease(cudaUserObject_t object, unsigned count) {
  return object_call("cudaUserObjectRelease", object, count,
                     [](Runtime&, cudaUserObject_t found, unsigned fewer, cudaGraph_t, unsigned) {
                       if (found->references < fewer) return cudaErrorInvalidValue;
                       drop_references(found, fewer);
                       return cudaSuccess;
                     });
}

/// cudaGraphUserObjectMove hands the program's own references over.
extern "C" cudaError_t cudaGraphRetainUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned count,
                                                 unsigned flags) {
  return object_call(
      "cudaGraphRetainUserObject", object, count,
      [](Runtime& runtime, cudaUserObject_t found, unsigned more, cudaGraph_t taker, unsigned how) {
        if (!runtime.graphs->is_graph(taker) || (how & ~unsigned{cudaGraphUserObjectMove}) != 0)
          return cudaErrorInvalidValue;
        if (how != cudaGraphUserObjectMove) found->references += more;
        taker->objects.take(found, more);
        return cudaSuccess;
      },
      graph, flags);
}

extern "C" cudaError_t cudaGraphReleaseUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned count) {
  return object_call(
      "cudaGraphReleaseUserObject", object, count,
      [](Runtime& runtime, cudaUserObject_t found, unsigned fewer, cudaGraph_t holder, unsigned) {
        if (!runtime.graphs->is_graph(holder)) return cudaErrorInvalidValue;
        return holder->objects.release(found, fewer) ? cudaSuccess : cudaErrorInvalidValue;
      },
      graph);
}
