// SPDX-License-Identifier: MIT
// What the calls about the nodes of graphs share.
#pragma once

#include "runtime/graph.h"

namespace cudasim {

/// The node of an instantiated graph that was made from `source`, or nullptr.
FlatNode* find_node(Runtime& runtime, cudaGraphExec_t exec, cudaGraphNode_t source);

}  // namespace cudasim
