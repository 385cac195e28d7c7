import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTree } from '../tree.ts';
import { checkFolders } from './folders.ts';

const src = 'packages/http/src';

/** Files below src by their imports; a `~` marks the import of a type. */
const listFindings = (files: Readonly<Record<string, readonly string[]>>) => {
  const texts = Object.entries(files).map(([path, imports]) => [
    `${src}/${path}`,
    imports.map((to, index) => `import ${to.startsWith('~') ? 'type ' : ''}{ a${index} } from '${to.replace('~', '')}';\n`).join(''),
  ]);
  return checkFolders(buildTree(Object.fromEntries(texts)));
};

const findFaults = (files: Readonly<Record<string, readonly string[]>>): string[] =>
  listFindings(files).map(({ path }) => path.slice(src.length + 1));

test('folders that import in one direction are accepted, at any depth', () => {
  assert.deepEqual(findFaults({ 'plane/a.ts': ['../wires/json/b.ts', './c.ts'], 'plane/c.ts': [], 'wires/json/b.ts': [] }), []);
});

test('two folders that import each other are reported at the fewer imports, by their lines', () => {
  const findings = listFindings({
    'plane/a.ts': ['../wires/b.ts'],
    'plane/c.ts': ['../wires/b.ts'],
    'wires/b.ts': ['./d.ts', '../plane/a.ts'],
    'wires/d.ts': [],
  });
  assert.deepEqual(findings, [
    {
      path: `${src}/wires/b.ts`,
      line: 2,
      says: `imports ${src}/plane/a.ts, against 2 imports the other way: ${src}/plane and ${src}/wires may not import each other, types included`,
    },
  ]);
});

test('a type counts as an import, and so does a dynamic import', () => {
  assert.deepEqual(findFaults({ 'plane/a.ts': ['../wires/b.ts'], 'wires/b.ts': ['~../plane/a.ts'] }).length, 1);
  const called = checkFolders(
    buildTree({ [`${src}/plane/a.ts`]: "await import('../wires/b.ts');", [`${src}/wires/b.ts`]: "import { a } from '../plane/a.ts';" }),
  );
  assert.equal(called.length, 1);
});

test('tables may import the facts of a noun, which import types only', () => {
  const facts = { 'tables/nouns.ts': ['../people/roles/noun.ts'], 'people/roles.ts': ['../tables/nouns.ts'], 'tables/facts.ts': [] };
  assert.deepEqual(findFaults({ ...facts, 'people/roles/noun.ts': ['~../../tables/facts.ts'] }), []);
  const [finding] = listFindings({ ...facts, 'people/roles/noun.ts': ['../../tables/facts.ts'] });
  assert.match(finding?.says ?? '', /imports the value of .*facts of a noun import types only/);
  assert.equal(findFaults({ ...facts, 'tables/nouns.ts': ['../people/roles/list.ts'], 'people/roles/list.ts': [] }).length, 1);
});

test('folders inside two areas make the areas import each other', () => {
  const found = listFindings({
    'policies/trials/a.ts': ['../../people/auth/b.ts'],
    'people/roles/c.ts': ['../../policies/versions/d.ts'],
    'people/auth/b.ts': [],
    'policies/versions/d.ts': [],
  });
  assert.match(found[0]?.says ?? '', /src\/people and packages\/http\/src\/policies may not import each other/);
});

test('a folder and one inside it are a pair like any other', () => {
  assert.deepEqual(findFaults({ 'a.ts': ['./plane/b.ts'], 'plane/b.ts': ['../c.ts'], 'c.ts': [] }), []);
  assert.deepEqual(findFaults({ 'a.ts': ['./plane/b.ts'], 'plane/b.ts': ['../a.ts'] }), ['plane/b.ts']);
  assert.deepEqual(findFaults({ 'a.ts': ['./plane/b.ts'], 'plane/b.ts': [], 'plane/c.ts': ['../a.ts', '../d.ts'], 'd.ts': [] }), ['a.ts']);
});

test('a file that joins what is below makes no pair until something below imports it', () => {
  const files = { 'handlers.ts': ['./people/b.ts'], 'people/b.ts': ['../deps.ts'], 'deps.ts': [] };
  assert.deepEqual(findFaults(files), []);
  assert.notDeepEqual(findFaults({ ...files, 'people/c.ts': ['../handlers.ts'] }), []);
});

test('tests import anything, and packages are checked separately', () => {
  assert.deepEqual(findFaults({ 'plane/a.ts': ['../wires/b.ts'], 'wires/b.ts': [], 'wires/b.test.ts': ['../plane/a.ts'] }), []);
  const two = {
    'packages/a/src/x/a.ts': "import { a } from '../../../b/src/y/b.ts';",
    'packages/b/src/y/b.ts': "import { a } from '../../../a/src/x/a.ts';",
  };
  assert.deepEqual(checkFolders(buildTree(two)), []);
});

test('a folder holds at most 40 files of code, its tests not counted', () => {
  const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`plane/a${index}.ts`, []]));
  assert.deepEqual(findFaults({ ...many(40), 'plane/a0.test.ts': [], 'plane/below/b.ts': [] }), []);
  assert.deepEqual(
    listFindings(many(41)).map(({ path, says }) => [path, says]),
    [[`${src}/plane`, 'holds 41 files of code and may hold 40; make rooms of it']],
  );
});
