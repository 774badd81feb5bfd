// SPDX-License-Identifier: MIT
// The answer of stage 23 with another output operator on one of two ways to C, that of tiles that are cut. It is the
// WrongCombination of the including file. The first kernel has the answer's operator, and is compiled once.
void gemm_on_device(float alpha, Operand a, Operand b, float beta, Matrix c, float* partials, dim3,
                    cudaStream_t stream) {
  if (c.rows == 0 || c.columns == 0) {
    return;
  }
  Lines of_a = rows_of(a), of_b = columns_of(b);
  if (alpha == 0.0f) of_a.terms = of_b.terms = 0;
  const std::size_t room = workbook::partials_size(c.rows, c.columns, of_a.terms);
  const WorkPartition work = plan_for<Small>(c, of_a.terms, room, multiprocessors()).work;
  launch_shares<Small, TileLoader>(of_a, of_b, c, LinearCombination{alpha, beta}, work, partials, stream);
  launch_adding(c, WrongCombination{{alpha, beta}}, work, partials, stream);
}
