import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isNotProposed } from '../draft/proposal.ts';
import { proposeTools } from '../propose-tools.ts';
import { listUniqueKeys } from './keys.ts';

const SERVERS = { openapi: '3.1.0', servers: [{ url: 'https://a.example' }] };
const collection = (...item: readonly object[]) => ({
  info: { name: 'C', schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
  item,
});

/** Returns each operation of a document: its key, and why it cannot be a tool. */
const told = (root: object): readonly (readonly [string, string | undefined])[] => {
  const read = proposeTools({ root }, { source: 'shop' });
  assert.ok(!('fault' in read), JSON.stringify(read));
  return [...read.proposals()].map((each) => [each.key, isNotProposed(each) ? each.refused : undefined] as const);
};
const differing = (root: object) => {
  const all = told(root);
  assert.equal(new Set(all.map(([key]) => key)).size, all.length, JSON.stringify(all));
  return all;
};

test('derives a separate key for an unreadable path, next to an operation of that name too', () => {
  const outside = { $ref: 'http://x/y' };
  const all = differing({ ...SERVERS, paths: { '/a': outside, '/b': { get: { operationId: 'a' } } } });
  assert.deepEqual(
    all.map(([, refused]) => refused === undefined),
    [false, true],
  );
  const missing = { $ref: '#/nope' };
  differing({ ...SERVERS, paths: { '/a-b': missing, '/a_b': missing } });
});

test("accepts an operation named like another's marked key", () => {
  const twoAlike = { '/a-b': { get: {} }, '/a_b': { get: {} } };
  const [[marked = ''] = []] = told({ ...SERVERS, paths: twoAlike });
  const all = differing({ ...SERVERS, paths: { ...twoAlike, '/c': { get: { operationId: marked } } } });
  assert.ok(all.every(([, refused]) => refused === undefined));
});

test('distinguishes requests of one name by address in any notation, and refuses the others', () => {
  const named = (request: unknown) => ({ name: 'x', request });
  const apart = differing(collection(named('https://a.example/1'), named('https://a.example/2')));
  assert.ok(apart.every(([, refused]) => refused === undefined));
  const other = differing(
    collection(named('https://a.example/1'), named('https://a.example/1'), { name: 'y', request: 'https://a.example' }),
  );
  assert.deepEqual(
    other.map(([, refused]) => refused !== undefined && /same name at the same path.*different names/.test(refused)),
    [true, true, false],
  );
});

test('derives a key from its operation and its namesakes, and never from the order', () => {
  const named = ['a', 'b', 'a', 'c'].map((written, n) => ({ written, otherwise: n < 2 ? 'same' : written, place: `at ${n}` }));
  const keys = listUniqueKeys(named);
  const turned = listUniqueKeys(named.toReversed()).toReversed();
  assert.deepEqual(keys, turned);
  assert.equal(new Set(keys.map(({ key }) => key)).size, 4);
});
