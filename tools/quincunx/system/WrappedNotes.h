// Notes on a terminal, in lines as wide as that.
#pragma once

#include <memory>
#include <streambuf>

namespace quincunx::tool {

/// As long as it lives, a line of the standard output that is a note and wider than the terminal
/// goes on in further ones, between words. What is no terminal gets each note in one line.
class WrappedNotes {
public:
  WrappedNotes();
  ~WrappedNotes();
  WrappedNotes(const WrappedNotes &) = delete;
  WrappedNotes &operator=(const WrappedNotes &) = delete;

private:
  std::unique_ptr<std::streambuf> wrapper; ///< null: no terminal
  std::streambuf *before = nullptr;
};

} // namespace quincunx::tool
