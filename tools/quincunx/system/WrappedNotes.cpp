// A line is kept back as long as it may be a note, and what is none goes on at once.
#include "WrappedNotes.h"

#include "TerminalTraits.h"

#include <iostream>
#include <memory>
#include <streambuf>
#include <string>
#include <string_view>

namespace quincunx::tool {

namespace {

constexpr std::string_view begin = "note: ", further = "      ";

class Wrapper : public std::streambuf {
public:
  Wrapper(std::streambuf &o, size_t columns) : out(o), width(columns) {}
  ~Wrapper() override { release(); }

private:
  int overflow(int c) override {
    if (traits_type::eq_int_type(c, traits_type::eof()))
      return traits_type::not_eof(c);
    const char character = traits_type::to_char_type(c);
    return put(character) ? c : traits_type::eof();
  }
  int sync() override { return isNote() ? 0 : (release() ? out.pubsync() : -1); }

  bool isNote() const { return std::string_view(line).starts_with(begin); }

  bool put(char c) {
    if (isRest) {
      isRest = c != '\n';
      return out.sputc(c) != traits_type::eof();
    }
    if (c == '\n') {
      const bool isWritten = isNote() ? wrap() : release();
      return isWritten && out.sputc(c) != traits_type::eof();
    }
    line += c;
    if (isNote() || begin.starts_with(line))
      return true;
    isRest = true;
    return release();
  }

  bool write(std::string_view text) {
    const auto size = static_cast<std::streamsize>(text.size());
    return out.sputn(text.data(), size) == size;
  }

  bool release() {
    const bool isWritten = write(line);
    line.clear();
    return isWritten;
  }

  /// Characters, of which each is one column wide where figures and names are.
  static size_t columnsOf(std::string_view text) {
    size_t n = 0;
    for (const char c : text)
      n += (static_cast<unsigned char>(c) & 0xc0) != 0x80 ? 1 : 0;
    return n;
  }

  bool wrap() {
    std::string wrapped;
    size_t used = 0;
    std::string_view rest = line;
    while (!rest.empty()) {
      const std::string_view word = rest.substr(0, rest.find(' '));
      const size_t columns = columnsOf(word);
      if (used > further.size() && used + 1 + columns > width) {
        wrapped.append("\n").append(further);
        used = further.size();
      } else if (used > 0) {
        wrapped += ' ';
        ++used;
      }
      wrapped += word;
      used += columns;
      rest.remove_prefix(std::min(word.size() + 1, rest.size()));
    }
    line = std::move(wrapped);
    return release();
  }

  std::streambuf &out;
  const size_t width;
  std::string line;    ///< that is or may be a note
  bool isRest = false; ///< of a line that is none
};

std::unique_ptr<Wrapper> wrapper; ///< null: no terminal
std::streambuf *wrapped = nullptr;

void wrap() {
  if (isatty(STDOUT_FILENO) == 0)
    return;
  wrapped = std::cout.rdbuf();
  wrapper = std::make_unique<Wrapper>(*wrapped, readersWidth());
  std::cout.rdbuf(wrapper.get());
}

} // namespace

WrappedNotes::WrappedNotes() { wrap(); }

WrappedNotes::~WrappedNotes() {
  if (wrapper == nullptr)
    return;
  std::cout.rdbuf(wrapped);
  wrapper.reset();
}

void writeInLargePieces() {
  std::ios::sync_with_stdio(false); // std::cout has another buffer
  wrap();
}

} // namespace quincunx::tool
