// SPDX-License-Identifier: MIT
// User objects, which a program may hand over to graphs.
#include <limits>

#include "runtime/graph.h"
#include "runtime/runtime.h"

namespace cudasim {

void call_due_destructors() {
  std::vector<DueDestructor> due;
  {
    const std::lock_guard<std::mutex> lock(Runtime::instance().mutex);
    due = take_due_destructors();
  }
  if (due.empty()) return;
  const HostFunctionRuns runs;
  for (const DueDestructor& each : due) each.destroy(each.data);
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
