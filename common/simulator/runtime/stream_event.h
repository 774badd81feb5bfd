// SPDX-License-Identifier: MIT
// The part of events that graphs need.
#pragma once

#include "runtime/runtime.h"

namespace cudasim {

/// The event stores all that was put into the stream so far, or into the branch of a graph.
void record_event(Runtime& runtime, cudaEvent_t event, const StreamName& stream);

}  // namespace cudasim
