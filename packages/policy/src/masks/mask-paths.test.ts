import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { maskPaths, pathsMeet } from './mask-paths.ts';
import { MASKED } from './mask-secrets.ts';

const CASES: readonly { name: string; value: unknown; paths: string[]; becomes: unknown }[] = [
  { name: 'a member', value: { a: 1, b: 2 }, paths: ['a'], becomes: { a: MASKED, b: 2 } },
  { name: 'a nested member', value: { a: { b: { c: 1 }, d: 2 } }, paths: ['a.b.c'], becomes: { a: { b: { c: MASKED }, d: 2 } } },
  { name: 'a whole object', value: { a: { b: 1 } }, paths: ['a'], becomes: { a: MASKED } },
  {
    name: 'each element',
    value: { a: [{ b: 1 }, { b: 2, c: 3 }] },
    paths: ['a.*.b'],
    becomes: { a: [{ b: MASKED }, { b: MASKED, c: 3 }] },
  },
  {
    name: 'a list at the top',
    value: [{ email: 'x' }, { email: 'y' }],
    paths: ['*.email'],
    becomes: [{ email: MASKED }, { email: MASKED }],
  },
  { name: 'each member', value: { a: { email: 'x' }, b: 7 }, paths: ['*.email'], becomes: { a: { email: MASKED }, b: 7 } },
  { name: 'one position', value: { a: ['x', 'y'] }, paths: ['a.1'], becomes: { a: ['x', MASKED] } },
  {
    name: 'a list the path does not name',
    value: { a: [{ b: 'x' }, [{ b: 'y' }]] },
    paths: ['a.b'],
    becomes: { a: [{ b: MASKED }, [{ b: MASKED }]] },
  },
  { name: 'one object in place of a list', value: { a: { b: 1, c: 2 } }, paths: ['a.*.b'], becomes: { a: { b: MASKED, c: 2 } } },
  {
    name: 'one object in place of lists in lists',
    value: { a: { b: 1 }, c: { b: 2 } },
    paths: ['a.*.*.b'],
    becomes: { a: { b: MASKED }, c: { b: 2 } },
  },
  {
    name: 'one text in place of a list',
    value: { to: 'x', cc: null, n: 1 },
    paths: ['to.*', 'cc.*', 'n.*.k'],
    becomes: { to: MASKED, cc: null, n: 1 },
  },
  {
    name: 'one object in place of a list of objects with lists',
    value: { orders: { lines: { iban: 1, at: 2 } } },
    paths: ['orders.*.lines.*.iban'],
    becomes: { orders: { lines: { iban: MASKED, at: 2 } } },
  },
  { name: 'lists in lists', value: [[{ email: 'x' }]], paths: ['*.email'], becomes: [[{ email: MASKED }]] },
  { name: 'nothing where the path leads nowhere', value: { a: 1 }, paths: ['b.c', 'a.b'], becomes: { a: 1 } },
  { name: 'null as any other value', value: { a: null }, paths: ['a'], becomes: { a: MASKED } },
  {
    name: 'a key with a dot and a star',
    value: { 'a.b*': 1, a: { 'b*': 2 } },
    paths: ['a~1b~2'],
    becomes: { 'a.b*': MASKED, a: { 'b*': 2 } },
  },
  { name: 'all paths of all rules', value: { a: 1, b: { c: 2 } }, paths: ['a', 'b.c'], becomes: { a: MASKED, b: { c: MASKED } } },
  { name: 'text as it is', value: 'a text', paths: ['a'], becomes: 'a text' },
];

for (const { name, value, paths, becomes } of CASES) {
  test(`masks ${name}`, () => {
    const before = structuredClone(value);
    assert.deepEqual(maskPaths(value, paths), becomes);
    assert.deepEqual(value, before, 'what was given is left as it was');
  });
}

test('masks a member called __proto__ like any other and creates no prototype', () => {
  const value = JSON.parse('{"__proto__": {"secret": 1}, "constructor": {"secret": 2}}');
  const masked = maskPaths(value, ['__proto__.secret', 'constructor.secret']);
  assert.equal(JSON.stringify(masked), `{"__proto__":{"secret":"${MASKED}"},"constructor":{"secret":"${MASKED}"}}`);
  assert.equal(Object.getPrototypeOf(masked), Object.prototype);
});

test('leaves no secret under a masked key, at any nesting of the value', () => {
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      fc.constant('plain'),
      fc.array(tie('tree'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom('a', 'b'), tie('tree'), { maxKeys: 2 }),
    ),
  }));
  fc.assert(
    fc.property(tree, (around) => {
      const value = { list: [{ deep: [{ secret: ['THE SECRET', around] }] }, { deep: { secret: 'THE SECRET' } }], around };
      assert.doesNotMatch(JSON.stringify(maskPaths(value, ['list.deep.secret'])), /THE SECRET/);
      assert.deepEqual(maskPaths(value, ['list.deep.secret']).around, around);
    }),
  );
});

test('detects overlap when one path can contain the value of the other', () => {
  const meeting = [
    ['a', 'a'],
    ['a.b', 'a'],
    ['a', 'a.b'],
    ['a.*.b', 'a.0.b'],
    ['a.0.b', 'a.b'],
    ['a.b', '*.b'],
    ['*', 'x.y'],
  ];
  const apart = [
    ['a', 'b'],
    ['a.b', 'a.c'],
    ['a.b.c', 'b.c'],
  ];
  for (const [one = '', other = ''] of meeting) assert.ok(pathsMeet(one, [other]), `${one} and ${other}`);
  for (const [one = '', other = ''] of apart) assert.ok(!pathsMeet(one, [other]), `${one} and ${other}`);
});

test('does not double the cost of masking with each star', () => {
  const leaves = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`b${n}`, 1]));
  const value = Array.from({ length: 30 }).reduce<object>((inner) => ({ a: inner, ...leaves }), { k: 'x' });
  const began = process.cpuUsage();
  assert.match(JSON.stringify(maskPaths(value, [`${'*.'.repeat(15)}k`, `${'*.'.repeat(14)}b1`])), /masked/);
  const { user, system } = process.cpuUsage(began);
  assert.ok(user + system < 300_000, `${user + system} microseconds`);
});

test('grows the cost of masking with the value, for any number of paths', () => {
  const value = Array.from({ length: 20_000 }, (_, n) => ({ id: n, other: [n] }));
  const computeTime = (paths: readonly string[]): number => {
    const began = process.cpuUsage();
    maskPaths(value, paths);
    const { user, system } = process.cpuUsage(began);
    return user + system;
  };
  computeTime(['*.email']);
  const few = Math.max(computeTime(['*.email']), 5_000);
  const many = computeTime(Array.from({ length: 2_000 }, (_, n) => `*.email${n}`));
  assert.ok(many < few * 20, `${many} and ${few} microseconds`);
});
