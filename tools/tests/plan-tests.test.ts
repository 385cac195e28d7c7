import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canShareProcess } from './can-share-process.ts';
import { planTests } from './plan-tests.ts';
import { selectTests } from './select-tests.ts';

const AREAS = ['agents', 'tools'];
const FILES = [
  'apps/gateway/src/agents/identity/identity.test.ts',
  'e2e/attacks/agents-and-tools.test.ts',
  'packages/domain/src/agents/lifecycle.test.ts',
  'packages/domain/src/tools/schema.test.ts',
  'tools/tree.test.ts',
];

test('the name of an area selects its folder in every room, and any other part each path that contains it', () => {
  assert.deepEqual(selectTests(FILES, ['agents'], AREAS), [FILES[0], FILES[2]]);
  assert.deepEqual(selectTests(FILES, ['tools'], AREAS), [FILES[3]]);
  assert.deepEqual(selectTests(FILES, ['tools/tree', 'attacks'], AREAS), [FILES[1], FILES[4]]);
  assert.deepEqual(selectTests(FILES, [], AREAS), FILES);
});

test('the slowest start first, quick files of a package that may share a process do, and every file runs once', () => {
  const slow = 'packages/domain/src/tools/schema.test.ts';
  const own = 'packages/domain/src/agents/own.test.ts';
  const beside = ['packages/domain/src/agents/status.test.ts', 'packages/domain/src/agents/words.test.ts'];
  const all = [...FILES, own, ...beside];
  const units = planTests(all, { [slow]: 20, 'tools/tree.test.ts': 5 }, (file) => file !== own);
  assert.deepEqual(
    units.map(({ files }) => files),
    [[slow], ['tools/tree.test.ts'], ['packages/domain/src/agents/lifecycle.test.ts', ...beside], [FILES[0]], [FILES[1]], [own]],
  );
  assert.deepEqual(units.flatMap(({ files }) => files).sort(), all.sort());
});

test('no process has more of a room than the end of a run has time for', () => {
  const files = Array.from({ length: 60 }, (_, n) => `apps/gateway/src/${n + 10}.test.ts`);
  const units = planTests(files, { [files[0] ?? '']: 14, [files[1] ?? '']: 14, [files[2] ?? '']: 14 }, () => true);
  assert.deepEqual(
    units.map(({ files: of }) => of.length),
    [25, 2, 25, 8],
  );
  assert.deepEqual(units.flatMap(({ files: of }) => of).sort(), files);
});

test('a file that changes its process, or reads it, has its own', () => {
  const quiet = "import { test } from 'node:test';\nlet planes: Planes;\nbefore(async () => {\n  planes = await leasePlanes();\n});\n";
  assert.equal(canShareProcess(quiet), true);
  const loud = [
    "process.env.TZ = 'UTC';",
    'mock.timers.enable();',
    'globalThis.fetch = lying;',
    "const child = spawn('node', []);",
    'const planes = await leasePlanes();',
    'new Worker(url);',
  ];
  for (const line of loud) assert.equal(canShareProcess(`${quiet}${line}\n`), false, line);
});
