import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { startServer } from './start-server.ts';

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

const DEADLINE_MS = 20_000;
const untilGone = async (pids: readonly number[]): Promise<void> => {
  const deadline = Date.now() + DEADLINE_MS;
  while (pids.some(isAlive)) {
    assert.ok(Date.now() < deadline, `still running: ${pids.filter(isAlive).join(', ')}`);
    await new Promise((done) => setTimeout(done, 50));
  }
};

/** Ignores SIGTERM and the end of its input, and has a child that does the same. Prints both process ids. */
const STUBBORN = `
process.on('SIGTERM', () => undefined);
const { pid } = require('node:child_process').spawn(process.execPath, ['-e', "process.on('SIGTERM', () => undefined); setInterval(() => undefined, 1000)"], { stdio: 'ignore' });
console.log(JSON.stringify([process.pid, pid]));
setInterval(() => undefined, 1000);
`;
const stubborn = { program: process.execPath, args: ['-e', STUBBORN], env: {}, stderr: 'inherit' } as const;

const firstLine = async (stream: NodeJS.ReadableStream): Promise<string> => {
  for await (const line of createInterface(stream)) return line;
  throw new Error('the stream ended');
};

test('a stop ends a server that ignores the end of its input and SIGTERM, with its children', async () => {
  const server = startServer(stubborn);
  const pids: number[] = JSON.parse(await firstLine(server.stdout));
  assert.ok(pids.every(isAlive));
  const { signal } = await server.stop();
  assert.equal(signal, 'SIGKILL');
  await untilGone(pids);
});

test('no process outlives one that started a server and was killed with SIGKILL', async () => {
  const module = resolve(import.meta.dirname, 'start-server.ts');
  const starter = `import { startServer } from ${JSON.stringify(module)};
    const server = startServer(${JSON.stringify(stubborn)});
    server.stdout.pipe(process.stdout);`;
  const parent = spawn(process.execPath, ['--input-type=module-typescript', '-e', starter], { stdio: ['ignore', 'pipe', 'inherit'] });
  const pids: number[] = JSON.parse(await firstLine(parent.stdout));
  assert.ok(pids.every(isAlive));
  parent.kill('SIGKILL');
  await once(parent, 'exit');
  await untilGone(pids);
});

test('a server that exits leaves no children behind', async () => {
  const server = startServer({
    ...stubborn,
    args: ['-e', STUBBORN.replace('setInterval(() => undefined, 1000);\n', 'setTimeout(() => process.exit(3), 100)')],
  });
  const pids: number[] = JSON.parse(await firstLine(server.stdout));
  assert.equal((await server.exited).code, 3);
  await untilGone(pids);
});

test('a server gets the environment that is given and nothing else', async () => {
  const server = startServer({
    program: process.execPath,
    args: ['-e', 'console.log(Object.keys(process.env).filter((name) => !/^(PWD|SHLVL|_|OLDPWD)$/.test(name)).join())'],
    env: { ONLY: '1' },
    stderr: 'inherit',
  });
  assert.equal(await firstLine(server.stdout), 'ONLY');
  await server.stop();
});

test('a server that allocates more than its limit ends', async () => {
  const server = startServer({
    program: process.execPath,
    args: ['-e', 'const held = []; for (let at = 0; at < 64; at += 1) held.push(Buffer.alloc(32 * 1024 * 1024, 1)); console.log("done");'],
    env: {},
    memoryMebibytesMax: 1_024,
    stderr: 'pipe',
  });
  let out = '';
  server.stdout.on('data', (chunk) => (out += chunk));
  const { code, signal } = await server.exited;
  assert.ok(code !== 0 || signal !== null);
  assert.equal(out, '');
});
