// SPDX-License-Identifier: MIT
// What stage 22 promises beyond one product: see shared_workspace.h.
#include "shared_workspace.h"
