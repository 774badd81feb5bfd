// SPDX-License-Identifier: MIT
// The calls that make generators and set them.
#include "libraries/library_call.h"
#include "libraries/rand/generator.h"

using namespace cudasim;

namespace {

curandStatus_t create(const char* call, curandGenerator_t* generator, curandRngType_t type, bool is_of_host) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  auto made = std::make_unique<curandGenerator_st>();
  made->is_of_host = is_of_host;
  switch (type) {
    case CURAND_RNG_PSEUDO_DEFAULT:
    case CURAND_RNG_PSEUDO_XORWOW:
      made->start.sequence = Sequence::xorwow;
      break;
    case CURAND_RNG_PSEUDO_MRG32K3A:
      made->start.sequence = Sequence::mrg32k3a;
      break;
    case CURAND_RNG_PSEUDO_PHILOX4_32_10:
      made->start.sequence = Sequence::philox;
      break;
    case CURAND_RNG_PSEUDO_MTGP32:
    case CURAND_RNG_PSEUDO_MT19937:
    case CURAND_RNG_QUASI_DEFAULT:
    case CURAND_RNG_QUASI_SOBOL32:
    case CURAND_RNG_QUASI_SCRAMBLED_SOBOL32:
    case CURAND_RNG_QUASI_SOBOL64:
    case CURAND_RNG_QUASI_SCRAMBLED_SOBOL64:
      cudasim_explain(call,
                      "the generators MTGP32 and MT19937 and the quasirandom ones are not simulated; XORWOW, MRG32K3A "
                      "and PHILOX4_32_10 are, with the numbers of a GPU");
      return CURAND_STATUS_TYPE_ERROR;
    default:
      return CURAND_STATUS_TYPE_ERROR;
  }
  *generator = made.release();
  return CURAND_STATUS_SUCCESS;
}

/// A change of this kind goes back to the start.
template <typename Change>
curandStatus_t restart(curandGenerator_t generator, Change change) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  change(generator->start);
  generator->numbers = nullptr;
  return CURAND_STATUS_SUCCESS;
}

}  // namespace

curandStatus_t curandCreateGenerator(curandGenerator_t* generator, curandRngType_t type) {
  return create("curandCreateGenerator", generator, type, false);
}
curandStatus_t curandCreateGeneratorHost(curandGenerator_t* generator, curandRngType_t type) {
  return create("curandCreateGeneratorHost", generator, type, true);
}

curandStatus_t curandDestroyGenerator(curandGenerator_t generator) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  delete generator;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGetVersion(int* version) {
  *version = CURAND_VERSION;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGetProperty(libraryPropertyType type, int* value) {
  constexpr int kVersion[] = {CURAND_VER_MAJOR, CURAND_VER_MINOR, CURAND_VER_PATCH};
  if (type < MAJOR_VERSION || type > PATCH_LEVEL || value == nullptr) return CURAND_STATUS_OUT_OF_RANGE;
  *value = kVersion[type];
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  generator->stream = stream;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator, unsigned long long seed) {
  return restart(generator, [seed](SequenceStart& start) { start.seed = seed; });
}

curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset) {
  return restart(generator, [offset](SequenceStart& start) { start.offset = offset; });
}

curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t order) {
  switch (order) {
    case CURAND_ORDERING_PSEUDO_BEST:
    case CURAND_ORDERING_PSEUDO_DEFAULT:
    case CURAND_ORDERING_PSEUDO_LEGACY:
      return restart(generator,
                     [order](SequenceStart& start) { start.is_legacy = order == CURAND_ORDERING_PSEUDO_LEGACY; });
    case CURAND_ORDERING_PSEUDO_SEEDED:
    case CURAND_ORDERING_PSEUDO_DYNAMIC:
      cudasim_explain("curandSetGeneratorOrdering", "the orderings SEEDED and DYNAMIC are not simulated");
      return generator == nullptr ? CURAND_STATUS_NOT_INITIALIZED : CURAND_STATUS_OUT_OF_RANGE;
    case CURAND_ORDERING_QUASI_DEFAULT:
      break;
  }
  return generator == nullptr ? CURAND_STATUS_NOT_INITIALIZED : CURAND_STATUS_OUT_OF_RANGE;
}

/// For quasirandom generators alone.
curandStatus_t curandSetQuasiRandomGeneratorDimensions(curandGenerator_t generator, unsigned) {
  return generator == nullptr ? CURAND_STATUS_NOT_INITIALIZED : CURAND_STATUS_TYPE_ERROR;
}

curandStatus_t curandGenerateSeeds(curandGenerator_t generator) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  if (generator->numbers == nullptr) generator->numbers = make_numbers(generator->start);
  return CURAND_STATUS_SUCCESS;
}
