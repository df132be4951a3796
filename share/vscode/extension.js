// Starts `quincunx lsp` beside clangd. What it shows is in docs/24-editor.md.
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

exports.activate = () => {
  const settings = vscode.workspace.getConfiguration("quincunx");
  client = new LanguageClient(
    "quincunx",
    { command: settings.get("path"), args: ["lsp"] },
    {
      documentSelector: [
        { scheme: "file", language: "c" },
        { scheme: "file", language: "cpp" },
      ],
      initializationOptions: { corpus: settings.get("corpus") },
    },
  );
  return client.start();
};

exports.deactivate = () => client && client.stop();
