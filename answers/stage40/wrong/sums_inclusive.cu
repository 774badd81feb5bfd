// refused: wrong-result: the sums are scanned with each share in its own sum: it begins where it should end
// SPDX-License-Identifier: MIT
// shown by: --size 20011 --elements ones
// hint: second-share
#include "answer/right.cuh"

using namespace right;

#define SCAN_OF_SUMS Scan::inclusive
#include "answer/launches.cuh"
