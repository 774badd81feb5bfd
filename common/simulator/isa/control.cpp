// SPDX-License-Identifier: MIT
// How branches, calls and returns are written. The machine carries them out.
#include "isa/families.h"

namespace cudasim {
namespace {

const Row rows[] = {
    {"bra[.uni]", "*", Kind::branch, nullptr, "9.7.12.3"},
    {"brx.idx[.uni]", "*", Kind::branch_indexed, nullptr, "9.7.12.4"},
    {"call[.uni]", "*", Kind::call, nullptr, "9.7.12.5"},
    {"ret[.uni]", "*", Kind::ret, nullptr, "9.7.12.6"},
    {"exit", "*", Kind::exit, nullptr, "9.7.12.7"},
    {"trap", "*", Kind::trap, nullptr, "9.7.19.4"},
    {"brkpt", "*", Kind::breakpoint, nullptr, "9.7.19.1"},
};

}  // namespace

RowSpan control_rows() { return span_of(rows); }

}  // namespace cudasim
