#include "base/gzip.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <span>
#include <vector>

#include "base/error.hpp"

namespace tenken {

namespace {

constexpr int longest_code = 15;
constexpr int end_of_block = 256;

struct Damaged {};  // found while unpacking: reported once, with the name of the file
struct Cut {};
struct TooLong {};

std::uint32_t check_sum(std::string_view bytes) {
  static const std::array<std::uint32_t, 256> table = [] {
    std::array<std::uint32_t, 256> t{};
    for (std::uint32_t n = 0; n < 256; ++n) {
      std::uint32_t c = n;
      for (int k = 0; k < 8; ++k) c = (c & 1) != 0 ? 0xEDB88320U ^ (c >> 1) : c >> 1;
      t[n] = c;
    }
    return t;
  }();
  std::uint32_t sum = 0xFFFFFFFFU;
  for (const char c : bytes) sum = table[(sum ^ static_cast<unsigned char>(c)) & 255] ^ (sum >> 8);
  return ~sum;
}

// Bits from the lowest of each byte on. Zeros follow the end, for codes that are looked up by more bits than are left.
class Bits {
 public:
  explicit Bits(std::string_view bytes) : bytes_(bytes) {}

  std::uint32_t peek(int n) {
    while (count_ < n) {
      const std::uint64_t next = at_ < bytes_.size() ? static_cast<unsigned char>(bytes_[at_]) : 0;
      held_ |= next << count_;
      count_ += 8;
      ++at_;
    }
    return static_cast<std::uint32_t>(held_ & ((std::uint64_t{1} << n) - 1));
  }
  void skip(int n) {
    held_ >>= n;
    count_ -= n;
    if (at_ - static_cast<std::size_t>(count_ / 8) > bytes_.size()) throw Cut{};
  }
  std::uint32_t take(int n) {
    const std::uint32_t value = peek(n);
    skip(n);
    return value;
  }
  // The rest of the byte is padding; returns where the next one lies.
  std::size_t whole_bytes() {
    at_ -= static_cast<std::size_t>(count_ / 8);
    held_ = 0;
    count_ = 0;
    return at_;
  }
  std::string_view bytes(std::size_t n) {
    const std::size_t first = whole_bytes();
    if (first > bytes_.size() || n > bytes_.size() - first) throw Cut{};
    at_ = first + n;
    return bytes_.substr(first, n);
  }

 private:
  std::string_view bytes_;
  std::size_t at_ = 0;
  std::uint64_t held_ = 0;
  int count_ = 0;
};

// A canonical Huffman code, looked up by as many bits as its longest word has.
class Code {
 public:
  explicit Code(std::span<const std::uint8_t> lengths) {
    std::array<int, longest_code + 1> count{};
    for (const std::uint8_t length : lengths) ++count[length];
    count[0] = 0;
    int left = 1;
    std::array<int, longest_code + 2> next{};
    for (int length = 1; length <= longest_code; ++length) {
      left = 2 * left - count[static_cast<std::size_t>(length)];
      if (left < 0) throw Damaged{};
      next[static_cast<std::size_t>(length) + 1] =
          (next[static_cast<std::size_t>(length)] + count[static_cast<std::size_t>(length)]) << 1;
      if (count[static_cast<std::size_t>(length)] > 0) bits_ = length;
    }
    words_.resize(std::size_t{1} << bits_);
    for (std::size_t symbol = 0; symbol < lengths.size(); ++symbol) {
      const int length = lengths[symbol];
      if (length == 0) continue;
      const auto word = static_cast<std::uint32_t>(next[static_cast<std::size_t>(length)]++);
      std::uint32_t first_bits = 0;
      for (int k = 0; k < length; ++k) first_bits |= (word >> k & 1) << (length - 1 - k);
      for (std::size_t at = first_bits; at < words_.size(); at += std::size_t{1} << length) {
        words_[at] = {static_cast<std::uint16_t>(symbol), static_cast<std::uint8_t>(length)};
      }
    }
  }
  int symbol(Bits& bits) const {
    const Word word = words_[bits.peek(bits_)];
    if (word.length == 0) throw Damaged{};
    bits.skip(word.length);
    return word.symbol;
  }

 private:
  struct Word {
    std::uint16_t symbol = 0;
    std::uint8_t length = 0;  // 0: no word begins so
  };
  int bits_ = 0;
  std::vector<Word> words_;
};

// Unpacks the blocks of one member after what `out` has.
class Inflater {
 public:
  Inflater(Bits& bits, std::string& out, std::size_t most) : bits_(bits), out_(out), begin_(out.size()), most_(most) {}

  void run() {
    for (bool last = false; !last;) {
      last = bits_.take(1) == 1;
      switch (bits_.take(2)) {
        case 0:
          stored();
          break;
        case 1:
          packed(fixed_lengths(), Code(std::vector<std::uint8_t>(30, 5)));
          break;
        case 2:
          own_codes();
          break;
        default:
          throw Damaged{};
      }
    }
  }

 private:
  void require_room(std::size_t n) const {
    if (n > most_ - out_.size()) throw TooLong{};
  }

  void stored() {
    const std::string_view head = bits_.bytes(4);
    const auto byte = [&](std::size_t k) { return static_cast<std::uint32_t>(static_cast<unsigned char>(head[k])); };
    const std::uint32_t length = byte(0) | byte(1) << 8, inverse = byte(2) | byte(3) << 8;
    if ((length ^ inverse) != 0xFFFFU) throw Damaged{};
    require_room(length);
    out_ += bits_.bytes(length);
  }

  static Code fixed_lengths() {
    std::vector<std::uint8_t> lengths(288, 8);
    std::fill(lengths.begin() + 144, lengths.begin() + 256, std::uint8_t{9});
    std::fill(lengths.begin() + 256, lengths.begin() + 280, std::uint8_t{7});
    return Code(lengths);
  }

  void own_codes() {
    constexpr std::array<std::size_t, 19> order{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
    const std::size_t literals = bits_.take(5) + 257, distances = bits_.take(5) + 1, given = bits_.take(4) + 4;
    std::array<std::uint8_t, 19> of_lengths{};
    for (std::size_t k = 0; k < given; ++k) of_lengths[order[k]] = static_cast<std::uint8_t>(bits_.take(3));
    const Code code(of_lengths);
    std::vector<std::uint8_t> lengths;
    while (lengths.size() < literals + distances) {
      const int symbol = code.symbol(bits_);
      if (symbol < 16) {
        lengths.push_back(static_cast<std::uint8_t>(symbol));
        continue;
      }
      if (symbol == 16 && lengths.empty()) throw Damaged{};
      const std::uint8_t value = symbol == 16 ? lengths.back() : std::uint8_t{0};
      const std::size_t times = symbol == 16   ? bits_.take(2) + 3
                                : symbol == 17 ? bits_.take(3) + 3
                                               : bits_.take(7) + 11;
      lengths.insert(lengths.end(), times, value);
    }
    if (lengths.size() > literals + distances || lengths[end_of_block] == 0) throw Damaged{};
    packed(Code({lengths.data(), literals}), Code({lengths.data() + literals, distances}));
  }

  void packed(const Code& literals, const Code& distances) {
    constexpr std::array<int, 29> base{3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                       31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
    constexpr std::array<int, 29> more{0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                       2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
    for (;;) {
      const int symbol = literals.symbol(bits_);
      if (symbol < end_of_block) {
        require_room(1);
        out_ += static_cast<char>(symbol);
        continue;
      }
      if (symbol == end_of_block) return;
      const auto of = static_cast<std::size_t>(symbol - end_of_block - 1);
      if (of >= base.size()) throw Damaged{};
      const auto length = static_cast<std::size_t>(base[of]) + bits_.take(more[of]);
      const int which = distances.symbol(bits_);
      if (which > 29) throw Damaged{};
      const int extra = which < 4 ? 0 : which / 2 - 1;
      const std::size_t first = which < 4 ? static_cast<std::size_t>(which) + 1
                                          : ((std::size_t{2} + static_cast<std::size_t>(which % 2)) << extra) + 1;
      const std::size_t distance = first + bits_.take(extra);
      if (distance > out_.size() - begin_) throw Damaged{};
      require_room(length);
      for (std::size_t k = 0; k < length; ++k) out_ += out_[out_.size() - distance];
    }
  }

  Bits& bits_;
  std::string& out_;
  std::size_t begin_;
  std::size_t most_;
};

std::uint32_t number(std::string_view bytes) {
  std::uint32_t value = 0;
  for (std::size_t k = 0; k < 4; ++k) value |= std::uint32_t{static_cast<unsigned char>(bytes[k])} << (8 * k);
  return value;
}

// Length of the header of a member.
std::size_t header_of(std::string_view bytes) {
  constexpr std::size_t fixed = 10;
  if (bytes.size() < fixed) throw Cut{};
  if (!is_gzip(bytes) || bytes[2] != 8) throw Damaged{};
  const auto flags = static_cast<unsigned char>(bytes[3]);
  std::size_t at = fixed;
  if ((flags & 4) != 0) {  // further fields
    if (bytes.size() < at + 2) throw Cut{};
    at += 2 + static_cast<unsigned char>(bytes[at]) + 256U * static_cast<unsigned char>(bytes[at + 1]);
  }
  for (const unsigned flag : {8U, 16U}) {  // a name, a comment: to a zero
    if ((flags & flag) == 0) continue;
    at = bytes.find('\0', std::min(at, bytes.size()));
    if (at == std::string_view::npos) throw Cut{};
    ++at;
  }
  if ((flags & 2) != 0) at += 2;  // a check sum of the header
  if (at > bytes.size()) throw Cut{};
  return at;
}

}  // namespace

bool is_gzip(std::string_view bytes) { return bytes.starts_with("\x1f\x8b"); }

std::string gunzip(std::string_view bytes, const std::string& file, std::int64_t most) {
  std::string out;
  try {
    do {
      bytes.remove_prefix(header_of(bytes));
      Bits bits(bytes);
      const std::size_t begin = out.size();
      Inflater(bits, out, static_cast<std::size_t>(most)).run();
      const std::string_view end = bits.bytes(8);
      const std::string_view member = std::string_view(out).substr(begin);
      if (number(end) != check_sum(member) || number(end.substr(4)) != static_cast<std::uint32_t>(member.size())) {
        refuse(file + ": its check sum is not that of its content, so the file is damaged; get it anew");
      }
      bytes.remove_prefix(bits.whole_bytes());
    } while (is_gzip(bytes));
  } catch (const Cut&) {
    refuse(file + ": the data packed by gzip end too early; get the file anew, it was cut");
  } catch (const Damaged&) {
    refuse(file + ": the data packed by gzip are damaged; get the file anew");
  } catch (const TooLong&) {
    impossible(file + ": it unpacks to more than " + std::to_string(most >> 20) +
               " MiB, which is the memory that is free for it; use a node with more");
  }
  return out;
}

}  // namespace tenken
