import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { parseDocument } from './parse-document.ts';

const parse = (text: string) => parseDocument(Buffer.from(text));
const readRoot = (text: string): unknown => {
  const parsed = parse(text);
  assert.ok('root' in parsed, JSON.stringify(parsed));
  return parsed.root;
};

test('merges the members of an anchor, which those of the object itself override', () => {
  const anchors = 'a: &a { q: 1, r: 2 }\nb: &b { r: 3, s: 4 }\n';
  assert.deepEqual(readRoot(`${anchors}c: { <<: *a, r: 5 }`), { a: { q: 1, r: 2 }, b: { r: 3, s: 4 }, c: { q: 1, r: 5 } });
  assert.deepEqual((readRoot(`${anchors}c: { <<: [*a, *b] }`) as { c: unknown }).c, { q: 1, r: 2, s: 4 });
  assert.deepEqual(readRoot('{"<<": {"a": 1}}'), { '<<': { a: 1 } }, 'JSON has no merge keys');
});

test('sets no prototype through a merge', () => {
  const root = readRoot('a: &a { __proto__: { polluted: 1 } }\nb: { <<: *a }') as { b: object };
  assert.deepEqual([Object.keys(root.b), ({} as { polluted?: unknown }).polluted], [['__proto__'], undefined]);
});

test('refuses merges that copy more keys than the limit, and stays fast', () => {
  const keys = Array.from({ length: 1_000 }, (_, n) => `k${n}: 1`).join(', ');
  const merges = Array.from({ length: LIMITS.toolImports.mergedKeysMax / 1_000 + 1 }, (_, n) => `m${n}: { <<: *a }`).join('\n');
  const began = performance.now();
  const parsed = parse(`a: &a { ${keys} }\n${merges}`);
  assert.ok('fault' in parsed && /merges more than 100000 keys/.test(parsed.fault), JSON.stringify(parsed).slice(0, 200));
  const chain = Array.from({ length: 40 }, (_, n) => `c${n + 1}: &c${n + 1} { <<: [*c${n}, *c${n}], x${n}: 1 }`).join('\n');
  assert.equal(Object.keys((readRoot(`c0: &c0 { y: 1 }\n${chain}`) as { c40: object }).c40).length, 41);
  assert.ok(performance.now() - began < 5_000);
});

test('refuses a merge of a non-object', () => {
  const parsed = parse('a: { <<: 1 }');
  assert.ok('fault' in parsed && /not valid JSON or YAML \(line 1\)/.test(parsed.fault), JSON.stringify(parsed));
});
