// Reads files, and the files they include.
// The idea: what a name stands for depends on whether any file defines it, so all files are read
// before the first is parsed; keywords are reserved, so definitions show in the words. Reference:
// docs/12-pamela.md, "Grammar".
#include "ModelFiles.h"

#include "quincunx/base/ReadFile.h"
#include "quincunx/base/Text.h"
#include "quincunx/pamela/Parse.h"

#include <algorithm>
#include <filesystem>
#include <map>

namespace quincunx::pamela {

namespace fs = std::filesystem;

namespace {

constexpr size_t deepestInclude = 100;

class Reader {
public:
  Result<ModelFiles> run(std::string text, const std::string &name) {
    if (const Status s = add(std::move(text), name); !s)
      return s.error();
    return std::move(all);
  }

private:
  static std::string key(const std::string &path) {
    std::error_code failed;
    const fs::path whole = fs::weakly_canonical(path, failed);
    return failed ? path : whole.string();
  }

  Status add(std::string text, const std::string &name) {
    const size_t number = all.files.size();
    all.files.push_back(std::make_unique<ModelFile>());
    ModelFile &s = *all.files.back();
    s.name = name;
    s.text = std::move(text);
    numbers[key(name)] = number;
    Result<std::vector<Token>> tokens =
        lex(s.text, name, static_cast<uint32_t>(number), s.comments);
    if (!tokens)
      return tokens.error();
    s.tokens = std::move(*tokens);
    open.push_back(number);
    for (size_t i = 0; i + 1 < s.tokens.size(); ++i) {
      const Token &t = s.tokens[i];
      if (t.is("include") && s.tokens[i + 1].type == Token::Type::quoted) {
        if (const Status ok = include(s, s.tokens[i + 1]); !ok)
          return ok;
      } else if (t.is("numeric") || t.is("process") || t.is("resource")) {
        const Token &next = s.tokens[i + 1].is("parameter") ? s.tokens[i + 2] : s.tokens[i + 1];
        if (next.type == Token::Type::name)
          all.defined.emplace(next.text);
      }
    }
    open.pop_back();
    return Done{};
  }

  Status include(ModelFile &from, const Token &file) {
    const auto error = [&](const std::string &text) {
      return Error{text, from.name, file.at.line, file.at.column};
    };
    const std::string path = (fs::path(from.name).parent_path() / std::string(file.text)).string();
    if (const auto known = numbers.find(key(path)); known != numbers.end()) {
      from.includes.emplace_back();
      const auto circle = std::find(open.begin(), open.end(), known->second);
      if (circle == open.end())
        return Done{};
      std::string text = "files include each other in a circle: ";
      for (auto i = circle; i != open.end(); ++i)
        text += escape(all.files[*i]->name) + ", ";
      return error(text + escape(all.files[known->second]->name));
    }
    if (open.size() == deepestInclude)
      return error("files include each other more than 100 deep");
    from.includes.emplace_back(all.files.size());
    Result<std::string> text = readTextFile(path);
    if (!text)
      return error("cannot include " + escape(path) + ": " + text.error().text);
    return add(std::move(*text), path);
  }

  ModelFiles all;
  std::map<std::string, size_t> numbers; ///< by canonical path
  std::vector<size_t> open;              ///< files in which an include is being followed
};

} // namespace

Result<ModelFiles> readModelFiles(std::string text, const std::string &name) {
  if (text.size() > maxTextBytes)
    return Error{"larger than 16 MB", name};
  return Reader().run(std::move(text), name);
}

} // namespace quincunx::pamela
