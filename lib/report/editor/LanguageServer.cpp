// Dispatches messages. The idea: answers come from what was read last and are there at once; a
// request that needs what is being read for the first time waits, and is answered when it is there.
#include "quincunx/report/LanguageServer.h"

#include "EditorWorkspace.h"
#include "FileUri.h"
#include "quincunx/base/Text.h"
#include "quincunx/report/JsonText.h"

#include <algorithm>
#include <utility>

namespace quincunx {

namespace {

/// Brackets that are open at once; clients need a dozen.
constexpr int deepest = 64;

/// Of window/showMessage and window/logMessage.
enum class MessageType { error = 1, warning = 2, information = 3 };

bool isId(const ordered_json &id) { return id.is_string() || id.is_number_integer(); }

ordered_json capabilities(const std::string &version) {
  return {{"capabilities",
           {{"positionEncoding", "utf-16"},
            {"textDocumentSync", {{"openClose", true}, {"change", 2}}},
            {"codeLensProvider", {{"resolveProvider", false}}},
            {"inlayHintProvider", true},
            {"hoverProvider", true}}},
          {"serverInfo", {{"name", "quincunx"}, {"version", version}}}};
}

bool isTrue(const ordered_json &json, const std::vector<const char *> &path) {
  const ordered_json &value = within(json, path);
  return value.is_boolean() && value.get<bool>();
}

std::string rootOf(const ordered_json &params, const std::string &otherwise) {
  const ordered_json &folders = within(params, {"workspaceFolders"});
  const ordered_json &uri = folders.is_array() && !folders.empty()
                                ? within(folders.front(), {"uri"})
                                : within(params, {"rootUri"});
  if (const auto path = uri.is_string() ? pathOfUri(uri.get<std::string>()) : std::nullopt)
    return *path;
  const ordered_json &path = within(params, {"rootPath"});
  return path.is_string() ? path.get<std::string>() : otherwise;
}

bool readsMarkdown(const ordered_json &params) {
  const ordered_json &formats =
      within(params, {"capabilities", "textDocument", "hover", "contentFormat"});
  return !formats.is_array() || formats.empty() ||
         std::ranges::find(formats, ordered_json("markdown")) != formats.end();
}

} // namespace

struct LanguageServer::Impl {
  struct Request {
    ordered_json id, params;
    EditorWorkspace::Question question;
  };

  std::string version, folder;
  TextReader disk;
  std::optional<Workspace> asked;           ///< what the client wants
  std::optional<EditorWorkspace> workspace; ///< from then on
  bool refreshesLenses = false, refreshesHints = false;
  bool isShutDown = false, changed = false;
  std::optional<int> status;
  std::vector<Request> waiting;
  std::map<std::string, std::string> published; ///< by URI, diagnostics that the client has
  std::string complaint;                        ///< the last takeNone()
  int64_t requests = 0;                         ///< to the client
  std::vector<std::string> out;

  void send(const ordered_json &message) { out.push_back(jsonText(message, -1)); }
  void tell(const char *method, MessageType type, const std::string &text) {
    send(rpcNotification(
        method, {{"type", static_cast<int>(type)}, {"message", "quincunx: " + printable(text)}}));
  }
  void receive(const ordered_json &message);
  void request(const ordered_json &id, const std::string &method, const ordered_json &params);
  void notify(const std::string &method, const ordered_json &params);
  void initialize(const ordered_json &id, const ordered_json &params);
  void cancel(const ordered_json &id);
  void answerWaiting();
  void publish();
  void refresh();
};

// ---- messages

void LanguageServer::Impl::receive(const ordered_json &message) {
  const ordered_json &id = within(message, {"id"}), &method = within(message, {"method"});
  const bool hasId = message.is_object() && message.contains("id");
  if (hasId && !message.contains("method"))
    return; // an answer to one of ours
  if (!method.is_string() || (hasId && !isId(id)))
    return send(rpcError(isId(id) ? id : ordered_json(), RpcCode::invalidRequest,
                         "not a request of JSON-RPC 2.0"));
  if (hasId)
    request(id, method.get<std::string>(), within(message, {"params"}));
  else
    notify(method.get<std::string>(), within(message, {"params"}));
}

void LanguageServer::Impl::request(const ordered_json &id, const std::string &method,
                                   const ordered_json &params) {
  if (method == "initialize" && !workspace)
    return initialize(id, params);
  if (!workspace)
    return send(rpcError(id, RpcCode::notInitialized, "initialize comes first"));
  if (isShutDown || method == "initialize")
    return send(rpcError(id, RpcCode::invalidRequest,
                         isShutDown ? "the server was shut down" : "initialized twice"));
  if (method == "shutdown") {
    isShutDown = true;
    return send(rpcResult(id, nullptr));
  }
  const EditorWorkspace::Question question = EditorWorkspace::questionOf(method);
  if (question == nullptr)
    return send(rpcError(id, RpcCode::methodNotFound, "no method " + escape(method)));
  waiting.push_back({id, params, question});
  answerWaiting();
}

void LanguageServer::Impl::initialize(const ordered_json &id, const ordered_json &params) {
  const ordered_json &corpus = within(params, {"initializationOptions", "corpus"});
  asked = Workspace{rootOf(params, folder),
                    corpus.is_string() ? corpus.get<std::string>() : std::string()};
  workspace.emplace(asked->root, readsMarkdown(params), disk);
  refreshesLenses = isTrue(params, {"capabilities", "workspace", "codeLens", "refreshSupport"});
  refreshesHints = isTrue(params, {"capabilities", "workspace", "inlayHint", "refreshSupport"});
  send(rpcResult(id, capabilities(version)));
}

void LanguageServer::Impl::notify(const std::string &method, const ordered_json &params) {
  if (method == "exit") {
    status = isShutDown ? 0 : 1;
    return;
  }
  if (!workspace || isShutDown)
    return;
  Status done = Done{};
  if (method == "textDocument/didOpen")
    done = workspace->open(params);
  else if (method == "textDocument/didChange")
    done = workspace->change(params);
  else if (method == "textDocument/didClose")
    done = workspace->close(params);
  else if (method == "workspace/didChangeWatchedFiles")
    changed = true;
  else if (method == "$/cancelRequest")
    cancel(within(params, {"id"}));
  if (!done) // nobody waits for an answer
    tell("window/logMessage", MessageType::error, escape(method) + ": " + done.error().message());
  if (method == "textDocument/didOpen" || method == "textDocument/didClose") {
    answerWaiting();
    publish();
  }
}

void LanguageServer::Impl::cancel(const ordered_json &id) {
  std::erase_if(waiting, [&](const Request &r) {
    if (r.id == id)
      send(rpcError(r.id, RpcCode::cancelled, "cancelled"));
    return r.id == id;
  });
}

void LanguageServer::Impl::answerWaiting() {
  std::erase_if(waiting, [&](const Request &r) {
    const EditorWorkspace::Answer a = workspace->answer(r.question, r.params);
    if (a)
      send(*a ? rpcResult(r.id, **a)
              : rpcError(r.id, RpcCode::invalidParams, a->error().message()));
    return a.has_value();
  });
}

// ---- what the client is told of by itself

void LanguageServer::Impl::publish() {
  std::map<std::string, ordered_json> all = workspace->diagnostics();
  for (const auto &[uri, was] : published)
    all.try_emplace(uri, ordered_json::array());
  for (const auto &[uri, diagnostics] : all) {
    std::string text = jsonText(diagnostics, -1);
    if (published[uri] == text)
      continue;
    published[uri] = std::move(text);
    send(rpcNotification("textDocument/publishDiagnostics",
                         {{"uri", uri}, {"diagnostics", diagnostics}}));
  }
}

void LanguageServer::Impl::refresh() {
  for (const auto &[can, method] : {std::pair{refreshesLenses, "workspace/codeLens/refresh"},
                                    std::pair{refreshesHints, "workspace/inlayHint/refresh"}})
    if (can)
      send({{"jsonrpc", "2.0"}, {"id", ++requests}, {"method", method}});
}

// ---- for who runs it

LanguageServer::LanguageServer(std::string version, std::string folder, TextReader disk)
    : impl(std::make_unique<Impl>()) {
  impl->version = std::move(version);
  impl->folder = std::move(folder);
  impl->disk = std::move(disk);
}

LanguageServer::~LanguageServer() = default;

void LanguageServer::receive(std::string_view text) {
  const Result<ordered_json> message = parseJson(text, deepest);
  if (!message)
    return refuse(message.error());
  impl->receive(*message);
}

void LanguageServer::refuse(const Error &error) {
  impl->send(rpcError(nullptr, RpcCode::parseError, error.message()));
}

bool LanguageServer::wantsRest() const { return impl->workspace && impl->workspace->wantsCheck(); }

void LanguageServer::rest() {
  const bool isOther = impl->workspace->check();
  impl->publish();
  if (isOther)
    impl->refresh();
}

void LanguageServer::take(std::shared_ptr<const EditorCorpus> corpus, const std::string &path,
                          std::map<SourceVersion, FileFigures> lines) {
  impl->complaint.clear();
  const Observed &o = corpus->observed;
  impl->tell("window/logMessage", MessageType::information,
             "read " + escape(path) + ": " + std::to_string(o.used()) + " runs, " +
                 std::to_string(o.functions.size()) + " functions");
  if (const auto &e = corpus->unasked; e && e->file.empty())
    impl->tell("window/showMessage", MessageType::error, "budgets are not asked: " + e->message());
  impl->workspace->take(std::move(corpus), std::move(lines));
  impl->answerWaiting();
  impl->publish();
  impl->refresh();
}

void LanguageServer::take(const SourceVersion &version, FileFigures lines) {
  impl->workspace->take(version, std::move(lines));
  impl->answerWaiting();
}

void LanguageServer::takeNone(const std::string &why) {
  impl->workspace->takeNone();
  if (impl->complaint != why)
    impl->tell("window/showMessage", MessageType::warning, why);
  impl->complaint = why;
  impl->answerWaiting();
}

const std::optional<LanguageServer::Workspace> &LanguageServer::workspace() const {
  return impl->asked;
}

bool LanguageServer::tookChanges() { return std::exchange(impl->changed, false); }

std::vector<SourceVersion> LanguageServer::openSources() const {
  return impl->workspace ? impl->workspace->openSources() : std::vector<SourceVersion>{};
}

std::vector<SourceVersion> LanguageServer::wantedLines() const {
  std::vector<SourceVersion> all = openSources();
  std::erase_if(all, [&](const SourceVersion &v) { return impl->workspace->knowsLines(v); });
  return all;
}

std::vector<std::string> LanguageServer::send() { return std::exchange(impl->out, {}); }

std::optional<int> LanguageServer::ended() const { return impl->status; }

} // namespace quincunx
