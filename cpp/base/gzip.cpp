#include "base/gzip.hpp"

#include "base/error.hpp"

#if TENKEN_ZLIB
#include <zlib.h>

#include <algorithm>
#include <array>
#include <limits>
#endif

namespace tenken {

bool is_gzip(std::string_view bytes) { return bytes.starts_with("\x1f\x8b"); }

#if TENKEN_ZLIB

namespace {

constexpr int gzip_window = 15 + 16;  // the largest window, and a header of gzip

class Stream {
 public:
  Stream() {
    if (inflateInit2(&stream_, gzip_window) != Z_OK) impossible("zlib has no memory to unpack a file");
  }
  ~Stream() { inflateEnd(&stream_); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  z_stream& operator*() { return stream_; }
  z_stream* operator->() { return &stream_; }

 private:
  z_stream stream_{};
};

}  // namespace

std::string gunzip(std::string_view bytes, const std::string& file, std::int64_t most) {
  Stream stream;
  std::string out;
  std::array<char, 1 << 16> part{};
  do {
    inflateReset(&*stream);
    for (int state = Z_OK; state != Z_STREAM_END;) {
      const std::size_t given = std::min<std::size_t>(bytes.size(), std::numeric_limits<int>::max());
      stream->next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));  // zlib reads it only
      stream->avail_in = static_cast<uInt>(given);
      stream->next_out = reinterpret_cast<Bytef*>(part.data());
      stream->avail_out = part.size();
      state = inflate(&*stream, Z_NO_FLUSH);
      bytes.remove_prefix(given - stream->avail_in);
      out.append(part.data(), part.size() - stream->avail_out);
      if (out.size() > static_cast<std::size_t>(most)) {
        impossible(file + ": it unpacks to more than " + std::to_string(most >> 20) +
                   " MiB, which is the memory that is free for it; use a node with more");
      }
      if (state == Z_BUF_ERROR) refuse(file + ": the data packed by gzip end too early; get the file anew, it was cut");
      if (state == Z_DATA_ERROR && stream->msg != nullptr && std::string_view(stream->msg).ends_with("check")) {
        refuse(file + ": its check sum is not that of its content, so the file is damaged; get it anew");
      }
      if (state != Z_OK && state != Z_STREAM_END) {
        refuse(file + ": the data packed by gzip are damaged; get the file anew");
      }
    }
  } while (is_gzip(bytes));
  return out;
}

#else

std::string gunzip(std::string_view, const std::string& file, std::int64_t) {
  lacking(file + " is packed by gzip, and this program was built without zlib; unpack it: gunzip " + file);
}

#endif

}  // namespace tenken
