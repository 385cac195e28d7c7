import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { childSlices, findAmbiguity, findSlice } from './json-text.ts';

const values = fc.jsonValue({ maxDepth: 4, noUnicodeString: false });
const indents = fc.constantFrom(undefined, 1, '\t', '\n  ');
const text = (value: unknown, indent: string | number | undefined): string => ` ${JSON.stringify(value, null, indent)}\n`;

test('slices of a text are the texts of its members and elements', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), values), indents, (members, indent) => {
      const whole = text(members, indent);
      const read = childSlices(whole).map(({ name, start, end }) => [name, JSON.parse(whole.slice(start, end))]);
      assert.deepEqual(Object.fromEntries(read), JSON.parse(whole));
    }),
  );
  fc.assert(
    fc.property(fc.array(values), indents, (elements, indent) => {
      const whole = text({ result: { tools: elements, other: elements } }, indent);
      const list = findSlice(whole, ['result', 'tools']);
      assert.deepEqual(
        childSlices(whole, list?.start).map(({ start, end }) => JSON.parse(whole.slice(start, end))),
        JSON.parse(JSON.stringify(elements)),
      );
    }),
  );
});

test('finds no ambiguity in what JSON.stringify writes, and each repeated member', () => {
  fc.assert(fc.property(values, indents, (value, indent) => assert.equal(findAmbiguity(text(value, indent)), undefined)));
  fc.assert(
    fc.property(fc.string(), values, (name, value) => {
      const member = `${JSON.stringify(name)}:${JSON.stringify(value)}`;
      assert.equal(findAmbiguity(`[0,{${member},${member}}]`)?.fault, 'must not be there twice');
    }),
  );
});

test('takes text of any depth and length', () => {
  const deep = '['.repeat(200_000) + ']'.repeat(200_000);
  assert.equal(findAmbiguity(deep), undefined);
  assert.equal(childSlices(deep).length, 1);
  assert.equal(childSlices(`[${'1,'.repeat(200_000)}1]`).length, 200_001);
  assert.deepEqual([childSlices('7'), childSlices('"x"'), findSlice('{"a":1}', ['b', 'c'])], [[], [], undefined]);
});
