// SPDX-License-Identifier: MIT
// The answer of stage 22 with one form of tiles for every shape: four of them take long to compile.
#include "workbook/student/gemm.h"

struct Line;
template <class Form>
void launch(workbook::ConstMatrix a, workbook::ConstMatrix b, bool has_vectors, workbook::Matrix c, const Line& line,
            float* partials, cudaStream_t stream);

// Renames the answer's definition. It leaves its calls alone, as the form follows the name there.
#define launch(...) right_launch(__VA_ARGS__)
#include "../../solution.cu"
#undef launch
#ifndef ONE_FORM  // of the file that includes this
#define ONE_FORM Small
#endif

template <class Form>
void launch(workbook::ConstMatrix a, workbook::ConstMatrix b, bool has_vectors, workbook::Matrix c, const Line&,
            float* partials, cudaStream_t stream) {
  const std::size_t room = workbook::partials_size(c.rows, c.columns, a.columns);
  const Line line = plan_for<ONE_FORM>(c, a.columns, room, multiprocessors()).line;
  right_launch<ONE_FORM>(a, b, has_vectors, c, line, partials, stream);
}
#undef ONE_FORM
