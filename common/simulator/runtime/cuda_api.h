// SPDX-License-Identifier: MIT
// The toolkit's own declarations of the runtime calls. They are exported; everything else in this library is hidden.
#pragma once

#pragma GCC visibility push(default)
#include <cuda_runtime_api.h>
#pragma GCC visibility pop

/// For entry points that the toolkit's headers do not declare.
#define CUDASIM_EXPORT extern "C" __attribute__((visibility("default")))

/// A second name for an entry point of this file. The variants for one default stream a thread (_ptsz, _ptds) equal the
/// plain ones: there is one default stream.
// NOLINTNEXTLINE(bugprone-macro-parentheses)
#define CUDASIM_ALIAS(alias_name, name) CUDASIM_EXPORT decltype(name) alias_name __attribute__((alias(#name)))
