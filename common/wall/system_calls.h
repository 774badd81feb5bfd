// SPDX-License-Identifier: MIT
// The filter of system calls (seccomp, docs.kernel.org/userspace-api/seccomp_filter).
#pragma once

namespace wall {

/// From now on this process and its children have only the system calls that a compiler and a program of a stage need.
/// A call that no such program makes (ptrace, io_uring, mount) ends the process with SIGSYS. All others fail with
/// ENOSYS, as on a kernel that does not have them. Needs no_new_privs. Throws std::system_error.
void filter_system_calls();

}  // namespace wall
