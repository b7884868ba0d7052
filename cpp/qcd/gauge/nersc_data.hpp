// The links of a NERSC gauge configuration as bytes. Pure: no files, no messages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "qcd/gauge/nersc_header.hpp"
#include "qcd/gauge/su3.hpp"

namespace tenken::qcd {

// Sum of the 32-bit words of `data` (whole words) read in that byte order, modulo 2^32. A real of 64 bits is two words:
// swapping all of its bytes swaps those inside each word and the two words, which a sum does not see.
std::uint32_t word_sum(std::span<const std::byte> data, ByteOrder order);

// One link from, or to, form.link_bytes() bytes. A third row that is not stored is conj(row 0 x row 1); one that is
// stays as it is, and so does every element: nothing is made unitary. Doubles are rounded to 32 bits where the form
// asks for it.
Link decode_link(const NerscForm& form, const std::byte* data);
void encode_link(const NerscForm& form, const Link& link, std::byte* data);

bool finite(const Link& link);

// Limits of what a file may differ from SU(3), and its averages from those of its header.
//
// Links of 32 bits are unitary to some 1e-6 (18 roundings of 6e-8), those of 64 bits may hold what once had 32. The
// averages prove that both programs mean the same by the order of sites, directions and colours, where a mistake makes
// differences of 1e-3 and more; single bits are the checksum's business. Headers are often summed in single precision,
// so 1e-5 is granted, as Grid does; or printed with few digits, so one unit of the last digit, but at most 1e-2 ("1"
// may be meant to six digits).
struct NerscLimits {
  double links;
  double plaquette;
  double link_trace;
};
NerscLimits nersc_limits(const NerscHeader& header);

}  // namespace tenken::qcd
