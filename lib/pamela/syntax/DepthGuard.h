// Guards the stack of the parser: counts how deep brackets and constructs stand in each other.
// Nobody writes 500, and the stack has an end.
#pragma once

#include "Parser.h"

namespace quincunx::pamela {

struct Parser::DepthGuard {
  explicit DepthGuard(Parser &of) : parser(of) {
    if (++parser.depth > 500)
      parser.fail("brackets and constructs more than 500 deep; give parts of it names of their own",
                  parser.now().at);
  }
  ~DepthGuard() { --parser.depth; }
  DepthGuard(const DepthGuard &) = delete;
  DepthGuard &operator=(const DepthGuard &) = delete;
  explicit operator bool() const { return !parser.failed; }

private:
  Parser &parser;
};

} // namespace quincunx::pamela
