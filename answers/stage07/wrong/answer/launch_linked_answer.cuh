// SPDX-License-Identifier: MIT
// Stands at the end of a wrong kernel of stage 07: the launch of the answer. It takes sum_of_block, sum_of_thread and
// combine_blocks from the including file where that defines them. Otherwise it takes the answer's.
const float* reduce_on_device(float* numbers, std::size_t n, unsigned block_size,
                              const workbook::Workspace& workspace) {
  right::reduce_in_one_pass = reduce_with<sum_of_block, sum_of_thread, combine_blocks>;
  return right::reduce_on_device(numbers, n, block_size, workspace);
}
