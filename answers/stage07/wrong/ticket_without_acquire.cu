// refused: race: the ticket releases the block's own partial sum, and does not acquire those of the other blocks
// SPDX-License-Identifier: MIT
// shown by: --size 100003 --block-size 256
// hint: not-acquired
// Here memory_order_release is half of what a ticket needs. The last block's loads of the partial sums may come before
// it.
#include <cuda/atomic>

#include "workbook/student/reduction.h"

#define memory_order_acq_rel memory_order_release  // all else is the answer
#include "../solution.cu"
#undef memory_order_acq_rel
