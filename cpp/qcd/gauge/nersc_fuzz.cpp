// Fuzz target: any bytes as a NERSC file, through the code of the reader without its messages. A file is refused with a
// sentence or read; what was read can be written again. The sources are included, so that the fuzzer sees their
// branches.
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "qcd/gauge/nersc_data.cpp"
#include "qcd/gauge/nersc_header.cpp"
#include "qcd/gauge/su3.cpp"

using namespace tenken;
using namespace tenken::qcd;

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

// The sum over links is that over the whole data, and what is finite goes back into the same bytes.
void read_links(const NerscHeader& header, std::span<const std::byte> data) {
  const NerscForm& form = header.form;
  const auto bytes = static_cast<std::size_t>(form.link_bytes());
  std::uint32_t sum = 0;
  std::vector<std::byte> again(bytes);
  for (std::size_t at = 0; at < data.size(); at += bytes) {
    const std::span<const std::byte> one = data.subspan(at, bytes);
    sum += word_sum(one, form.order);
    const Link link = decode_link(form, one.data());
    if (!finite(link)) continue;
    require(!(unitarity_error(link) < 0));  // NaN where squares overflow
    encode_link(form, link, again.data());
    require(std::equal(again.begin(), again.end(), one.begin()));
  }
  require(sum == word_sum(data, form.order));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view file(reinterpret_cast<const char*>(bytes), size);
  try {
    const NerscHeader header = parse_nersc_header(file.substr(0, longest_nersc_header), "FILE");
    const NerscLimits limits = nersc_limits(header);
    for (const double limit : {limits.plaquette, limits.link_trace}) require(limit >= 1e-5 && limit <= 1e-2);
    const NerscHeader back = parse_nersc_header(nersc_header_text(header, {}), "FILE");
    require(back.lattice == header.lattice && back.checksum == header.checksum);
    require(back.form.link_bytes() == header.form.link_bytes() && back.form.order == header.form.order);
    require_nersc_size(header, static_cast<std::int64_t>(size), "FILE");
    read_links(header, std::as_bytes(std::span(file).subspan(static_cast<std::size_t>(header.data_begin))));
  } catch (const UserError& error) {
    require(std::string_view(error.what()).starts_with("--configuration FILE"));
  }
  return 0;
}
