// SPDX-License-Identifier: MIT
#include "libraries/blas/cpu_blas.h"

#include <dlfcn.h>

namespace cudasim {
namespace {

/// The second is OpenBLAS as a Python wheel, whose names have a prefix. The last is the system's choice of a BLAS.
struct Source {
  const char* file;
  const char* prefix;
};
constexpr Source kSources[] = {
    {"libopenblas.so.0", "cblas_"}, {"libscipy_openblas.so", "scipy_cblas_"}, {"libblas.so.3", "cblas_"}};

struct Library {
  bool is_complete = true;
  CpuBlas<float> floats;
  CpuBlas<double> doubles;
};

template <typename Function>
void take(Library& library, void* handle, const std::string& name, Function*& function) {
  function = reinterpret_cast<Function*>(dlsym(handle, name.c_str()));
  library.is_complete = library.is_complete && function != nullptr;
}

template <typename T>
void take_all(Library& library, void* handle, const std::string& begin, CpuBlas<T>& blas) {
  take(library, handle, begin + "axpy", blas.axpy);
  take(library, handle, begin + "scal", blas.scal);
  take(library, handle, begin + "copy", blas.copy);
  take(library, handle, begin + "swap", blas.swap);
  take(library, handle, begin + "dot", blas.dot);
  take(library, handle, begin + "nrm2", blas.nrm2);
  take(library, handle, begin + "asum", blas.asum);
  take(library, handle, begin + "rot", blas.rot);
  take(library, handle, begin + "gemv", blas.gemv);
  take(library, handle, begin + "ger", blas.ger);
  take(library, handle, begin + "symv", blas.symv);
  take(library, handle, begin + "syr", blas.syr);
  take(library, handle, begin + "trmv", blas.trmv);
  take(library, handle, begin + "trsv", blas.trsv);
  take(library, handle, begin + "gemm", blas.gemm);
  take(library, handle, begin + "symm", blas.symm);
  take(library, handle, begin + "syrk", blas.syrk);
  take(library, handle, begin + "syr2k", blas.syr2k);
  take(library, handle, begin + "trmm", blas.trmm);
  take(library, handle, begin + "trsm", blas.trsm);
}

/// The first source that has all functions. It stays loaded.
const Library& library() {
  static const Library found = [] {
    for (const Source& source : kSources) {
      Library candidate;
      void* const handle = dlopen(source.file, RTLD_NOW | RTLD_LOCAL);
      if (handle == nullptr) continue;
      take_all(candidate, handle, std::string(source.prefix) + "s", candidate.floats);
      take_all(candidate, handle, std::string(source.prefix) + "d", candidate.doubles);
      if (candidate.is_complete) return candidate;
      dlclose(handle);
    }
    Library none;
    none.is_complete = false;
    return none;
  }();
  return found;
}

}  // namespace

bool find_cpu_blas() { return library().is_complete; }

template <>
const CpuBlas<float>& cpu_blas() {
  return library().floats;
}
template <>
const CpuBlas<double>& cpu_blas() {
  return library().doubles;
}

}  // namespace cudasim
