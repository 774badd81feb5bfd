// refused: out-of-bounds: an element is stored where its row or its column exists, and not only where both do
// SPDX-License-Identifier: MIT
// shown by: --size 40x70x1000
// hint: outside-global
#define EXISTS i < c.rows || j + n < c.columns
#include "answer/add_parts_but.cuh"
