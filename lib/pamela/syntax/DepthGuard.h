// How deep brackets and constructs stand in each other. Nobody writes 500, and the stack has an
// end.
#pragma once

#include "Parser.h"

namespace quincunx::pamela {

struct Parser::Nest {
  explicit Nest(Parser &of) : parser(of) {
    if (++parser.depth > 500)
      parser.fail("brackets and constructs more than 500 deep; give parts of it names of their own",
                  parser.now().at);
  }
  ~Nest() { --parser.depth; }
  Nest(const Nest &) = delete;
  Nest &operator=(const Nest &) = delete;
  explicit operator bool() const { return !parser.failed; }

private:
  Parser &parser;
};

} // namespace quincunx::pamela
