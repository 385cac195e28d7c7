import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readStringMembers } from './read-string-members.ts';

const read = (text: string) => readStringMembers(Buffer.from(text));

test('reads an object of strings like JSON.parse, with any spacing', () => {
  const objects = fc.dictionary(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), { minKeys: 1, noNullPrototype: true });
  fc.assert(
    fc.property(objects, fc.constantFrom(undefined, 1, '\t'), (object, indent) => {
      const text = JSON.stringify(object, null, indent);
      assert.deepEqual(read(text), new Map(Object.entries(JSON.parse(text))));
    }),
  );
});

test('accepts only JSON, with the members that JSON.parse reads', () => {
  const pieces = fc.array(fc.constantFrom('{', '}', '"', ':', ',', ' ', 'a', '\\', 'u0061', '"a":"b"', '1', '[', ']', '\n'), {
    maxLength: 12,
  });
  fc.assert(
    fc.property(pieces, (parts) => {
      const text = `{"k":"v"${parts.join('')}`;
      const members = read(text);
      if (members !== null) assert.deepEqual(members, new Map(Object.entries(JSON.parse(text))));
    }),
    { numRuns: 3000 },
  );
});

const refused: readonly (readonly [string, string])[] = [
  ['a member named twice', '{"alg":"EdDSA","alg":"none"}'],
  ['a member named twice, once escaped', '{"alg":"EdDSA","\\u0061lg":"none"}'],
  ['an empty object', '{}'],
  ['a number', '{"a":1}'],
  ['null', '{"a":null}'],
  ['a list', '{"a":["b"]}'],
  ['a nested object', '{"a":{"b":"c"}}'],
  ['a trailing comma', '{"a":"b",}'],
  ['something after the end', '{"a":"b"}{"a":"b"}'],
  ['a trailing NUL', '{"a":"b"}\u0000'],
  ['a comment', '{"a":"b"/**/}'],
  ['single quotes', "{'a':'b'}"],
  ['a raw newline in a string', '{"a":"b\n"}'],
  ['an unknown escape', '{"a":"\\x41"}'],
  ['an unfinished escape', '{"a":"\\u00"}'],
  ['a byte order mark', '\ufeff{"a":"b"}'],
  ['a no-break space', '{\u00a0"a":"b"}'],
  ['an unfinished object', '{"a":"b"'],
  ['a bare string', '"a"'],
  ['nothing', ''],
];
for (const [what, text] of refused) test(`rejects ${what}`, () => assert.equal(read(text), null));

test('rejects bytes that are not UTF-8', () => {
  assert.equal(readStringMembers(Buffer.from('{"a":"\xff"}', 'latin1')), null);
  assert.equal(readStringMembers(Buffer.from([0x7b, 0x22, 0xc0, 0xaf, 0x22, 0x3a, 0x22, 0x22, 0x7d])), null);
});

test('treats a member named __proto__ like any other', () => {
  assert.deepEqual(read('{"__proto__":"x","alg":"EdDSA"}')?.size, 2);
});
