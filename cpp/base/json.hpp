// A small JSON writer: numbers as the shortest text that reads back the same, non-finite ones as "nan", "inf", "-inf".
#pragma once

#include <charconv>
#include <cmath>
#include <concepts>
#include <string>
#include <string_view>

namespace tenken {

class Json {
 public:
  Json& begin_object() { return open('{'); }
  Json& end_object() { return close('}'); }
  Json& begin_array() { return open('['); }
  Json& end_array() { return close(']'); }

  Json& key(std::string_view name) {
    separate();
    quote(name);
    out_ += ':';
    fresh_ = true;
    return *this;
  }

  Json& value(std::string_view text) {
    separate();
    quote(text);
    return *this;
  }
  Json& value(const char* text) { return value(std::string_view(text)); }
  Json& value(bool truth) { return raw(truth ? "true" : "false"); }
  Json& null() { return raw("null"); }

  template <std::integral T>
  Json& value(T number) {
    return raw(std::to_string(number));
  }

  Json& value(double number) {
    if (std::isnan(number)) return value("nan");
    if (std::isinf(number)) return value(number > 0 ? "inf" : "-inf");
    char text[32];
    const auto [end, error] = std::to_chars(text, text + sizeof text, number);
    return raw(std::string_view(text, static_cast<std::size_t>(end - text)));
  }

  template <class T>
  Json& field(std::string_view name, const T& what) {
    return key(name).value(what);
  }

  const std::string& text() const { return out_; }

 private:
  Json& open(char bracket) {
    separate();
    out_ += bracket;
    fresh_ = true;
    return *this;
  }
  Json& close(char bracket) {
    out_ += bracket;
    fresh_ = false;
    return *this;
  }
  Json& raw(std::string_view text) {
    separate();
    out_ += text;
    return *this;
  }
  void separate() {
    if (!fresh_) out_ += ',';
    fresh_ = false;
  }
  void quote(std::string_view text) {
    out_ += '"';
    for (const char c : text) {
      const auto byte = static_cast<unsigned char>(c);
      if (c == '"' || c == '\\') {
        out_ += '\\';
        out_ += c;
      } else if (byte < 0x20) {
        constexpr char digits[] = "0123456789abcdef";
        out_ += "\\u00";
        out_ += digits[byte >> 4];
        out_ += digits[byte & 15];
      } else {
        out_ += c;
      }
    }
    out_ += '"';
  }

  std::string out_;
  bool fresh_ = true;
};

}  // namespace tenken
