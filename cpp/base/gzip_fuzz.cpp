// Any bytes as a file of gzip: it is unpacked, within the limit, or refused with a sentence. The source is included, so
// that the fuzzer sees its branches; check sums are not guessed, so the blocks are unpacked without them, too.
#include "base/gzip.cpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::int64_t most = 1 << 20;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    if (tenken::gunzip(bytes, "FILE", most).size() > most) __builtin_trap();
  } catch (const tenken::UserError&) {
  }
  try {
    tenken::Bits bits(bytes);
    std::string out;
    tenken::Inflater(bits, out, most).run();
  } catch (const tenken::Damaged&) {
  } catch (const tenken::Cut&) {
  } catch (const tenken::TooLong&) {
  }
  return 0;
}
