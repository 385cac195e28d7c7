import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { buildSchema, introspectionFromSchema } from 'graphql';
import { type ImportFormat, isNotProposed } from './draft/proposal.ts';
import { FORMATS } from './formats.ts';
import { proposeTools } from './propose-tools.ts';

const request = (method: string) => ({ method, url: 'https://a.example/things' });
const COLLECTION = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';
const LIST = { operationId: 'listThings' };
const MAKE = { operationId: 'makeThing' };
const SCHEMA = 'type Query { listThings: Int } type Mutation { makeThing: Int }';

const KEYS = ['list_things', 'make_thing'];

type Example = { readonly root: Readonly<Record<string, unknown>>; readonly keys: readonly string[] };
/** An example document per format with a read and a write operation, and their names; a format without one does not compile. */
const EXAMPLES: Readonly<Record<keyof typeof FORMATS, Example>> = {
  openApi: { keys: KEYS, root: { openapi: '3.1.0', paths: { '/things': { get: LIST, post: MAKE } } } },
  postman: {
    keys: KEYS,
    root: {
      info: { schema: COLLECTION },
      item: [
        { name: 'listThings', request: request('GET') },
        { name: 'makeThing', request: request('POST') },
      ],
    },
  },
  graphql: { keys: KEYS, root: { ...introspectionFromSchema(buildSchema(SCHEMA)) } },
};

const EACH = Object.entries(FORMATS) as readonly (readonly [keyof typeof FORMATS, ImportFormat])[];
const options = { source: 'shop', base_url: 'https://a.example/graphql' };

for (const [name, format] of EACH) {
  describe(`the format ${name}`, () => {
    const { root, keys } = EXAMPLES[name];

    test('recognizes its own documents, and no others', () => {
      assert.deepEqual(
        EACH.filter(([, { isOf }]) => isOf(root)).map(([each]) => each),
        [name],
      );
      assert.equal(format.isOf({}), false);
    });

    test('proposes a tool for each operation, under a stable key', () => {
      const found = () => {
        const read = proposeTools({ root }, options);
        assert.ok(!('fault' in read), JSON.stringify(read));
        assert.notEqual(read.format, '');
        return [...read.proposals()];
      };
      const proposals = found();
      assert.ok(proposals.every((each) => !isNotProposed(each)));
      assert.deepEqual(
        proposals.map(({ key }) => key),
        keys,
      );
      assert.deepEqual(found(), proposals);
    });

    test('refuses or reads a document with only one member left, without an exception', () => {
      for (const member of Object.keys(root)) {
        const read = proposeTools({ root: { [member]: root[member] } }, options);
        if ('fault' in read) assert.match(read.fault, /^[A-Z].*\.$/);
        else assert.notEqual([...read.proposals()].length, 0);
      }
    });
  });
}

test('lists all formats for an unknown document', () => {
  const read = proposeTools({ root: { what: 'else' } }, options);
  assert.ok('fault' in read);
  for (const [, { called }] of EACH) assert.ok(read.fault.includes(`no ${called}`), read.fault);
});
