// SPDX-License-Identifier: MIT
// The toolkit's own declarations of cuBLAS, whose functions are exported; everything else in the library is hidden.
#pragma once

#pragma GCC visibility push(default)
#include <cublas_api.h>
#pragma GCC visibility pop
