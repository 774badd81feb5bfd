// SPDX-License-Identifier: MIT
// How barriers of a block and memory fences are written. Fences of proxies that are not simulated match no row.
#include "isa/families.h"

namespace cudasim {
namespace {

#define SCOPE "<.cta|.cluster|.gpu|.sys>"
#define SHARED "[.shared|.shared::cta]"
const Row rows[] = {
    {"bar[.cta]<.sync|.arrive>", "*", Kind::barrier, nullptr, "9.7.13.1"},
    {"bar[.cta].red.popc.u32", "d *", Kind::barrier, nullptr, "9.7.13.1"},
    {"bar[.cta].red<.and|.or>.pred", "d *", Kind::barrier, nullptr, "9.7.13.1"},
    {"barrier[.cta]<.sync|.arrive>[.aligned]", "*", Kind::barrier, nullptr, "9.7.13.1"},
    {"barrier[.cta].red.popc[.aligned].u32", "d *", Kind::barrier, nullptr, "9.7.13.1"},
    {"barrier[.cta].red<.and|.or>[.aligned].pred", "d *", Kind::barrier, nullptr, "9.7.13.1"},
    {"mbarrier<.init|.inval>" SHARED ".b64", "*", Kind::mbarrier, nullptr, "9.7.13.15"},
    {"mbarrier<.arrive|.arrive_drop>[.noComplete][.release|.relaxed][.cta|.cluster]" SHARED ".b64", "d *",
     Kind::mbarrier, nullptr, "9.7.13.15"},
    {"mbarrier<.test_wait|.try_wait>[.parity][.acquire|.relaxed][.cta|.cluster]" SHARED ".b64", "d *", Kind::mbarrier,
     nullptr, "9.7.13.15"},
    {"mbarrier.pending_count.b64", "d *", Kind::mbarrier, nullptr, "9.7.13.15"},
    {"cp.async.mbarrier.arrive[.noinc]" SHARED ".b64", "*", Kind::mbarrier, nullptr, "9.7.13.15"},
    {"membar<.cta|.gl|.sys>", "*", Kind::fence, nullptr, "9.7.13.4"},
    {"fence[.sc|.acq_rel]" SCOPE, "*", Kind::fence, nullptr, "9.7.13.4"},
    {"fence.proxy.alias", "*", Kind::fence, nullptr, "9.7.13.4"},
};

}  // namespace

RowSpan barrier_rows() { return span_of(rows); }

}  // namespace cudasim
