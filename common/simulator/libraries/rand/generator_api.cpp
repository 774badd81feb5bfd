// SPDX-License-Identifier: MIT
#include <curand.h>
