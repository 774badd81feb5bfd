// SPDX-License-Identifier: MIT
// A call that is not served. CMake writes one row for each name of the toolkit's library.
#pragma once

int remote_not_served(const char* name);

/// Weak, so that a name which is served keeps its definition. It has no parameters: the caller passes any, and the stub
/// reads none.
#define REMOTE_STUB(name)                                             \
  extern "C" __attribute__((weak, visibility("default"))) int name(); \
  extern "C" int name() { return remote_not_served(#name); }
