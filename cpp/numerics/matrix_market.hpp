// Matrices in the Matrix Market exchange format (R. Boisvert, R. Pozo, K. Remington, NISTIR 5935, 1996): coordinate;
// real, integer or pattern; general, symmetric or skew-symmetric. A symmetric file has one triangle; the matrix gets
// both. Entries of one place are added up, and exponents of Fortran (1D0) are read, as SciPy and Fortran programs do.
#pragma once

#include <string>
#include <string_view>

#include "numerics/csr.hpp"

namespace tenken {

struct MatrixFile {
  Csr<double> a;
  std::int64_t added = 0;  // entries that were added to others of the same place
};

enum class Patterns { refused, ones };  // files of field `pattern`, which have places without values

// `file` names the input in refusals (UserError): other kinds (complex, array, hermitian), a header that announces more
// than the file can have or rows without entries, places outside of the matrix, NaN and Inf, text after the last entry,
// more entries than the memory that is free. Nothing is allocated on the word of the header alone: memory is at most 40
// times the length of the text. Rows and columns in messages count from 1, as in the file.
MatrixFile parse_matrix_market(std::string_view text, const std::string& file, Patterns patterns = Patterns::refused);

// The same of a file, which gzip may have packed. Throws UserError also where it cannot be read, is a folder or an
// archive, or is too long for the memory that is free.
MatrixFile read_matrix_market(const std::string& path, Patterns patterns = Patterns::refused);

}  // namespace tenken
