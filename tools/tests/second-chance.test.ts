import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { MEASURING } from './measuring.ts';

/** Test files of a project of their own, as their authors left them. */
const FILES = {
  'passes.test.mjs': `import { test } from 'node:test'; test('passes', () => {});`,
  'at-its-second.test.mjs': `import { existsSync, writeFileSync } from 'node:fs'; import { test } from 'node:test';
    test('fails beside others', () => { if (existsSync('was-here')) return; writeFileSync('was-here', ''); throw new Error('too slow'); });`,
  'never.test.mjs': `import { test } from 'node:test'; test('never passes', () => { throw new Error('too slow'); });`,
  'stays.test.mjs': `import { before, test } from 'node:test'; import { createServer } from 'node:net';
    before(async () => { await new Promise((done) => createServer().listen(0, '127.0.0.1', done)); throw new Error('no planes'); });
    test('is never begun', () => {});`,
};

let folder: string;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-runs-'));
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text);
  writeFileSync(join(folder, 'set-up.mjs'), 'export const globalSetup = () => {};');
});
after(() => rmSync(folder, { recursive: true }));

const of = (file: string): string => JSON.stringify(new URL(file, import.meta.url).href);

/** A run of some of the files, of which some measure time: what it said, and whether it passed. */
const run = (
  names: readonly (keyof typeof FILES)[],
  measuring: readonly string[],
  fileTimeoutMs = 60_000,
): Promise<{ said: string; code: number | null }> => {
  const script = `import { join } from 'node:path';
    const { runInOrder } = await import(${of('./run-in-order.ts')});
    const { passesAlone } = await import(${of('./second-chance.ts')});
    const root = ${JSON.stringify(folder)};
    const settings = { root, globalSetup: join(root, 'set-up.mjs'), timeoutMs: 60_000, fileTimeoutMs: ${fileTimeoutMs} };
    const runFiles = (files, concurrency) =>
      runInOrder({ ...settings, concurrency, files: files.map((file) => join(root, file)) }, new AbortController().signal);
    const first = await runFiles(${JSON.stringify(names)}, 3);
    const measuring = ${JSON.stringify(Object.fromEntries(measuring.map((name) => [name, 'how long it takes'])))};
    process.exitCode = (await passesAlone(first.failed, measuring, async (file) => (await runFiles([file], 1)).failed.length === 0)) ? 0 : 1;`;
  writeFileSync(join(folder, 'run.mjs'), script);
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const child = spawn(process.execPath, ['run.mjs'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (said += text));
  return new Promise((done) => child.once('close', (code) => done({ said, code })));
};

test('a file that measures time is run once more alone when it fails beside others, and the run says so', async () => {
  rmSync(join(folder, 'was-here'), { force: true });
  const { said, code } = await run(['passes.test.mjs', 'at-its-second.test.mjs'], ['at-its-second.test.mjs']);
  assert.equal(code, 0, said);
  assert.match(said, /at-its-second\.test\.mjs: failed beside others, passed alone; it measures how long it takes/);
});

test('the run fails when such a file fails again, and none has a second chance beside one that measures no time', async () => {
  const again = await run(['never.test.mjs'], ['never.test.mjs']);
  assert.equal(again.code, 1, again.said);
  assert.match(again.said, /never\.test\.mjs: failed beside others, failed alone/);
  rmSync(join(folder, 'was-here'), { force: true });
  const { said, code } = await run(['never.test.mjs', 'at-its-second.test.mjs'], ['at-its-second.test.mjs']);
  assert.equal(code, 1, said);
  assert.doesNotMatch(said, /once more/);
});

test('a file whose before failed while it held a connection is ended within its time, with a sentence', async () => {
  const { said, code } = await run(['stays.test.mjs', 'passes.test.mjs'], [], 6_000);
  assert.equal(code, 1, said);
  assert.match(said, /no planes/);
  assert.match(said, /stays\.test\.mjs was ended: its process still ran after 6 s, held by .*TCPServerWrap/);
});

test('what measures time is told by a file and a reason, and no race, no attack and no promise of exactly once is among it', () => {
  for (const [file, reason] of Object.entries(MEASURING)) {
    assert.ok(existsSync(resolve(import.meta.dirname, '../..', file)), file);
    assert.ok(reason.length > 20, file);
    assert.doesNotMatch(file, /race|exactly-once|e2e\/(attacks|promises|crash|fail-closed)\//, file);
  }
});
