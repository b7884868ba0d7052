// Files packed by gzip, also of several members one after the other (P. Deutsch, RFC 1952, 1996), by zlib.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tenken {

bool is_gzip(std::string_view bytes);

// The unpacked bytes; what follows the last member is left out, as gzip does. Throws UserError, with `file` as its
// first words, where the data are cut or damaged, where the check sum is another, or where they unpack to more than
// `most` bytes; and where this program was built without zlib (lacking).
std::string gunzip(std::string_view bytes, const std::string& file, std::int64_t most);

}  // namespace tenken
