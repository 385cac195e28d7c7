import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

export const SECRET = 'a-secret-of-the-connector-for-tests-0123456789';

export type StartedConnector = {
  readonly folder: string;
  readonly url: (server: string) => string;
  readonly child: ChildProcess;
  /** Lines of its log, as they come. */
  readonly events: readonly Readonly<Record<string, unknown>>[];
  readonly send: (server: string, message: object, headers?: Readonly<Record<string, string>>) => Promise<Response>;
  readonly stop: () => Promise<void>;
};

/** Starts the program with servers. Rejects with what it prints if it does not start. */
export const startConnector = async (
  servers: Readonly<Record<string, object>>,
  env: Readonly<Record<string, string>> = {},
): Promise<StartedConnector> => {
  const folder = mkdtempSync(join(tmpdir(), 'connector-'));
  writeFileSync(join(folder, 'secret'), SECRET, { mode: 0o600 });
  const file = join(folder, 'connector.json');
  writeFileSync(file, JSON.stringify({ port: 0, secret_file: 'secret', servers }));
  const program = resolve(import.meta.dirname, 'main.ts');
  const child = spawn(process.execPath, [program, file], { stdio: ['ignore', 'pipe', 'pipe'], env: { PATH: process.env.PATH, ...env } });
  let diagnostics = '';
  child.stderr.on('data', (chunk) => (diagnostics += chunk));
  const events: Readonly<Record<string, unknown>>[] = [];
  const listening = new Promise<string>((done, failed) => {
    createInterface(child.stdout).on('line', (line) => {
      const event = JSON.parse(line);
      events.push(event);
      if (event.event === 'listening') done(event.addresses[0]);
    });
    child.once('close', () => failed(new Error(diagnostics)));
  });
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  const first = await listening.catch((error) => {
    remove();
    throw error;
  });
  const url = (server: string): string => new URL(`/${server}/mcp`, first).href;
  return {
    ...{ folder, url, child, events },
    send: (server, message, headers = {}) =>
      fetch(url(server), {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${SECRET}`, ...headers },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
      }),
    stop: async () => {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGTERM');
        await once(child, 'close');
      }
      remove();
    },
  };
};
