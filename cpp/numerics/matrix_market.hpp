// Matrices in the Matrix Market exchange format (R. Boisvert, R. Pozo, K. Remington, NISTIR 5935, 1996): coordinate,
// real or integer, general or symmetric or skew-symmetric. A symmetric file holds one triangle; the matrix gets both.
#pragma once

#include <string>
#include <string_view>

#include "numerics/csr.hpp"

namespace tenken {

// `file` names the input in refusals (UserError): other kinds (pattern, complex, array, hermitian), a header that
// announces more than the file can hold or rows without entries, places outside of the matrix or given twice, NaN and
// Inf, text after the last entry. Nothing is allocated on the word of the header alone: memory is at most 40 times the
// length of the text.
Csr<double> parse_matrix_market(std::string_view text, const std::string& file);

// The same of a file. Throws UserError also where it cannot be read, or is too long for the memory that is free.
Csr<double> read_matrix_market(const std::string& path);

}  // namespace tenken
