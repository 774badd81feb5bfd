// SPDX-License-Identifier: MIT
// The toolkit's own declarations of cuRAND, whose functions are exported; everything else in the library is hidden.
#pragma once

#pragma GCC visibility push(default)
#include <curand.h>
#pragma GCC visibility pop
