// SPDX-License-Identifier: MIT
// How the instructions between the lanes of a warp are written: shuffles, votes, matches, reductions, elections.
// vote has two spellings in use: vote.sync.ballot (the manual's, and nvcc's) and vote.ballot.sync (older headers).
#include "isa/families.h"

namespace cudasim {
namespace {

const Row rows[] = {
    {"shfl.sync<.up|.down|.bfly|.idx>.b32", "d *", Kind::shuffle, nullptr, "9.7.9.6"},
    {"bar.warp.sync", "*", Kind::warp_sync, nullptr, "9.7.13.2"},
    {"vote.sync<.all|.any|.uni>.pred", "d *", Kind::vote, nullptr, "9.7.13.9"},
    {"vote.sync.ballot.b32", "d *", Kind::vote, nullptr, "9.7.13.9"},
    {"vote<.all|.any|.uni>.sync.pred", "d *", Kind::vote, nullptr, "9.7.13.9"},
    {"vote.ballot.sync.b32", "d *", Kind::vote, nullptr, "9.7.13.9"},
    {"match<.any|.all>.sync<.b32|.b64>", "d *", Kind::match, nullptr, "9.7.13.10"},
    {"activemask.b32", "d *", Kind::active_mask, nullptr, "9.7.13.11"},
    {"redux.sync<.add|.min|.max><.u32|.s32>", "d *", Kind::warp_reduce, nullptr, "9.7.13.12"},
    {"redux.sync<.and|.or|.xor>.b32", "d *", Kind::warp_reduce, nullptr, "9.7.13.12"},
    {"elect.sync", "d *", Kind::elect, nullptr, "9.7.13.14"},
};

}  // namespace

RowSpan warp_rows() { return span_of(rows); }

}  // namespace cudasim
