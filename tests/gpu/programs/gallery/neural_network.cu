// SPDX-License-Identifier: MIT
// A training step of a small network, forward and back. It has products with a matrix and its transpose, ReLU, cross
// entropy, and gradients that many blocks add up.
#include "gallery.h"

constexpr int inputs = 16, classes = 8, batch = 40;

__global__ void step(const float* x, const int* labels, const float* weights, float* gradient, float* loss) {
  __shared__ float scores[classes];
  const int sample = blockIdx.x, t = threadIdx.x;
  if (t < classes) {
    float score = 0;
    for (int i = 0; i < inputs; ++i) score += weights[t * inputs + i] * fmaxf(x[sample * inputs + i] - 0.3f, 0.0f);
    scores[t] = score;
  }
  __syncthreads();
  float sum = 0;
  for (float score : scores) sum += expf(score);
  if (t == 0) atomicAdd(loss, logf(sum) - scores[labels[sample]]);
  for (int i = t; i < classes * inputs; i += blockDim.x) {
    const int c = i / inputs;
    const float slope = expf(scores[c]) / sum - (c == labels[sample] ? 1.0f : 0.0f);
    atomicAdd(&gradient[i], slope * fmaxf(x[sample * inputs + i % inputs] - 0.3f, 0.0f));
  }
}

bool program() {
  const std::vector<float> x = uniform_vector(batch * inputs), weights = uniform_vector(classes * inputs, 40000);
  std::vector<int> labels(batch);
  std::vector<double> expected(classes * inputs, 0.0);
  double expected_loss = 0;
  for (int s = 0; s < batch; ++s) {
    labels[s] = static_cast<int>(scramble(s + 3) % classes);
    double e[classes], sum = 0, hidden[inputs];
    for (int i = 0; i < inputs; ++i) hidden[i] = std::fmax(x[s * inputs + i] - 0.3f, 0.0f);
    for (int c = 0; c < classes; ++c) {
      e[c] = 0;
      for (int i = 0; i < inputs; ++i) e[c] += weights[c * inputs + i] * hidden[i];
      sum += e[c] = std::exp(e[c]);
    }
    expected_loss -= std::log(e[labels[s]] / sum);
    for (int i = 0; i < classes * inputs; ++i)
      expected[i] += (e[i / inputs] / sum - (i / inputs == labels[s])) * hidden[i % inputs];
  }
  Buffer<float> d_x(x), d_weights(weights), gradient(classes * inputs), loss(1);
  Buffer<int> d_labels(labels);
  gradient.clear();
  loss.clear();
  step<<<batch, 64>>>(d_x, d_labels, d_weights, gradient, loss);
  return all_close(gradient.host(), expected, 1e-4) && close(loss.host()[0], expected_loss, 1e-4);
}
