// SPDX-License-Identifier: MIT
#include "workbook/problem/streams/pieces/remote/host_arrays.h"

#ifdef WORKBOOK_STUDENT_PROCESS
WORKBOOK_ENTRY(void, process_on_device, (const workbook::Job& job), job)
#else
void process_on_device(const workbook::Job& job) {
  workbook::call_student("process_on_device", workbook::job_of_student(job));
}
#endif
