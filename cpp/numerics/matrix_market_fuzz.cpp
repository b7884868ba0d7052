// Fuzz target: any bytes as a Matrix Market file. It is refused with a sentence, or its matrix is whole. The sources
// are included, so that the fuzzer sees their branches.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/error.hpp"
#include "numerics/csr.cpp"
#include "numerics/matrix_market.cpp"

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view file(reinterpret_cast<const char*>(bytes), size);
  try {
    const tenken::MatrixFile read = tenken::parse_matrix_market(file, "FILE", tenken::Patterns::ones);
    const tenken::Csr<double>& a = read.a;
    require(a.rows >= 1 && a.columns >= 1 && a.entries() <= static_cast<std::int64_t>(size));
    for (std::int64_t i = 0; i < a.rows; ++i) {
      std::int32_t last = -1;
      require(a.row(i).size() >= 0);
      for (auto n = static_cast<std::size_t>(a.row(i).first); n < static_cast<std::size_t>(a.row(i).last); ++n) {
        require(a.column[n] > last && a.column[n] < a.columns);
        require(std::isfinite(a.value[n]) || read.added > 0);  // a sum may be too large
        last = a.column[n];
      }
    }
  } catch (const tenken::UserError& error) {
    require(std::string_view(error.what()).starts_with("matrix file FILE: "));
  }
  return 0;
}
