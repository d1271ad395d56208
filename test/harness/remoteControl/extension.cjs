/**
 * Runs functions that the tests send, in the extension host. Development only: never packaged, and
 * inactive unless the environment names where to put its address and the token it asks for.
 */
const { writeFileSync } = require('node:fs');
const { createServer } = require('node:http');
const vscode = require('vscode');

const LARGEST_REQUEST = 1 << 20;

/** What the functions may keep from call to call, and the debug events so far. */
const state = { events: [] };

function recordDebugEvents(context) {
  const note = (event, session, more = {}) =>
    state.events.push({ event, type: session.type, name: session.name, id: session.id, ...more });
  context.subscriptions.push(
    vscode.debug.onDidStartDebugSession((session) => note('started', session)),
    vscode.debug.onDidTerminateDebugSession((session) => note('terminated', session)),
    vscode.debug.registerDebugAdapterTrackerFactory('*', {
      createDebugAdapterTracker: (session) => ({
        onDidSendMessage: (message) => {
          if (message.type !== 'event') return;
          if (message.event === 'stopped') note('stopped', session, { body: message.body });
          if (message.event === 'continued') note('continued', session);
          if (message.event === 'output') note('output', session, { text: message.body?.output });
          if (message.event === 'exited') note('exited', session, { code: message.body?.exitCode });
        },
      }),
    }),
  );
}

async function answer(text) {
  const { source, args } = JSON.parse(text);
  // `__name` is what the TypeScript loader adds to named functions.
  const make = new Function('__name', `return (${source})`);
  const run = make((named) => named);
  return { value: await run(vscode, args, state) };
}

function activate(context) {
  recordDebugEvents(context);
  const { NORMSCOPE_REMOTE_FILE: file, NORMSCOPE_REMOTE_TOKEN: token } = process.env;
  if (!file || !token) return;
  const server = createServer((request, response) => {
    if (request.headers.authorization !== `Bearer ${token}`) {
      response.writeHead(403).end();
      return;
    }
    let text = '';
    request.on('data', (chunk) => {
      text += chunk;
      if (text.length > LARGEST_REQUEST) request.destroy();
    });
    request.on('end', () => {
      answer(text)
        .catch((error) => ({ error: error?.stack ?? String(error) }))
        .then((body) => response.end(JSON.stringify(body)));
    });
  });
  server.listen(0, '127.0.0.1', () => writeFileSync(file, String(server.address().port)));
  context.subscriptions.push({ dispose: () => server.close() });
}

module.exports = { activate };
