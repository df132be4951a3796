// A server of the Language Server Protocol that shows what a corpus knows beside the sources: code
// lenses, inlay hints, hovers, diagnostics. It takes messages one by one and leaves answers; it
// opens no corpus and waits for nothing, which is for who runs it (tools/quincunx/editor).
// Reference: microsoft.github.io/language-server-protocol (3.17), docs/24-editor.md.
#pragma once

#include "quincunx/report/Annotate.h"
#include "quincunx/report/EditorCorpus.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace quincunx {

class LanguageServer {
public:
  /// `folder`: where the server was started, the root of a client that has none. `disk`: the text
  /// of a file, none where it cannot be read.
  using TextReader = std::function<std::optional<std::string>(const std::string &path)>;
  LanguageServer(std::string version, std::string folder, TextReader disk);
  ~LanguageServer();

  /// One message of the client.
  void receive(std::string_view message);
  /// Bytes of the client that were no message.
  void refuse(const Error &error);
  /// Nothing came for a while: looks whether edited texts are again what was compiled.
  void rest();
  bool wantsRest() const;

  /// The corpus was read, or read again; `lines`: of wantedLines().
  void take(std::shared_ptr<const EditorCorpus> corpus, const std::string &path,
            std::map<SourceVersion, FileFigures> lines);
  void take(const SourceVersion &version, FileFigures lines);
  /// There is no corpus to read, or it cannot be read: said once, and shown until one is. The last
  /// one that was read stays.
  void takeNone(const std::string &why);

  /// Known from the first message on; none before it.
  struct Workspace {
    std::string root;   ///< a path
    std::string corpus; ///< of the options of the client; empty: not said
  };
  const std::optional<Workspace> &workspace() const;
  /// The client says that files changed.
  bool tookChanges();
  /// Sources that are open and of which the figures of lines are not known.
  std::vector<SourceVersion> wantedLines() const;
  std::vector<SourceVersion> openSources() const;

  /// Messages for the client since the last call, in order.
  std::vector<std::string> send();
  /// The status that the server ends with; none: it goes on.
  std::optional<int> ended() const;

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace quincunx
