// 5:3 -> swap exchanges two variables of one type; what is only read has a type of its own, and is never written: swap two variables of your own
#include <utility>
#include "workbook/student/sort.h"
void f(workbook::ConstRecords input, workbook::Records output) {
  std::swap(input, output);
}
