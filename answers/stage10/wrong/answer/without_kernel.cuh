// SPDX-License-Identifier: MIT
// The answer of stage 10, but its kernel: sum_of_thread, sum_of_block, and the host step, which launches the
// add_trapezoids of the file that includes this.
#include "workbook/student/integration.h"

__global__ void add_trapezoids(workbook::Integrand f, double a, double b, std::size_t n, double h, double* integral);

// Renames the answer's definition, and not its launch: there no parenthesis follows the name.
#define add_trapezoids(...) right_add_trapezoids(__VA_ARGS__)
#include "../../solution.cu"
#undef add_trapezoids
