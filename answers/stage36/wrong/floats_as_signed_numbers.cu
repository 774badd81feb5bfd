// refused: wrong-result: of two negative floats the larger one has the smaller bits
// SPDX-License-Identifier: MIT
// shown by: --size 3000 --type float
// hint: sort-sign
#include "answer/linked_answer.cuh"

KeyType taken(KeyType type) { return type == KeyType::floats ? KeyType::signed_ints : type; }

#include "answer/launch_linked_answer.cuh"
