import assert from 'node:assert/strict';
import { existsSync, globSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { AREAS } from '@svc/contract/tables/areas.ts';
import { BREADTHS, type Breadth } from './breadths.ts';
import { type Choose, getFilesOfRun, leaveForLong } from './leave-for-long.ts';
import { selectTests } from './select-tests.ts';

const root = path.resolve(import.meta.dirname, '../..');
const FIRST: Choose = (files, count) => files.slice(0, count);
const all = globSync('{packages,apps,tools,e2e}/**/*.test.ts', { cwd: root, exclude: (name) => name === 'node_modules' });

test('each breadth keeps its stated number of files, and leaves all others to the long form', () => {
  const some: Breadth = { short: 1, why: 'one is as good as another', files: ['a.test.ts', 'b.test.ts', 'c.test.ts'] };
  const more: Breadth = { short: 2, why: 'two are as good as three', files: ['d.test.ts', 'e.test.ts'] };
  assert.deepEqual([...leaveForLong({ some, more }, 2, FIRST)], ['b.test.ts', 'c.test.ts']);
  assert.deepEqual([...leaveForLong({ some, more }, 1, FIRST)], ['b.test.ts', 'c.test.ts', 'd.test.ts', 'e.test.ts']);
});

test('a full run and an area run omit files; a run that names a part or a test does not, and neither does the long form', () => {
  const breadths = { pages: { short: 1, why: 'one is as good as another', files: ['e2e/pages/a.test.ts', 'e2e/src/money/b.test.ts'] } };
  const files = ['apps/gateway/src/money/c.test.ts', ...breadths.pages.files];
  const run = (words: readonly string[], isLong = false) =>
    getFilesOfRun(files, words, { areas: ['money'], isLong, breadths, breadthsMax: 1, choose: FIRST });
  assert.deepEqual(run([]), { isNamed: false, files: files.slice(0, 2), left: 1 });
  assert.deepEqual(run(['pages']), { isNamed: true, files: files.slice(1, 2), left: 0 });
  assert.deepEqual(run(['money']), { isNamed: false, files: files.slice(0, 1), left: 1 });
  assert.deepEqual(run(['money', 'pages']), { isNamed: true, files, left: 0 });
  assert.deepEqual(run(['money'], true), { isNamed: false, files: [files[0], files[2]], left: 0 });
  assert.deepEqual(run(['--test-name-pattern=axe']), { isNamed: true, files, left: 0 });
  assert.deepEqual(run([], true), { isNamed: false, files, left: 0 });
});

test('every file of a breadth exists, is in one breadth alone, and each breadth keeps some or states the reason', () => {
  const files = Object.values(BREADTHS).flatMap((breadth) => breadth.files);
  assert.deepEqual(
    files.filter((file) => !existsSync(path.join(root, file))),
    [],
  );
  assert.equal(new Set(files).size, files.length);
  for (const [of, { short, why, files: own }] of Object.entries(BREADTHS)) {
    assert.ok(short < own.length, `${of}: nothing of it is left out`);
    assert.ok(why.split(' ').length > 10, `${of}: why what stays is enough`);
  }
});

/** Tests that no sample may leave out: everything pure, and what decides, refuses, approves and delegates. */
const ALWAYS = [
  'packages/(contract|domain|egress|enforcement|http|keyring|mail|operations|policy|program|shared-state|solver|turns)/',
  'apps/control-plane/src/(actions|agents|incidents|tenancy)/',
  'apps/control-plane/src/credentials/credentials/(connect-credential|credentials|test-credential)\\.',
  'apps/control-plane/src/policies/(invariants|policies|templates|trials)/',
  'packages/postgres/src/(?!migrate/)',
  'packages/postgres/src/migrate/(credential-columns|guarded-tables|migrate|row-level-security)\\.',
  'apps/gateway/src/(actions/(actions|approvals)|service)/',
  'apps/gateway/src/actions/execution/(credentials|hidden-tokens)\\.',
  'apps/gateway/src/agents/(delegations/|identity/identity\\.)',
  'apps/launcher/src/main\\.test\\.ts',
  'e2e/neighbours/',
  'e2e/fail-closed/(broken|control|locked|lost|missing-parts|stopped|unfit)',
  'e2e/promises/(count-limits|exactly-once|idempotency|no-stale-allow)\\.',
  'e2e/rows/(rows|events/events)\\.',
  'e2e/crash/crash\\.',
].map((start) => new RegExp(`^${start}`));

test('tests that any change may break are never omitted, and every area has tests in the short form', () => {
  const listed = new Set(Object.values(BREADTHS).flatMap((breadth) => breadth.files));
  for (const start of ALWAYS) {
    const own = all.filter((file) => start.test(file));
    assert.ok(own.length > 0, String(start));
    assert.deepEqual(
      own.filter((file) => listed.has(file)),
      [],
    );
  }
  for (const area of AREAS) {
    const own = selectTests(all, [area], AREAS);
    assert.ok(own.length === 0 || own.some((file) => !listed.has(file)), area);
  }
});
