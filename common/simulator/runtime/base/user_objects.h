// SPDX-License-Identifier: MIT
// User objects: memory of the program that ends when neither the program nor a graph refers to it any more. Source:
// CUDA C++ Programming Guide, "CUDA User Objects".
#pragma once

#include <cstddef>
#include <map>
#include <vector>

/// cudaHostFn_t.
using HostFunction = void (*)(void*);

/// The object behind the opaque handle of the CUDA headers, cudaUserObject_t.
struct CUuserObject_st {
  HostFunction destroy = nullptr;
  void* data = nullptr;
  std::size_t references = 0;  ///< of the program and of all graphs
};

namespace cudasim {

/// A destructor whose object has no reference any more.
struct DueDestructor {
  HostFunction destroy = nullptr;
  void* data = nullptr;
};

/// All functions are called under the runtime's lock.
CUuserObject_st* make_user_object(HostFunction destroy, void* data, std::size_t references);
bool is_user_object(CUuserObject_st* object);
/// The last reference makes its destructor due.
void drop_references(CUuserObject_st* object, std::size_t count);

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
  void take(CUuserObject_st* object, std::size_t count) { counts_[object] += count; }
  /// False where it has fewer.
  bool release(CUuserObject_st* object, std::size_t count);

 private:
  std::map<CUuserObject_st*, std::size_t> counts_;
};

}  // namespace cudasim
