import { closeSync, mkdirSync, openSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Below the ephemeral ports of any system: no program that requests any free port gets one of these meanwhile. */
const FIRST = 15_000;
const LAST = 31_999;
const TRIES = 50;

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => (error.code === 'EADDRINUSE' ? resolve(false) : reject(error)));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });

const given = path.join(tmpdir(), 'svc-test-ports');

const GIVEN_FOR_MS = 600_000;

/** True if no other test got it recently: that one may not listen yet. */
const isOurs = (port: number): boolean => {
  const file = path.join(given, String(port));
  mkdirSync(given, { recursive: true });
  try {
    closeSync(openSync(file, 'wx'));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    if (Date.now() - statSync(file).mtimeMs > GIVEN_FOR_MS) rmSync(file, { force: true });
    return false;
  }
};

/** Returns a free port for a process whose address others must know before it starts. */
export const freePort = async (): Promise<number> => {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const port = FIRST + Math.floor(Math.random() * (LAST - FIRST + 1));
    if ((await isFree(port)) && isOurs(port)) return port;
  }
  throw new Error(`found no free port between ${FIRST} and ${LAST}`);
};
