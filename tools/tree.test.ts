import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { checkForm } from './rules/form.ts';
import { buildTree, readTree } from './tree.ts';

test('the tree contains texts everywhere, except installed, stored and built ones', (context) => {
  const root = mkdtempSync(join(tmpdir(), 'tree-'));
  context.after(() => rmSync(root, { recursive: true }));
  const kept = [
    '.ci/run',
    '.gitignore',
    'Dockerfile',
    'README.md',
    'packages/http/src/a.ts',
    'packages/postgres/migrations/0001_first.sql',
  ];
  const passedOver = [
    '.data/a.json',
    '.git/config',
    'node_modules/a/a.ts',
    'packages/http/dist/a.ts',
    'packages/http/node_modules/a.ts',
    'a.png',
  ];
  for (const path of [...kept, ...passedOver]) {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), '');
  }
  assert.deepEqual(readTree(root).paths, kept);
});

test('a source knows its room, its folder and its imports of every kind', () => {
  const text = [
    "import { a } from './a.ts';",
    "import type { B } from './b.ts';",
    "import { type C } from './c.ts';",
    "export type { D } from './d.ts';",
    "const e = await import('./e.ts');",
    "import './f.ts';",
  ].join('\n');
  const [source] = buildTree({ 'packages/http/src/x.test.ts': text }).sources;
  assert.deepEqual([source?.room, source?.folder, source?.isTest, source?.lineCount], ['http', 'packages/http', true, 6]);
  assert.deepEqual(source?.imports.map(({ specifier, line, typeOnly }) => [specifier, line, typeOnly]).sort(), [
    ['./a.ts', 1, false],
    ['./b.ts', 2, true],
    ['./c.ts', 3, true],
    ['./d.ts', 4, true],
    ['./e.ts', 5, false],
    ['./f.ts', 6, false],
  ]);
});

test('a file that does not parse is named, and the others are still read', () => {
  const tree = buildTree({ 'tools/a.ts': 'const = 1;', 'tools/b.ts': 'export {};' });
  assert.deepEqual(
    tree.sources.map(({ path }) => path),
    ['tools/b.ts'],
  );
  assert.equal(tree.unparsed.length, 1);
  assert.match(`${tree.unparsed[0]?.path} ${tree.unparsed[0]?.says}`, /^tools\/a\.ts does not parse/);
  assert.deepEqual(checkForm(tree), tree.unparsed);
});
