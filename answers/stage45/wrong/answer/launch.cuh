// SPDX-License-Identifier: MIT
// The launches of stage 45 for wrong kernels. The including file may define ONE_STEP and TWO_STEPS as the names of its
// kernels, and PASSES(steps), STEPS_OF(pass, steps) and IS_OUTPUT(pass, passes) as its own order of passes.
#ifndef ONE_STEP
#define ONE_STEP one_step
#endif
#ifndef TWO_STEPS
#define TWO_STEPS two_steps
#endif
#ifndef PASSES
#define PASSES(steps) (((steps) + 1) / 2)
#endif
#ifndef STEPS_OF
#define STEPS_OF(pass, steps) ((pass) == 0 && (steps) % 2 == 1 ? 1 : 2)
#endif
#ifndef IS_OUTPUT
#define IS_OUTPUT(pass, passes) (((passes) - (pass)) % 2 == 1)
#endif

void heat_steps_on_device(ConstVolume input, Volume output, Volume scratch, float rate, unsigned steps, dim3 block,
                          cudaStream_t stream) {
  if (input.planes == 0 || input.rows == 0 || input.columns == 0) return;
  const unsigned passes = PASSES(steps);
  ConstVolume from = input;
  for (unsigned pass = 0; pass < passes; ++pass) {
    const Volume to = IS_OUTPUT(pass, passes) ? output : scratch;
    const unsigned of_pass = STEPS_OF(pass, steps);
    const auto kernel = of_pass == 1 ? ONE_STEP : TWO_STEPS;
    const std::size_t bytes = plane_bytes(block) * 2 * of_pass;
    const Part part = cut_planes(input, of_pass, block, reinterpret_cast<const void*>(kernel), bytes);
    const dim3 grid(tiles_across(input), tiles_down(input, of_pass, block), part.count);
    kernel<<<grid, block, bytes, stream>>>(from, to, part, rate);
    CUDA_CHECK(cudaGetLastError());
    from = {to.data, to.planes, to.rows, to.columns, to.pitch};
  }
  (void)scratch;
}

#undef ONE_STEP
#undef TWO_STEPS
#undef PASSES
#undef STEPS_OF
#undef IS_OUTPUT
