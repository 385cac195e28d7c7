import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, test } from 'node:test';
import { getVendorDocument } from './vendor.fixture.ts';

const root = resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'catalogue-'));
after(() => rmSync(folder, { recursive: true }));

const run = (...words: readonly string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['tools/generate.ts', 'catalogue', ...words], {
    cwd: root,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
};
const place = (name: string): string => join(folder, name);
const write = (name: string, value: unknown): string => {
  writeFileSync(place(name), JSON.stringify(value));
  return place(name);
};
// biome-ignore lint/suspicious/noExplicitAny: the proposals are read as a person would
const read = (name: string): any => JSON.parse(readFileSync(place(name), 'utf8'));

const ORIGIN = ['--repository', 'shelf/api', '--commit', 'a'.repeat(40)];
const OPERATIONS = ['listItems', 'createItem', 'GET /items/{item-id}', 'deleteItem'].flatMap((word) => ['--operation', word]);
mkdirSync(place('documents'));
mkdirSync(place('entries'));
const older = write('documents/older.json', getVendorDocument());
const draft = (out: string, ...words: readonly string[]) =>
  run('draft', 'shelf', '--document', older, ...words, ...ORIGIN, '--path', 'openapi.json', '--licence', 'MIT', '--out', place(out));

/** Fills in what a person decides. */
const review = () => {
  const entry = read('draft.json');
  Object.assign(entry, { name: 'Shelf', category: 'WORK', summary: 'Items on a shelf.' });
  for (const action of entry.actions) {
    const changes = action.method !== 'GET';
    const side_effects = changes ? 'REVERSIBLE' : 'NONE';
    Object.assign(action, { name: `Action ${action.key}`, side_effects, risk: { rating: changes ? 'MEDIUM' : 'LOW', dangerous: changes } });
  }
  return entry;
};
const check = (entry: object, ...words: readonly string[]) => {
  write('entries/shelf.json', entry);
  return run('check', '--folder', place('entries'), ...words);
};

test('draft writes the facts of the named operations and leaves decisions open', () => {
  const { status, stderr } = draft('draft.json', ...OPERATIONS);
  assert.deepEqual([status, stderr], [0, '']);
  const { api, credential, sources, actions } = read('draft.json');
  assert.equal(api.base_url, 'https://api.shelf.example/v1');
  assert.deepEqual(credential, { scheme: 'HEADER', placement: { header: 'x-shelf-key' }, secret: 'api_key' });
  assert.deepEqual([sources[0].document_version, sources[0].commit, sources[0].licence], ['1.0.0', 'a'.repeat(40), 'MIT']);
  const [list, create, get, remove] = actions;
  assert.deepEqual(list.parameters, [
    { name: 'limit', in: 'query', type: 'integer', required: false, maximum: 50 },
    { name: 'states', in: 'query', sent_as: 'states[]', type: 'array', items: 'string', required: false },
  ]);
  assert.deepEqual(
    create.parameters.map(({ name, required, max_length }: { name: string; required: boolean; max_length?: number }) => [
      name,
      required,
      max_length,
    ]),
    [
      ['title', true, 80],
      ['tags', false, undefined],
    ],
  );
  assert.deepEqual([get.path, get.source.pointer, get.side_effects], ['/items/{item_id}', '/paths/~1items~1{item-id}/get', 'NONE']);
  assert.deepEqual([remove.risk, remove.side_effects, remove.name], [null, null, '']);
  assert.ok(!JSON.stringify(actions).includes('stand on the shelf'));
});

test('draft rejects an unknown operation and never overwrites a file', () => {
  const unknown = draft('unknown.json', '--operation', 'noSuchOperation');
  assert.deepEqual([unknown.status, unknown.stderr], [2, 'The document has no operation noSuchOperation.\n']);
  const before = readFileSync(place('draft.json'), 'utf8');
  const again = draft('draft.json', ...OPERATIONS);
  assert.equal(again.status, 2);
  assert.match(again.stderr, /draft\.json exists/);
  assert.equal(readFileSync(place('draft.json'), 'utf8'), before);
});

test('check refuses a draft, accepts it after the review, and prints counts', () => {
  const unreviewed = check(read('draft.json'));
  assert.equal(unreviewed.status, 1);
  assert.match(unreviewed.stderr, /shelf\.json: \/actions\/3/);
  const reviewed = check(review(), '--documents', place('documents'));
  assert.deepEqual([reviewed.status, reviewed.stderr], [0, '']);
  assert.match(reviewed.stdout, /1 applications with 4 reviewed actions/);
  assert.match(reviewed.stdout, /4 of 4 actions compared with 1 of 1 documents/);
});

test('check names differences from the document', () => {
  const wrong = review();
  wrong.actions[0].source.pointer = '/paths/~1items/head';
  wrong.actions[1].method = 'PUT';
  wrong.actions[2].path = '/things/{item_id}';
  wrong.actions[3].parameters.push({ name: 'force', in: 'query', type: 'boolean', required: false });
  wrong.actions[3].summary = 'Returns each of the items that stand on the shelf';
  const { status, stderr } = check(wrong, '--documents', place('documents'));
  assert.equal(status, 1);
  assert.match(stderr, /\/actions\/0\/source\/pointer .* leads to no operation/);
  assert.match(stderr, /\/actions\/1\/method is POST/);
  assert.match(stderr, /\/actions\/2\/path is \/items\/\{item-id\}/);
  assert.match(stderr, /\/actions\/3\/parameters contain force, which the document does not declare/);
  assert.match(stderr, /\/actions\/3\/summary copies the document/);
});

test('check rejects two uses of a key, unknown secrets and schemes, and marks without a known reason', () => {
  const faults = (change: (entry: ReturnType<typeof review>) => void): string => {
    const entry = review();
    change(entry);
    return check(entry).stderr;
  };
  assert.match(
    faults((entry) => entry.actions.push(entry.actions[0])),
    /\/actions contain list_items twice/,
  );
  assert.match(
    faults((entry) => (entry.credential.secret = 'password')),
    /uses password, which is no entered secret/,
  );
  assert.match(
    faults((entry) => (entry.credential.scheme = 'SIGNED')),
    /\/credential/,
  );
  assert.match(
    faults((entry) => entry.actions.push({ key: 'x', performed_by: 'PLATFORM', reason: 'NO_TIME' })),
    /\/actions\/4/,
  );
  assert.match(
    faults((entry) => (entry.name = 'ActiveCampaign')),
    /is the name of another entry/,
  );
  assert.match(
    faults((entry) => (entry.key = 'shelves')),
    /must be shelves\.json/,
  );
  assert.match(
    faults((entry) => (entry.actions[2].parameters = [])),
    /\{item_id\}, which is not a path parameter and not an entered value/,
  );
});

const refresh = (entry: object, newer: object, out: string) => {
  const [file, document] = [write(`entry-${out}`, entry), write(`newer-${out}`, newer)];
  const origin = ['--repository', 'shelf/api', '--commit', 'b'.repeat(40)];
  return run('refresh', file, '--older', older, '--newer', document, ...origin, '--out', place(out));
};

test('refresh updates what only the document changed, and keeps changes by people', () => {
  const entry = review();
  entry.actions[0].parameters[0].maximum = 20;
  const colour = { colour: { type: 'string' } };
  const { status, stdout } = refresh(
    entry,
    getVendorDocument({ version: '2.0.0', limit: 100, item: { tags: { type: 'string' }, ...colour } }),
    'merged.json',
  );
  assert.equal(status, 1);
  assert.match(stdout, /CONFLICT list_items: parameter limit, maximum: 50 became 100; the entry states 20/);
  assert.match(stdout, /TAKEN create_item: parameter tags, type: "array" became "string"/);
  assert.match(stdout, /INFO create_item: parameter colour is new/);
  const merged = read('merged.json');
  assert.equal(merged.actions[0].parameters[0].maximum, 20);
  assert.deepEqual(merged.actions[1].parameters[1], { name: 'tags', in: 'body', type: 'string', required: false });
  assert.deepEqual([merged.version, merged.sources[0].document_version, merged.sources[0].commit], [2, '2.0.0', 'b'.repeat(40)]);
  assert.notEqual(merged.sources[0].sha256, entry.sources[0].sha256);
  assert.equal(merged.actions[3].name, 'Action delete_item');
});

test('refresh leaves removed and newly required members to a person', () => {
  const query = [{ name: 'region', in: 'query', required: true, schema: { type: 'string' } }];
  const { status, stdout } = refresh(review(), getVendorDocument({ query, hasDelete: false }), 'gone.json');
  assert.equal(status, 1);
  assert.match(stdout, /GONE delete_item/);
  assert.match(stdout, /CONFLICT list_items: parameter region is required now/);
  assert.equal(read('gone.json').actions.length, 4);
});

test('refresh rejects an older document that the entry was not made from', () => {
  const entry = review();
  entry.sources[0].sha256 = '0'.repeat(64);
  const { status, stderr } = refresh(entry, getVendorDocument({ version: '2.0.0' }), 'other.json');
  assert.equal(status, 2);
  assert.match(stderr, /No source of shelf has the hash/);
});

const SCHEMA = `
"A shelf" type Query { items(first: Int, after: String, state: State = OPEN): ItemConnection!  item(id: ID!): Item }
type Mutation { createItem(input: ItemInput!): Item  old: Item @deprecated(reason: "gone") }
enum State { OPEN CLOSED }
input ItemInput { title: String! tags: [String!] }
type Item { id: ID! title: String state: State }
type ItemConnection { nodes: [Item!]! }
`;
const writeSchema = (name: string, text: string): string => {
  writeFileSync(place(name), text);
  return place(name);
};
const draftShelf = (out: string, ...words: readonly string[]) =>
  run(
    ...['draft', 'shelf', '--document', writeSchema('shelf.graphql', SCHEMA), '--url', 'https://api.shelf.example/graphql', ...ORIGIN],
    ...['--path', 'schema.graphql', '--licence', 'MIT', '--out', place(out), ...words.flatMap((word) => ['--operation', word])],
  );

test('draft and refresh read a GraphQL schema: arguments become variables, and changes of people stay', () => {
  const { status, stderr } = draftShelf('graphql.json', 'Query.items', 'Query.item', 'Mutation.createItem');
  assert.deepEqual([status, stderr], [0, '']);
  const entry = read('graphql.json');
  assert.deepEqual([entry.api.base_url, entry.sources[0].kind], ['https://api.shelf.example', 'GRAPHQL']);
  const [items, item, create] = entry.actions;
  assert.deepEqual(items.parameters[2], { name: 'state', in: 'variable', type: 'string', required: false, enum: ['OPEN', 'CLOSED'] });
  assert.deepEqual(
    [item.path, item.parameters, item.side_effects, item.source.pointer],
    [...['/graphql', [{ name: 'id', in: 'variable', type: 'string', required: true }]], ...['NONE', 'Query.item']],
  );
  assert.match(item.graphql.query, /^query item\(\$id: ID!\) \{ item\(id: \$id\) \{ id title state \} \}$/);
  assert.deepEqual([create.parameters[0].type, create.side_effects, create.graphql.variables], ['object', null, { input: '{input}' }]);
  assert.equal(
    draftShelf('none.json', 'Query.none').stderr,
    'The schema has no field Query.none. Name it as Query.name or Mutation.name.\n',
  );

  Object.assign(entry, { name: 'Shelf', category: 'WORK', summary: 'Items on a shelf.' });
  Object.assign(entry, {
    credential: { scheme: 'HEADER', placement: { header: 'authorization' }, secret: 'api_key' },
    enter: [{ name: 'api_key', label: 'API key', secret: true, required: true }],
  });
  for (const action of entry.actions)
    Object.assign(action, {
      name: `Action ${action.key}`,
      side_effects: action.side_effects ?? 'REVERSIBLE',
      risk: { rating: 'LOW', dangerous: false },
    });
  items.parameters[2].enum = ['OPEN'];
  const newer = SCHEMA.replace('first: Int', 'first: Float')
    .replace('enum State { OPEN CLOSED }', 'enum State { OPEN CLOSED LOST }')
    .replace('createItem(input: ItemInput!): Item', '');
  const { status: open, stdout } = run(
    ...['refresh', write('graphql-entry.json', entry), '--older', place('shelf.graphql'), '--newer', writeSchema('newer.graphql', newer)],
    ...['--repository', 'shelf/api', '--commit', 'b'.repeat(40), '--out', place('graphql-merged.json')],
  );
  assert.equal(open, 1, stdout);
  assert.match(stdout, /TAKEN items: parameter first, type: "integer" became "number"/);
  assert.match(stdout, /CONFLICT items: parameter state, enum: /);
  assert.match(stdout, /GONE create_item/);
  assert.deepEqual(read('graphql-merged.json').actions[0].parameters[2].enum, ['OPEN']);
});
