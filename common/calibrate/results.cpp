// SPDX-License-Identifier: MIT
// A parameter file as text.
#include "calibrate/results.h"

#include <ostream>

#include "workbook/bench/measure.h"

namespace calibrate {

void Results::add(const std::string& name, double value, const std::string& how) { numbers_[name] = {value, how}; }

void Results::add_tensor(const std::string& shape, double value, const std::string& how) {
  tensor_[shape] = {value, how};
}

void Results::add_to_table(const std::string& table, const std::string& key, double value) {
  tables_[table][key] = value;
}

void Results::print_numbers(std::ostream& out, const std::map<std::string, Number>& numbers) {
  const char* between = "";
  for (const auto& [name, number] : numbers) {
    out << between << "    \"" << name << "\": {\"value\": " << number.value << ", \"source\": \"" << number.how
        << "\"}";
    between = ",\n";
  }
}

void Results::print(std::ostream& out, const std::string& device) const {
  out.precision(5);
  out << "{\n  \"device\": \"" << device << "\",\n  \"parameters\": {\n";
  print_numbers(out, numbers_);
  out << "\n  },\n  \"tensor\": {\n";
  print_numbers(out, tensor_);
  out << "\n  },\n  \"tables\": {";
  const char* between = "\n";
  for (const auto& [table, rows] : tables_) {
    out << between << "    \"" << table << "\": {";
    between = ",\n";
    const char* comma = "";
    for (const auto& [key, value] : rows) {
      out << comma << '"' << key << "\": " << value;
      comma = ", ";
    }
    out << '}';
  }
  out << "\n  }\n}\n";
}

double Gpu::time_us(const std::function<void()>& launches) const {
  std::vector<double> times(5);
  instruments.time_us(launches);
  for (double& time : times) time = instruments.time_us(launches);
  CUDA_CHECK(cudaGetLastError());
  return workbook::spread_of(times).median;
}

double mean(const workbook::DeviceArray<long long>& values) {
  double sum = 0;
  for (const long long value : workbook::read_back(values.data(), values.size(), nullptr))
    sum += static_cast<double>(value);
  return sum / static_cast<double>(values.size());
}

}  // namespace calibrate
