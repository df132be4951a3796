// The standard output, and notes on a terminal in lines as wide as that.
#pragma once

namespace quincunx::tool {

/// As long as it lives, a line of the standard output that is a note and wider than the terminal
/// goes on in further ones, between words. What is no terminal gets each note in one line.
class WrappedNotes {
public:
  WrappedNotes();
  ~WrappedNotes();
  WrappedNotes(const WrappedNotes &) = delete;
  WrappedNotes &operator=(const WrappedNotes &) = delete;
};

/// From here on nobody writes to the standard output but by std::cout, in large pieces.
void writeInLargePieces();

} // namespace quincunx::tool
