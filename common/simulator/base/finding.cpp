// SPDX-License-Identifier: MIT
#include "base/finding.h"

namespace cudasim {

const char* name_of(FindingKind kind) {
  switch (kind) {
#define FINDING(kind, word, plural, check, meaning) \
  case FindingKind::kind:                           \
    return word;
#include "base/vocabulary.inc"
  }
  return "";
}

}  // namespace cudasim
