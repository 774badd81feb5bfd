// SPDX-License-Identifier: MIT
#include "runtime/base/user_objects.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace cudasim {
namespace {

struct UserObjects {
  std::map<CUuserObject_st*, std::unique_ptr<CUuserObject_st>> live;
  std::vector<DueDestructor> due;
};

/// It is never destroyed: graphs end at the end of the process, too.
UserObjects& user_objects() {
  static auto* const all = new UserObjects;
  return *all;
}

}  // namespace

CUuserObject_st* make_user_object(HostFunction destroy, void* data, std::size_t references) {
  auto object = std::make_unique<CUuserObject_st>(CUuserObject_st{destroy, data, references});
  CUuserObject_st* const handle = object.get();
  user_objects().live.emplace(handle, std::move(object));
  return handle;
}

bool is_user_object(CUuserObject_st* object) { return user_objects().live.count(object) != 0; }

void drop_references(CUuserObject_st* object, std::size_t count) {
  object->references -= std::min(count, object->references);
  if (object->references != 0) return;
  user_objects().due.push_back({object->destroy, object->data});
  user_objects().live.erase(object);
}

std::vector<DueDestructor> take_due_destructors() { return std::exchange(user_objects().due, {}); }

HeldObjects::~HeldObjects() {
  for (const auto& [object, count] : counts_) drop_references(object, count);
}

void HeldObjects::add(const HeldObjects& other) {
  for (const auto& [object, count] : other.counts_) {
    object->references += count;
    take(object, count);
  }
}

bool HeldObjects::release(CUuserObject_st* object, std::size_t count) {
  const auto held = counts_.find(object);
  if (held == counts_.end() || held->second < count) return false;
  held->second -= count;
  if (held->second == 0) counts_.erase(held);
  drop_references(object, count);
  return true;
}

}  // namespace cudasim
