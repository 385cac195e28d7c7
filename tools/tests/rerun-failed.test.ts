import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { MEASURING } from './measuring.ts';
import { getRerunRefusal } from './never-rerun.ts';
import { rerunFailed, STRAYS_MAX } from './rerun-failed.ts';

/** Test files of a separate project, as written by their authors. */
const FILES = {
  'passes.test.mjs': `import { test } from 'node:test'; test('passes', () => {});`,
  'at-its-second.test.mjs': `import { existsSync, writeFileSync } from 'node:fs'; import { test } from 'node:test';
    test('fails beside others', () => { if (existsSync('was-here')) return; writeFileSync('was-here', ''); throw new Error('too slow'); });`,
  'at-its-second-too.test.mjs': `import { existsSync, writeFileSync } from 'node:fs'; import { describe, test } from 'node:test';
    describe('a plane', () => test('tells what was lost', () => {
      if (existsSync('was-here-too')) return; writeFileSync('was-here-too', ''); throw new Error('a lock'); }));`,
  'of-two.test.mjs': `import { existsSync, writeFileSync } from 'node:fs'; import { test } from 'node:test';
    test('of two in parallel one is taken', () => { if (existsSync('was-here')) return; writeFileSync('was-here', ''); throw new Error('two'); });`,
  'ends.test.mjs': `process.exit(1);`,
  'never.test.mjs': `import { test } from 'node:test'; test('never passes', () => { throw new Error('too slow'); });`,
  'stays.test.mjs': `import { before, test } from 'node:test'; import { createServer } from 'node:net';
    before(async () => { await new Promise((done) => createServer().listen(0, '127.0.0.1', done)); throw new Error('no planes'); });
    test('is begun once, so that nothing runs it again', () => {});`,
};

let folder: string;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-runs-'));
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text);
  writeFileSync(join(folder, 'set-up.mjs'), 'export const globalSetup = () => {};');
});
after(() => rmSync(folder, { recursive: true }));

const of = (file: string): string => JSON.stringify(new URL(file, import.meta.url).href);

const forget = (): void => {
  for (const name of ['was-here', 'was-here-too']) rmSync(join(folder, name), { force: true });
};

/** Runs some of the files, of which some measure time; returns the output, and whether it passed. */
const run = (
  names: readonly (keyof typeof FILES)[],
  measuring: readonly string[],
  fileTimeoutMs = 60_000,
): Promise<{ printed: string; code: number | null }> => {
  const script = `import { join } from 'node:path';
    const { runInOrder } = await import(${of('./run-in-order.ts')});
    const { rerunFailed } = await import(${of('./rerun-failed.ts')});
    const root = ${JSON.stringify(folder)};
    const settings = { root, globalSetup: join(root, 'set-up.mjs'), timeoutMs: 60_000, fileTimeoutMs: ${fileTimeoutMs} };
    const runFiles = (files, concurrency) =>
      runInOrder({ ...settings, concurrency, files: files.map((file) => join(root, file)) }, new AbortController().signal);
    const first = await runFiles(${JSON.stringify(names)}, 3);
    const measuring = ${JSON.stringify(Object.fromEntries(measuring.map((name) => [name, 'how long it takes'])))};
    process.exitCode = (await rerunFailed(first.failed, measuring, async (file) => (await runFiles([file], 1)).failed.length === 0)) ? 0 : 1;`;
  writeFileSync(join(folder, 'run.mjs'), script);
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const child = spawn(process.execPath, ['run.mjs'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (printed += text));
  return new Promise((done) => child.once('close', (code) => done({ printed, code })));
};

test('a file that measures time is rerun alone if it fails next to others, and the run states it', async () => {
  forget();
  const { printed, code } = await run(['passes.test.mjs', 'at-its-second.test.mjs'], ['at-its-second.test.mjs']);
  assert.equal(code, 0, printed);
  assert.match(printed, /at-its-second\.test\.mjs: failed beside others, passed alone; it measures how long it takes/);
});

test('the run fails if such a file fails again', async () => {
  const again = await run(['never.test.mjs'], ['never.test.mjs']);
  assert.equal(again.code, 1, again.printed);
  assert.match(again.printed, /never\.test\.mjs: failed beside others, failed alone/);
});

test('a few files that measure nothing are rerun alone, and the run ends with the names of the failed ones', async () => {
  forget();
  const { printed, code } = await run(['passes.test.mjs', 'at-its-second.test.mjs', 'at-its-second-too.test.mjs'], []);
  assert.equal(code, 0, printed);
  const [, summary = ''] = printed.split(/^!{20,}$/m);
  assert.match(summary, /at-its-second\.test\.mjs: failed beside others, passed alone\n!! +fails beside others\n/);
  assert.match(summary, /at-its-second-too\.test\.mjs: failed beside others, passed alone\n!! +tells what was lost\n!! +a plane\n/);
  assert.match(printed, /!{20,}\n$/);
});

test('one of them that fails again fails the run', async () => {
  forget();
  const { printed, code } = await run(['never.test.mjs', 'at-its-second.test.mjs'], ['at-its-second.test.mjs']);
  assert.equal(code, 1, printed);
  assert.match(printed, /!! never\.test\.mjs: failed beside others, failed alone/);
});

test('nothing is rerun next to a race, or if it ended without naming a test, and the run states why', async () => {
  forget();
  const race = await run(['of-two.test.mjs', 'at-its-second-too.test.mjs'], []);
  assert.equal(race.code, 1, race.printed);
  assert.match(race.printed, /of-two\.test\.mjs is not run again: .*of two in parallel one is taken/);
  assert.doesNotMatch(race.printed, /once more/);
  const ends = await run(['ends.test.mjs'], []);
  assert.equal(ends.code, 1, ends.printed);
  assert.match(ends.printed, /ends\.test\.mjs is not run again: it failed without naming a failed test/);
});

test('if too many files that measure nothing failed, none is rerun, and none that measures next to them', async () => {
  const rerun: string[] = [];
  const runAlone = async (file: string): Promise<boolean> => rerun.push(file) > 0;
  const failed = Array.from({ length: STRAYS_MAX + 1 }, (_, n) => ({ file: `${n}.test.ts`, tests: ['is so'] }));
  const measuring = { '0.test.ts': 'how long it takes' };
  assert.equal(await rerunFailed(failed, {}, runAlone), false);
  assert.deepEqual(rerun, []);
  assert.equal(await rerunFailed(failed, measuring, runAlone), true);
  assert.equal(rerun.length, STRAYS_MAX + 1);
});

test('an attack, a promise, a crash and a concurrency test is never rerun, and nothing else is excluded', () => {
  const refused = (file: string, ...tests: string[]): boolean => getRerunRefusal({ file, tests }) !== undefined;
  for (const folder of ['attacks', 'promises', 'crash']) assert.ok(refused(`e2e/${folder}/any.test.ts`, 'a tool is listed'), folder);
  const names = [
    'an action that two send at once is executed by one of them',
    'of calls in parallel one is taken',
    'Parallel votes count',
    'of concurrent refreshes one is made',
    'a race for the last unit of a budget is won by one',
    'two racing approvals are one',
    'an outcome is recorded exactly once',
    'of two that come at the same moment one is told so',
    'of two votes one wins',
    'a code is not taken twice',
    'a replayed assertion is refused',
  ];
  for (const name of names) {
    assert.ok(refused('apps/gateway/src/actions/a.test.ts', 'a plain one', name), name);
  }
  assert.ok(refused('packages/postgres/src/exactly-once.test.ts', 'is kept'));
  assert.ok(refused('packages/postgres/src/race.test.ts', 'is kept'));
  for (const name of ['a trace is kept', 'the embrace of windows', 'an address is changed', 'a tool that grows is listed']) {
    assert.ok(!refused('apps/gateway/src/actions/a.test.ts', name), name);
  }
});

test('a file whose before hook failed while it held a connection is ended in time, with a sentence', async () => {
  const { printed, code } = await run(['stays.test.mjs', 'passes.test.mjs'], [], 6_000);
  assert.equal(code, 1, printed);
  assert.match(printed, /no planes/);
  assert.match(printed, /stays\.test\.mjs was ended: its process still ran after 6 s, held by .*TCPServerWrap/);
});

test('a measuring file is listed with a reason, and includes no race, attack or exactly-once promise', () => {
  for (const [file, reason] of Object.entries(MEASURING)) {
    assert.ok(existsSync(resolve(import.meta.dirname, '../..', file)), file);
    assert.ok(reason.length > 20, file);
    assert.doesNotMatch(file, /race|exactly-once|e2e\/(attacks|promises|crash|fail-closed)\//, file);
  }
});
