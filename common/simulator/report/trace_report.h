// SPDX-License-Identifier: MIT
// An AccessTrace as JSON; FORMAT.md describes the fields.
#pragma once

#include <string>

#include "checkers/history/access_trace.h"

namespace cudasim {

std::string json_of(const AccessTrace& trace);

}  // namespace cudasim
