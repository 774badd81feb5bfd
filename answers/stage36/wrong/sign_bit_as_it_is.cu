// refused: wrong-result: signed numbers are sorted by their bits: those with the sign come last
// SPDX-License-Identifier: MIT
// shown by: --size 3000 --type signed
// hint: sort-elsewhere
#include "answer/linked_answer.cuh"

KeyType taken(KeyType type) { return type == KeyType::signed_ints ? KeyType::unsigned_ints : type; }

#include "answer/launch_linked_answer.cuh"
