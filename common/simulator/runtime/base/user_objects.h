// SPDX-License-Identifier: MIT
// User objects: memory of the program that ends when neither the program nor a graph refers to it any more. Source:
// CUDA C++ Programming Guide, "CUDA User Objects".
#pragma once

#include <driver_types.h>

#include <map>
#include <vector>

/// The object behind the opaque handle of the CUDA headers.
struct CUuserObject_st {
  cudaHostFn_t destroy = nullptr;
  void* data = nullptr;
  std::size_t references = 0;  ///< of the program and of all graphs
};

namespace cudasim {

/// A destructor whose object has no reference any more.
struct DueDestructor {
  cudaHostFn_t destroy = nullptr;
  void* data = nullptr;
};

/// All functions are called under the runtime's lock.
cudaUserObject_t make_user_object(cudaHostFn_t destroy, void* data, std::size_t references);
bool is_user_object(cudaUserObject_t object);
/// The last reference makes its destructor due.
void drop_references(cudaUserObject_t object, std::size_t count);

/// Those since the last time. The caller calls them without the lock, as they may take other locks.
std::vector<DueDestructor> take_due_destructors();

/// The references of a graph. A copy of a graph has as many.
class HeldObjects {
 public:
  HeldObjects() = default;
  HeldObjects(const HeldObjects& other) { add(other); }
  HeldObjects& operator=(const HeldObjects&) = delete;
  ~HeldObjects();

  void add(const HeldObjects& other);
  /// Takes over references that the program has.
  void take(cudaUserObject_t object, std::size_t count) { counts_[object] += count; }
  /// False where it has fewer.
  bool release(cudaUserObject_t object, std::size_t count);

 private:
  std::map<cudaUserObject_t, std::size_t> counts_;
};

}  // namespace cudasim
