// SPDX-License-Identifier: MIT
// The kernel for rows that several blocks have at the same time. It is included behind load(), state_of_block(),
// publish(), state_of_row() and the operations, which it calls. So it has no #pragma once.

// A part of a row that a block holds: it has been drawn and published, and not stored yet.
struct HeldPart {
  Word drawn;    // its number among all parts of all rows
  RowState own;  // of this thread's numbers
  float numbers[kNumbersOfPart];
};

// The part with this number, in vectors.
template <typename Vector>
__device__ Part part_with(Word drawn, std::size_t columns, unsigned parts) {
  const auto vectors = static_cast<unsigned>(columns / (sizeof(Vector) / sizeof(float)));
  return part_of_row(vectors, static_cast<unsigned>(drawn % parts), parts);
}

// Loads a part, and publishes its state.
template <typename Operation, typename Vector>
__device__ void begin_part(HeldPart& held, ConstMatrix input, unsigned parts, const Board& board) {
  const std::size_t row = held.drawn / parts;
  if (row >= input.rows) {
    return;
  }
  const auto* from = reinterpret_cast<const Vector*>(input.data + row * input.pitch);
  load<Operation>(held.numbers, from, part_with<Vector>(held.drawn, input.columns, parts));
  held.own = Operation::take(held.numbers);
  publish(state_of_block(held.own), board.states + row * parts, static_cast<unsigned>(held.drawn % parts));
}

// Waits for the state of the row, and stores the part. In between it draws the next part, whose number it returns: that
// is under way while the stores are issued.
template <typename Operation, typename Vector>
__device__ Word end_part(HeldPart& held, Matrix output, unsigned parts, const Board& board) {
  __shared__ Word drawn;
  const std::size_t row = held.drawn / parts;
  const RowState of_row = state_of_row(board.states + row * parts, parts);
  Word next = 0;
  if (threadIdx.x == 0) {
    next = draw_part(board);
  }
  auto* to = reinterpret_cast<Vector*>(output.data + row * output.pitch);
  const float factor = Operation::factor(held.own, of_row, static_cast<float>(output.columns));
  store(held.numbers, factor, to, part_with<Vector>(held.drawn, output.columns, parts));
  if (threadIdx.x == 0) {
    drawn = next;
  }
  __syncthreads();
  return drawn;
}

// Launch: as many blocks as a row has parts, or more, all of which run at the same time. While a block waits for the
// row of one part, the next one is on its way. When it waits, it has published all that it has drawn: so some block
// always goes on.
template <typename Operation, typename Vector>
__global__ void __launch_bounds__(kMostThreadsOfPart, kResidentBlocks)
    normalize_parts(ConstMatrix input, Matrix output, unsigned parts, Board board) {
  __shared__ Word first_two[2];
  if (threadIdx.x < 2) {
    first_two[threadIdx.x] = draw_part(board);
  }
  __syncthreads();
  const Word all = input.rows * parts;
  HeldPart older, younger;
  older.drawn = min(first_two[0], first_two[1]);
  younger.drawn = max(first_two[0], first_two[1]);
  begin_part<Operation, Vector>(older, input, parts, board);
  __syncthreads();             // all have read what the older one left in shared memory
  while (older.drawn < all) {  // else the younger one does not exist either
    begin_part<Operation, Vector>(younger, input, parts, board);
    older.drawn = end_part<Operation, Vector>(older, output, parts, board);
    if (younger.drawn >= all) {
      return;
    }
    begin_part<Operation, Vector>(older, input, parts, board);
    younger.drawn = end_part<Operation, Vector>(younger, output, parts, board);
  }
}
