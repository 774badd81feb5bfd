// SPDX-License-Identifier: MIT
// The answer of stage 10 without its kernel: sum_of_thread, sum_of_block and the host step. The host step launches the
// add_trapezoids of the including file.
#include "workbook/student/integration.h"

__global__ void add_trapezoids(workbook::Integrand f, double a, double b, std::size_t n, double h, double* integral);

// Renames the answer's definition. It leaves its launch alone, as no parenthesis follows the name there.
#define add_trapezoids(...) right_add_trapezoids(__VA_ARGS__)
#include "../../solution.cu"
#undef add_trapezoids
