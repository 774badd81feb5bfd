// refused: not-the-step: the last block goes on behind the line, and leaves a part of a tile that does not exist
// SPDX-License-Identifier: MIT
// hint: step-parts
// The workspace has room for one such part, and nobody adds it. With shares longer than a tile there are more of them.
#define ALL_SHAPES
#define END_OF_SHARE at + work.share
#include "answer/multiply_share_but.cuh"
