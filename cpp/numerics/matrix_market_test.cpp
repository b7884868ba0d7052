#include "numerics/matrix_market.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <string>

#include "base/error.hpp"
#include "testing/plant.hpp"

using namespace tenken;

namespace {

Csr<double> parse(const std::string& text, Patterns patterns = Patterns::refused) {
  return std::move(parse_matrix_market(text, "FILE", patterns).a);
}

std::string refusal(const std::string& text) {
  try {
    parse(text);
  } catch (const UserError& error) {
    CHECK(error.code() == ExitCode::refused);
    return error.what();
  }
  return "";
}

const std::string general = "%%MatrixMarket matrix coordinate real general\n";
const std::string symmetric = "%%MatrixMarket matrix coordinate real symmetric\n";

}  // namespace

TEST_CASE("a general matrix is read, in any order, with comments, blank lines and any case") {
  const Csr<double> a = parse(
      "%%matrixmarket MATRIX Coordinate REAL General\n% a comment\n\n  2 3\t3\r\n2 3 -1.5e2\n\n1 1 +4\n% more\n 1   2 "
      ".25");
  CHECK(a.rows == 2);
  CHECK(a.columns == 3);
  CHECK(a.entries() == 3);
  CHECK(*find_entry(a, 0, 0) == 4);
  CHECK(*find_entry(a, 0, 1) == 0.25);
  CHECK(*find_entry(a, 1, 2) == -150);
}

TEST_CASE("symmetric and skew-symmetric files give both triangles, and the diagonal once") {
  const Csr<double> a = parse(symmetric + "3 3 4\n1 1 2\n2 1 -1\n3 3 5\n3 2 7\n");
  CHECK(a.entries() == 6);
  CHECK(*find_entry(a, 0, 1) == -1);
  CHECK(*find_entry(a, 1, 0) == -1);
  CHECK(*find_entry(a, 1, 2) == 7);
  CHECK_FALSE(unsymmetric_entry(a, 0).has_value());
  const Csr<double> skew = parse("%%MatrixMarket matrix coordinate integer skew-symmetric\n2 2 1\n2 1 3\n");
  CHECK(*find_entry(skew, 1, 0) == 3);
  CHECK(*find_entry(skew, 0, 1) == -3);
}

TEST_CASE("a header that announces more than the file holds is refused before anything is allocated") {
  CHECK(refusal(general + "1000000000 1000000000 1000000000\n1 1 1\n") ==
        "matrix file FILE: it announces 1000000000 entries (so many take at least 5.5 GiB of text and 33.5 GiB of "
        "memory), but the 6 bytes that follow contain at most 1; get the file anew, it was cut or its header is wrong");
  CHECK(refusal(symmetric + "9 9 2147483648\n1 1 1\n").find("12.0 GiB of text and 144.0 GiB of memory") !=
        std::string::npos);
  CHECK(refusal(general + "9 9 4611686018427387904\n1 1 1\n").find("entries, but the 6 bytes") != std::string::npos);
  CHECK(refusal(general + "2000000000 1 1\n1 1 1\n").find("some row or column is empty") != std::string::npos);
  CHECK(refusal(general + "1 2000000000 1\n1 1 1\n").find("some row or column is empty") != std::string::npos);
  CHECK(refusal(general + "2 2 2\n1 1 1.0000000000\n") ==
        "matrix file FILE: it announces 2 entries, but ends after 1; get the file anew, it was cut");
  CHECK(refusal(general + "1 1 1\n1 1 1\n1 1 1\n") ==
        "matrix file FILE: line 4 goes on after the 1 entries that the header announces; correct the header, or take "
        "the rest "
        "out");
}

TEST_CASE("other kinds of file are refused by name") {
  const auto of = [](const std::string& kind) { return refusal("%%MatrixMarket " + kind + "\n1 1 1\n1 1 1\n"); };
  CHECK(of("matrix coordinate pattern general") ==
        "matrix file FILE: field 'pattern' has places without values; --pattern_as_ones true reads them as ones");
  CHECK(of("matrix coordinate complex general") ==
        "matrix file FILE: field 'complex' is not read; valid is real, integer or pattern: a matrix of real numbers is "
        "needed");
  CHECK(of("matrix array real general").find("format 'array' is not read") != std::string::npos);
  CHECK(of("matrix coordinate real hermitian").find("symmetry 'hermitian' is not read") != std::string::npos);
  CHECK(of("vector coordinate real general").find("object 'vector' is not read") != std::string::npos);
  CHECK(refusal("\x7f"
                "ELF")
            .find("it does not begin with %%MatrixMarket") != std::string::npos);
  CHECK(refusal("").find("it does not begin with %%MatrixMarket") != std::string::npos);
}

TEST_CASE("what is no number, or lies outside, is refused with its line") {
  const auto of = [](const std::string& entry) { return refusal(general + "2 2 2\n1 1 1\n" + entry + "\n"); };
  CHECK(of("2 2 nan") == "matrix file FILE: line 4 has 'nan' as value; a finite number was expected");
  for (const char* value : {"inf", "1e999", "1,5", "+-3", "0x10", "1.0D", "D0", "1D0D0", "1e999999"}) {
    CHECK(of(std::string("2 2 ") + value).find("line 4 has '") != std::string::npos);
  }
  CHECK(of("3 2 1") == "matrix file FILE: line 4 has '3' as row; a whole number from 1 to 2 was expected");
  CHECK(of("2 0 1").find("has '0' as column") != std::string::npos);
  CHECK(of("2 2 1 7") == "matrix file FILE: line 4 has '7' after all that belongs there; take it out");
  CHECK(of("2 2    ").find("has '' as value") != std::string::npos);
  CHECK(refusal(symmetric + "2 3 3\n1 1 1\n2 1 1\n1 3 1\n").find("a square matrix was expected") != std::string::npos);
  CHECK(refusal(general + "-1 1 1\n1 1 1\n").find("has '-1' as number of rows") != std::string::npos);
  CHECK(refusal(general + "99999999999999999999 1 1\n1 1 1\n").find("as number of rows") != std::string::npos);
  CHECK(refusal(general + "% nothing more\n").find("ends before the line of sizes") != std::string::npos);
  CHECK(refusal("%%MatrixMarket matrix coordinate real skew-symmetric\n1 1 1\n1 1 1\n").find("must be 0 there") !=
        std::string::npos);
}

TEST_CASE("entries of one place are added up, as in SciPy also those of both triangles of a symmetric file") {
  const MatrixFile general_file = parse_matrix_market(general + "2 2 5\n1 1 1\n2 2 7\n1 1 .5\n2 1 4\n1 1 -3\n", "FILE");
  CHECK(general_file.added == 2);
  CHECK(general_file.a.entries() == 3);
  CHECK(*find_entry(general_file.a, 0, 0) == -1.5);
  CHECK(*find_entry(general_file.a, 1, 0) == 4);
  const MatrixFile file = parse_matrix_market(symmetric + "2 2 4\n1 1 9\n2 2 9\n2 1 1\n1 2 1\n", "FILE");
  CHECK(file.added == 2);
  CHECK(*find_entry(file.a, 0, 1) == 2);
  CHECK(*find_entry(file.a, 1, 0) == 2);
  // In the order of the file: 1 + 1e-16 - 1 is 0.
  CHECK(*find_entry(parse(general + "1 1 3\n1 1 1\n1 1 1e-16\n1 1 -1\n"), 0, 0) == 0);
  CHECK(parse_matrix_market(general + "1 1 1\n1 1 1\n", "FILE").added == 0);
}

TEST_CASE("exponents of Fortran are read, and numbers below the range are 0") {
  const Csr<double> a = parse(general + "2 2 4\n1 1 1D0\n1 2 -2.5d-3\n2 1 +.5D+02\n2 2 1e-400\n");
  CHECK(*find_entry(a, 0, 0) == 1);
  CHECK(*find_entry(a, 0, 1) == -2.5e-3);
  CHECK(*find_entry(a, 1, 0) == 50);
  CHECK(*find_entry(a, 1, 1) == 0);
}

TEST_CASE("a pattern counts as ones if asked") {
  const std::string pattern = "%%MatrixMarket matrix coordinate pattern symmetric\n";
  const Csr<double> a = parse(pattern + "2 2 3\n1 1\n2 2\n2 1\n", Patterns::ones);
  CHECK(a.entries() == 4);
  CHECK(*find_entry(a, 0, 1) == 1);
  CHECK_THROWS_AS(parse(pattern + "2 2 2\n1 1 3\n2 2\n", Patterns::ones), UserError);
  CHECK(*find_entry(parse(general + "1 1 1\n1 1 3\n", Patterns::ones), 0, 0) == 3);
}

TEST_CASE("a folder, a device and archives are named, and gzip is read") {
  const testing::PlantedTree tree;
  const auto refused = [&](const std::string& path) -> std::string {
    try {
      read_matrix_market(path);
    } catch (const UserError& error) {
      return error.what();
    }
    return "";
  };
  const auto of = [&](const std::string& content) {
    tree.write("m.mtx", content);
    return refused((tree.root() / "m.mtx").string());
  };
  const std::string path = (tree.root() / "m.mtx").string();
  CHECK(refused(tree.root().string()) ==
        "matrix file " + tree.root().string() + " is a folder; give the path of a Matrix Market file in it");
  CHECK(refused("/dev/zero") == "matrix file /dev/zero is a device or a pipe; write the matrix to a regular file");
  CHECK(of("PK\x03\x04...") ==
        "matrix file " + path + " is a zip archive; unpack it, and give the file that begins with %%MatrixMarket");
  CHECK(of("m.mtx" + std::string(252, '\0') + "ustar").find("is a tar archive") != std::string::npos);
  CHECK(of("BZh91AY").find("is packed by bzip2") != std::string::npos);
  CHECK(of("\xfd"
           "7zXZ")
            .find("is packed by xz") != std::string::npos);
  CHECK(of("\x28\xb5\x2f\xfd").find("is packed by zstd") != std::string::npos);
  CHECK(of("").find("it does not begin with %%MatrixMarket") != std::string::npos);
  // Blocks that are stored: length, inverse, content, check sum.
  const auto member = [](const std::string& text, const std::string& sum) {
    const auto length = static_cast<unsigned>(text.size());
    const auto low = static_cast<char>(length & 255), high = static_cast<char>(length >> 8);
    std::string packed("\x1f\x8b\x08\0\0\0\0\0\0\x03\x01", 11);
    packed += {low, high, static_cast<char>(~low), static_cast<char>(~high)};
    return packed + text + sum + std::string{low, high, '\0', '\0'};
  };
  const std::string text = symmetric + "1 1 1\n1 1 3\n";
  tree.write("m.mtx", member(text, std::string("\x03\xf3\xf0\x68", 4)));
  CHECK(*find_entry(read_matrix_market(path).a, 0, 0) == 3);
  CHECK(of(member(text, "abcd")).find("m.mtx: its check sum is not that of its content") != std::string::npos);
  CHECK(of(member("m.mtx" + std::string(252, '\0') + "ustar", std::string("\x85\xb7\x9c\x8b", 4)))
            .find("is a tar archive") != std::string::npos);
}

TEST_CASE("a file is read from disk, one that is not there is refused") {
  const std::string path = "/tmp/tenken-matrix-" + std::to_string(getpid());
  std::ofstream(path) << symmetric << "1 1 1\n1 1 3\n";
  CHECK(*find_entry(read_matrix_market(path).a, 0, 0) == 3);
  std::remove(path.c_str());
  CHECK_THROWS_WITH_AS(read_matrix_market(path),
                       ("matrix file " + path + " cannot be read; give the path of a Matrix Market file").c_str(),
                       UserError);
}
