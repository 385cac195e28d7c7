import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { findRepeatedMember } from './repeated-member.ts';

const found = (text: string): string | undefined => findRepeatedMember(text, JSON.parse(text));

test('names a duplicate member of an object, in any escaping and at any depth', () => {
  assert.equal(found('{"a":1,"a":2}'), '/a');
  assert.equal(found('{"a":1,"\\u0061":1}'), '/a');
  assert.equal(found('{"x":[1,{"b":{}},{"c":"\\":","d":[],"c" : null}]}'), '/x/2/c');
  assert.equal(found('{"a/b":{"~":1,"~":2}}'), '/a~1b/~0');
  assert.equal(found('[{"a":{"b":1}},{"a":{"b":1,"c":2,"b":3}}]'), '/1/a/b');
});

test('accepts every text that JSON.stringify writes', () => {
  void fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(0, 2), (value, indent) => found(JSON.stringify(value, null, indent)) === undefined),
  );
});

test('reads a deep body without recursion', () => {
  const depth = 50_000;
  assert.equal(found(`${'['.repeat(depth)}${']'.repeat(depth)}`), undefined);
});
