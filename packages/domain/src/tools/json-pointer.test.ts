import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { formatPointer, parsePointer, readPointer } from './json-pointer.ts';

// The document and the results of RFC 6901, section 5.
const document = JSON.parse('{"foo":["bar","baz"],"":0,"a/b":1,"c%d":2,"e^f":3,"g|h":4,"i\\\\j":5,"k\\"l":6," ":7,"m~n":8}');
const answers: readonly (readonly [string, unknown])[] = [
  ['', document],
  ['/foo', ['bar', 'baz']],
  ['/foo/0', 'bar'],
  ['/', 0],
  ['/a~1b', 1],
  ['/c%d', 2],
  ['/e^f', 3],
  ['/g|h', 4],
  ['/i\\j', 5],
  ['/k"l', 6],
  ['/ ', 7],
  ['/m~0n', 8],
];

test('reads pointers as RFC 6901 specifies', () => {
  for (const [pointer, expected] of answers) assert.deepEqual(readPointer(document, parsePointer(pointer) ?? ['?']), expected, pointer);
});

test('rejects a text that is no pointer', () => {
  for (const text of ['foo', '#/foo', '/~', '/~2', '/a~']) assert.equal(parsePointer(text), null, text);
});

test('does not read inherited members or beyond an array', () => {
  for (const pointer of ['/constructor', '/__proto__', '/foo/length', '/foo/-', '/foo/2', '/foo/01', '/foo/0/length', '/nothing/at/all']) {
    assert.equal(readPointer(document, parsePointer(pointer) ?? []), undefined, pointer);
  }
});

test('parses every formatted pointer back', () => {
  fc.assert(fc.property(fc.array(fc.string()), (tokens) => assert.deepEqual(parsePointer(formatPointer(tokens)), tokens)));
});
