// Starts `lemmata lsp` for the files that Lemmata reads; docs/editors.md describes what it shows.
"use strict";

const vscode = require("vscode");
const { LanguageClient, TransportKind } = require("vscode-languageclient/node");

const EXTENSIONS = "{c,i,v,sv,lus,st,scl,TcPOU,aag,btor,btor2,vmt,smt2}";

let client;

function settings() {
  const values = vscode.workspace.getConfiguration("lemmata");
  return {
    timeout: values.get("timeout"),
    memory: values.get("memory"),
    arguments: values.get("arguments"),
  };
}

function makeClient() {
  const command = vscode.workspace.getConfiguration("lemmata").get("path");
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  const server = { command, args: ["lsp"], transport: TransportKind.stdio, options: { cwd: folder } };
  const documents = [{ scheme: "file", pattern: `**/*.${EXTENSIONS}` }];
  return new LanguageClient("lemmata", "Lemmata", server, {
    documentSelector: documents,
    initializationOptions: settings(),
  });
}

async function restart() {
  if (client) await client.dispose();
  client = makeClient();
  await client.start();
}

async function configurationChanged(event) {
  if (event.affectsConfiguration("lemmata.path")) return restart();
  if (event.affectsConfiguration("lemmata") && client)
    return client.sendNotification("workspace/didChangeConfiguration", {
      settings: { lemmata: settings() },
    });
}

async function activate(context) {
  context.subscriptions.push(
    vscode.commands.registerCommand("lemmata.restart", restart),
    vscode.workspace.onDidChangeConfiguration(configurationChanged),
  );
  await restart();
}

function deactivate() {
  return client?.stop();
}

module.exports = { activate, deactivate };
