// SPDX-License-Identifier: MIT
// What stage 27 promises beyond one search.
#include "find_all_stages.h"
