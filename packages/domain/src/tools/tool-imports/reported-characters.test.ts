import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isNotProposed, type ProposedTool, type RejectedOperation } from './draft/proposal.ts';
import { toLine } from './draft/reading.ts';
import { proposeTools } from './propose-tools.ts';

const SERVERS = { openapi: '3.1.0', info: { title: 'T\u0000i\u001b[2Jt\u202ele' }, servers: [{ url: 'https://a.example' }] };
const ALONE = '\ud83d';

const readOf = (root: object, base_url?: string) => {
  const read = proposeTools({ root }, { source: 'shop', ...(base_url === undefined ? {} : { base_url }) });
  assert.ok(!('fault' in read), JSON.stringify(read));
  return read;
};
const theOnly = (root: object, base_url?: string): ProposedTool | RejectedOperation => {
  const [only, ...more] = [...readOf(root, base_url).proposals()];
  assert.ok(only !== undefined && more.length === 0);
  return only;
};
const getRefusal = (each: ProposedTool | RejectedOperation): string =>
  isNotProposed(each) ? each.refused : `proposed: ${JSON.stringify(each)}`;
const posted = (schema: object, more: object = {}) => ({
  ...SERVERS,
  paths: { '/a': { post: { requestBody: { required: true, content: { 'application/json': { schema } } }, ...more } } },
});
const request = (url: string) => ({
  info: { name: 'C', schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
  item: [{ name: 'x', request: { method: 'GET', url } }],
});

test('keeps no terminal control or direction character in a line, and whole characters only', () => {
  assert.equal(toLine('a\u0000b\u001b[31m\n c\u202e\u2066d\u200e', 100), 'ab[31m cd');
  assert.equal(toLine(`${'x'.repeat(8)}😀y`, 10), `${'x'.repeat(8)}…`);
  assert.equal(readOf({ ...SERVERS, paths: { '/a': { get: {} } } }).title, 'Ti[2Jtle');
});

test('refuses a path with half a character as such', () => {
  assert.match(getRefusal(theOnly({ ...SERVERS, paths: { [`/a${ALONE}`]: { get: {} } } })), /path contains half of a surrogate pair/);
  assert.match(getRefusal(theOnly(request(`https://a.example/a${ALONE}`))), /path contains half of a surrogate pair/);
});

test('removes a NUL in a description, and describes one in a name', () => {
  const described = { parameters: [{ name: 'q', in: 'query', description: 'wh\u0000at', schema: { type: 'string' } }] };
  const fine = theOnly({ ...SERVERS, paths: { '/a': { get: described } } });
  assert.ok(!isNotProposed(fine), getRefusal(fine));
  assert.deepEqual(fine.declaration.parameters_schema.properties, { q: { type: 'string', description: 'what' } });
  const properties = { 'a\u0000b': { type: 'string' }, c: { type: 'string' } };
  assert.match(getRefusal(theOnly(posted({ type: 'object', properties }))), /must not contain the character U\+0000/);
  const half = { type: 'object', properties: { [ALONE]: {} } };
  assert.match(getRefusal(theOnly(posted(half))), /must be well-formed Unicode/);
});

test('does not check values that cannot be stored', () => {
  const properties = {
    a: { enum: ['x', 'y\u0000'] },
    b: { const: ALONE },
    c: { enum: [Number.POSITIVE_INFINITY] },
    d: { pattern: '\u0000' },
  };
  const only = theOnly(posted({ type: 'object', properties }));
  assert.ok(!isNotProposed(only), getRefusal(only));
  assert.deepEqual(Object.values(only.declaration.parameters_schema.properties as object), [
    { type: 'object', properties: { a: {}, b: {}, c: {}, d: {} } },
  ]);
  assert.ok(only.notes.some((note) => /patterns are not checked: they contain characters/.test(note)));
});

test('shows a reference in one line of whole characters', () => {
  const refused = getRefusal(theOnly(posted({ $ref: `#/\u001b[2J${'x'.repeat(88)}😀` })));
  assert.match(refused, /is not in the document/);
  assert.ok(refused.isWellFormed() && !/\p{Cc}/u.test(refused), refused);
});

test('treats a brace before the path of a request as no host parameter', () => {
  for (const [url, base_url] of [
    ['https://127.0.0.1{x}', undefined],
    ['https://127.0.0.1{x}', 'https://b.example'],
    ['{x}/y', 'https://b.example'],
  ] as const)
    assert.match(getRefusal(theOnly(request(url), base_url)), /brace before the path/);
  const fine = theOnly(request('{{base}}/y/{id}'), 'https://b.example');
  assert.ok(!isNotProposed(fine) && fine.declaration.execution.url === 'https://b.example/y/{id}', getRefusal(fine));
});
