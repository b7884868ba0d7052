// The text header of a NERSC gauge configuration. Pure: no files, no messages.
//
// A file is BEGIN_HEADER, lines `KEY = value`, END_HEADER, and then nothing but the links: sites with x fastest, then
// y, z, t; at each site mu = x, y, z, t; of each link two or three rows of colour; of each element real and imaginary
// part.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "parallel/decomposition.hpp"

namespace tenken::qcd {

enum class ByteOrder { little, big };
ByteOrder host_order();

// How links are stored.
struct NerscForm {
  int rows = 3;        // 2: DATATYPE 4D_SU3_GAUGE, the third follows from them; 3: 4D_SU3_GAUGE_3x3
  int real_bytes = 8;  // FLOATING_POINT IEEE32 or IEEE64
  ByteOrder order = ByteOrder::big;
  // IEEE32 and IEEE64 alone do not say the order, and programs disagree on it (little or the host's for some, big for
  // others): `order` is then a guess, which the checksum confirms or turns.
  bool order_said = true;

  int link_bytes() const { return rows * 6 * real_bytes; }
};

struct NerscHeader {
  NerscForm form;
  Index4 lattice{};
  std::uint32_t checksum = 0;  // sum of all 32-bit words of the data, each in its byte order, modulo 2^32
  double plaquette = 0;        // Re tr / 3, mean over sites and planes
  double link_trace = 0;       // Re tr / 3, mean over links
  double plaquette_digit = 0;  // one unit of the last digit printed
  double link_trace_digit = 0;
  std::int64_t data_begin = 0;  // bytes before the links

  std::int64_t links() const { return dimensions * product(lattice); }
  std::int64_t file_bytes() const { return data_begin + links() * form.link_bytes(); }
};

// A header is never longer.
constexpr std::size_t longest_nersc_header = 65536;

// `start`: the first bytes of the file, at least longest_nersc_header where it has as many. Unknown keys, blank lines,
// carriage returns and any order of keys are accepted. Throws UserError naming `file` and the line that is missing,
// repeated with another value, or cannot be.
NerscHeader parse_nersc_header(std::string_view start, std::string_view file);

// Throws UserError unless the file has exactly the size that its header asks for.
void require_nersc_size(const NerscHeader& header, std::int64_t bytes, std::string_view file);

// What a file says of where it comes from. Line breaks become blanks.
struct NerscText {
  std::string ensemble_id = "tenken";
  std::string ensemble_label;
  std::int64_t sequence_number = 0;
  std::string creator = "Tenken";
  std::string creator_hardware;
  std::string date;  // of creation and archiving
};

// The header as text; data_begin of `header` is not used.
std::string nersc_header_text(const NerscHeader& header, const NerscText& text);

}  // namespace tenken::qcd
