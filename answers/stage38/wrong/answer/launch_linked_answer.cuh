// SPDX-License-Identifier: MIT
// Stands at the end of a wrong kernel of stage 38: the launches of the answer. They take split, add_products, joined
// and unscaled from the including file where that defines them. Otherwise they take the answer's.
void multiply_on_device(workbook::ConstMatrix a, workbook::ConstMatrix b, workbook::Matrix c, void* workspace,
                        dim3 block, cudaStream_t stream) {
  right::split_all = split_all_with<split>;
  right::multiply_parts = multiply_parts_with<add_products, joined>;
  right::finish = finish_with<unscaled>;
  right::multiply_on_device(a, b, c, workspace, block, stream);
}
