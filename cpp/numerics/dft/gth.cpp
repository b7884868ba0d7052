#include "numerics/dft/gth.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "base/error.hpp"

namespace tenken::dft {

namespace {

struct Line {
  int number = 0;
  std::vector<std::string> words;
};

bool is_name(const std::string& word) { return std::isalpha(static_cast<unsigned char>(word[0])) != 0; }

// An entry begins with an element: one or two letters, before other names. Keywords such as NLCC are longer.
bool begins_entry(const Line& line) { return is_name(line.words[0]) && line.words[0].size() <= 2; }

std::vector<Line> lines_of(std::string_view text) {
  std::vector<Line> lines;
  std::istringstream all{std::string(text)};
  std::string row;
  for (int number = 1; std::getline(all, row); ++number) {
    std::istringstream words(row.substr(0, row.find('#')));
    Line line{number, {}};
    for (std::string word; words >> word;) line.words.push_back(word);
    if (!line.words.empty()) lines.push_back(line);
  }
  return lines;
}

// The numbers of one entry, one after the other.
class Numbers {
 public:
  Numbers(const std::vector<Line>& lines, std::size_t header, const std::string& source)
      : lines_(lines), at_(header + 1), header_(header), source_(source) {}

  [[noreturn]] void wrong(const std::string& what) const {
    const Line& line = lines_[std::min(at_, lines_.size() - 1)];
    refuse("'" + source_ + "', line " + std::to_string(line.number) + ", element " + lines_[header_].words[0] + ": " +
           what);
  }
  bool at_end() const { return at_ >= lines_.size() || begins_entry(lines_[at_]); }
  int left_of_line() const { return static_cast<int>(lines_[at_].words.size() - word_); }

  double real(const std::string& what) {
    if (at_end()) wrong("the entry ends before " + what + "; complete it");
    const std::string& word = lines_[at_].words[word_];
    char* end = nullptr;
    const double value = std::strtod(word.c_str(), &end);
    if (is_name(word)) wrong("'" + word + "' begins a part that is not computed here; use an entry without it");
    if (*end != '\0' || !std::isfinite(value)) wrong("'" + word + "' is not a number; state " + what);
    if (++word_ == lines_[at_].words.size()) {
      ++at_;
      word_ = 0;
    }
    return value;
  }
  int count(const std::string& what, int most) {
    const Numbers before = *this;
    const double value = real(what);
    if (!(value >= 0 && value <= most) || value != std::floor(value))
      before.wrong(what + " is " + before.lines_[before.at_].words[before.word_] + "; 0 to " + std::to_string(most) +
                   " are computed here");
    return static_cast<int>(value);
  }
  double radius(const std::string& what) {
    constexpr double longest = 10;  // Bohr
    const Numbers before = *this;
    const double value = real(what);
    if (!(value > 0 && value < longest)) before.wrong(what + " must be above 0 and below 10 Bohr");
    return value;
  }

 private:
  const std::vector<Line>& lines_;
  std::size_t at_, header_, word_ = 0;
  const std::string& source_;
};

// Electrons that a name such as GTH-PADE-q4 states, else 0.
int charge_in_name(const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    const std::size_t q = name.rfind("-q");
    if (q != std::string::npos) return std::atoi(name.c_str() + q + 2);
  }
  return 0;
}

bool of_local_density(const Line& header) {
  for (const std::string& name : header.words)
    if (name.find("PADE") != std::string::npos || name.find("LDA") != std::string::npos) return true;
  return false;
}

std::size_t header_of(const std::vector<Line>& lines, const std::string& source, const std::string& element) {
  std::vector<std::size_t> found, local;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (!begins_entry(lines[i]) || lines[i].words[0] != element) continue;
    found.push_back(i);
    if (of_local_density(lines[i])) local.push_back(i);
  }
  if (std::none_of(lines.begin(), lines.end(), begins_entry))
    refuse("'" + source + "' has no entry in CP2K's form (GTH_POTENTIALS); convert the file to that form");
  if (found.empty()) refuse("'" + source + "' has no entry for element " + element + "; add the entry");
  const std::vector<std::size_t>& candidates = found.size() == 1 ? found : local;
  if (candidates.size() == 1) return candidates[0];
  std::string where;
  for (const std::size_t i : candidates.empty() ? found : candidates)
    where += (where.empty() ? "" : ", ") + std::to_string(lines[i].number);
  refuse("'" + source + "' has several entries for element " + element + " (lines " + where +
         "); leave only the entry that you mean");
}

}  // namespace

Pseudopotential gth_entry(std::string_view text, const std::string& source, const std::string& element) {
  const std::vector<Line> lines = lines_of(text);
  const std::size_t header = header_of(lines, source, element);
  Numbers numbers(lines, header, source);
  Pseudopotential ion;
  ion.element = element;
  if (numbers.at_end()) numbers.wrong("the entry has no numbers; complete it");
  for (int i = numbers.left_of_line(); i > 0; --i) ion.charge += numbers.count("a number of electrons", 99);
  const int stated = charge_in_name(lines[header].words);
  if (ion.charge == 0 || (stated > 0 && stated != ion.charge))
    numbers.wrong("the electrons add up to " + std::to_string(ion.charge) + ", but the name of the entry states " +
                  std::to_string(stated) + "; correct the entry");
  ion.local_radius = numbers.radius("r_loc");
  const int locals = numbers.count("the number of local coefficients", static_cast<int>(ion.local.size()));
  for (int i = 0; i < locals; ++i) ion.local[static_cast<std::size_t>(i)] = numbers.real("a local coefficient");
  const int momenta = numbers.count("the number of angular momenta", most_l + 1);
  for (int l = 0; l < momenta; ++l) {
    Projector& of = ion.of_l[static_cast<std::size_t>(l)];
    const double radius = numbers.radius("the radius of l = " + std::to_string(l));
    const auto n = static_cast<std::size_t>(
        numbers.count("the number of projectors of l = " + std::to_string(l), most_projectors));
    if (n > 0) of.radius = radius;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = i; j < n; ++j)
        of.h[i][j] = of.h[j][i] = numbers.real("a coefficient of l = " + std::to_string(l));
  }
  if (!numbers.at_end()) {
    const Numbers before = numbers;
    numbers.real("the next element");  // refuses keywords
    before.wrong("numbers are left behind the last projector; correct the entry");
  }
  return ion;
}

void use_pseudopotentials(const std::string& path, const std::vector<Atom>& atoms) {
  std::ifstream file(path);
  std::ostringstream text;
  if (!file || !(text << file.rdbuf())) refuse("the pseudopotentials '" + path + "' cannot be read; check the path");
  for (const Atom& atom : atoms) set_pseudopotential(gth_entry(text.str(), path, atom.element));
}

}  // namespace tenken::dft
