// Prints the most frequent words of a text: words FILE [HOW_MANY]. What it costs depends on how long the text is, and on
// how many different words it has.
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <unordered_map>
#include <vector>

struct Word {
  std::string text;
  long count;
};

static std::string read(const char *file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

static std::unordered_map<std::string, long> count(const std::string &text) {
  std::unordered_map<std::string, long> counts;
  std::string word;
  for (const char c : text + ' ') {
    if (c != ' ' && c != '\n') {
      word += c;
    } else if (!word.empty()) {
      ++counts[word];
      word.clear();
    }
  }
  return counts;
}

static std::vector<Word> ranked(const std::unordered_map<std::string, long> &counts) {
  std::vector<Word> words;
  for (const auto &[text, times] : counts)
    words.push_back({text, times});
  std::sort(words.begin(), words.end(), [](const Word &a, const Word &b) {
    return a.count != b.count ? a.count > b.count : a.text < b.text;
  });
  return words;
}

int main(int argc, char **argv) {
  if (argc < 2) {
    std::cerr << "usage: words FILE [HOW_MANY]\n";
    return 2;
  }
  const std::vector<Word> words = ranked(count(read(argv[1])));
  const size_t most = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 10;
  for (size_t i = 0; i < std::min(most, words.size()); ++i)
    std::cout << words[i].count << ' ' << words[i].text << '\n';
}
