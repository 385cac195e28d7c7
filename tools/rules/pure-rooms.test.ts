import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTree } from '../tree.ts';
import { checkPureRooms } from './pure-rooms.ts';

const says = (path: string, text: string): string[] => checkPureRooms(buildTree({ [path]: text })).map((finding) => finding.says);

const worldly = [
  "import { join } from 'node:path';",
  'export const a = Date.now();',
  "export const a = Date['now']();",
  'export const a = new Date();',
  'export const a = Date();',
  'export const a = Math.random();',
];

for (const room of ['contract', 'policy', 'domain', 'enforcement']) {
  test(`${room} takes time, randomness and the environment as arguments`, () => {
    for (const text of worldly) assert.equal(says(`packages/${room}/src/a.ts`, text).length, 1, text);
  });
}

test('a given time may be read', () => {
  assert.deepEqual(
    says('packages/domain/src/a.ts', 'export const a = (at: string): number => new Date(at).getTime() + Date.parse(at) + Math.max(1);'),
    [],
  );
});

test('only enforcement may wait, and only for its ports', () => {
  const text = 'export const a = async (load: () => Promise<number>) => await load();';
  assert.equal(says('packages/domain/src/a.ts', text).length, 1);
  assert.deepEqual(says('packages/enforcement/src/a.ts', text), []);
});

test('other rooms and the tests of pure rooms are exempt', () => {
  for (const text of worldly) {
    assert.deepEqual(says('packages/postgres/src/a.ts', text), [], text);
    assert.deepEqual(says('packages/domain/src/a.test.ts', text), [], text);
  }
});
