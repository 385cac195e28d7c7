import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { buildExecutionRequest } from '../../request/execution-request.ts';
import { parseExecution } from '../../request/parse-execution.ts';
import { compileParameters } from '../../schema/parameters-schema.ts';
import { isNotProposed, type ProposedTool } from '../draft/proposal.ts';
import { proposeTools } from '../propose-tools.ts';

const TEXT = { type: 'string' };
const FORM = 'application/x-www-form-urlencoded';

const read = (operation: object, schemas: object = {}) => {
  const paths = { '/it': { post: operation } };
  const root = { openapi: '3.1.0', servers: [{ url: 'https://a.example' }], components: { schemas }, paths };
  const found = proposeTools({ root }, { source: 'shop' });
  assert.ok(!('fault' in found));
  const [only] = [...found.proposals()];
  assert.ok(only !== undefined);
  return only;
};
const proposed = (operation: object, schemas?: object): ProposedTool => {
  const only = read(operation, schemas);
  assert.ok(!isNotProposed(only), JSON.stringify(only));
  return only;
};
const form = (schema: object) => ({ requestBody: { required: true, content: { [FORM]: { schema } } } });
/** Returns the sent request for these parameters, or why they are refused. */
const sent = ({ declaration }: ProposedTool, parameters: Readonly<Record<string, unknown>>): string | undefined => {
  if (compileParameters(declaration.parameters_schema)(parameters).length > 0) return 'refused';
  const execution = parseExecution(declaration.execution);
  assert.ok(!('faults' in execution));
  const request = buildExecutionRequest(execution, parameters);
  assert.ok(!('faults' in request), JSON.stringify(request));
  return request.body === undefined ? new URL(request.url).search : decodeURIComponent(request.body);
};

/** A realistic form object: a text, a list of objects, and more levels than are written. */
const DEEP = {
  type: 'object',
  description: 'How it is paid.',
  properties: {
    kind: TEXT,
    items: { type: 'array', items: { type: 'object', properties: { price: TEXT } } },
    card: {
      type: 'object',
      properties: {
        network: TEXT,
        mandate: { type: 'object', properties: { when: TEXT, bound: { type: 'object', properties: { amount: TEXT } } } },
      },
    },
    'odd-name': TEXT,
    id: { type: 'string', readOnly: true },
  },
  required: ['kind', 'id'],
};

test('refuses and reports a part of an object that a form cannot contain, instead of silently dropping it', () => {
  const tool = proposed(form({ type: 'object', properties: { how: DEEP } }));
  assert.equal(
    sent(tool, { how: { kind: 'a', card: { network: 'b', mandate: { when: 'c' } } } }),
    'how[kind]=a&how[card][network]=b&how[card][mandate][when]=c',
  );
  assert.equal(sent(tool, { how: { kind: 'a', items: [{ price: 'b' }] } }), 'how[kind]=a&how[items][0][price]=b');
  assert.equal(
    sent(tool, { how: { kind: 'a', card: { mandate: { when: 'c', bound: { amount: 'd' } } } } }),
    'how[kind]=a&how[card][mandate][when]=c&how[card][mandate][bound][amount]=d',
  );
  for (const how of [{ kind: 'a', 'odd-name': 'b' }, { kind: 'a', unheard: 'b' }, { card: { network: 'b' } }])
    assert.equal(sent(tool, { how }), 'refused', JSON.stringify(how));
  assert.match(tool.notes.join(' '), /The field how\.odd-name is omitted: it cannot be sent in a query or a form/);
});

test('drops an object that requires an unsendable part, and refuses the operation if it is required', () => {
  const object = { ...DEEP, required: ['odd-name'] };
  const tool = proposed(form({ type: 'object', properties: { how: object, a: TEXT } }));
  assert.deepEqual(Object.keys(tool.declaration.execution.body as object), ['a']);
  assert.match(tool.notes.join(' '), /The field how is omitted: it is an object that requires odd-name, which cannot be sent there/);
  const refused = read(form({ type: 'object', properties: { how: object }, required: ['how'] }));
  assert.ok(isNotProposed(refused) && /requires the field how, .* requires odd-name/.test(refused.refused));
});

test('never cuts a large schema in an object that is written part by part', () => {
  const deep = (level: number): object => ({ type: 'object', properties: { more: level === 0 ? TEXT : deep(level - 1) } });
  const many = Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`p${n}`, deep(4)]));
  const query = { name: 'how', in: 'query', style: 'deepObject', explode: true, schema: DEEP };
  const body = { content: { 'application/json': { schema: { type: 'object', properties: many } } } };
  const tool = proposed({ parameters: [query], requestBody: body });
  assert.match(tool.notes.join(' '), /does not describe its deepest parts/);
  assert.equal(compileParameters(tool.declaration.parameters_schema)({ how: { kind: 'a', unheard: 1 }, body: {} }).length, 1);
  assert.deepEqual(compileParameters(tool.declaration.parameters_schema)({ how: { kind: 'a' }, body: {} }), []);
});

test('reports everything omitted in one sentence per reason, and hides no other note', () => {
  const parameters = Array.from({ length: 100 }, (_, n) => ({ name: `filter_${n}`, in: 'query', schema: TEXT }));
  const cookies = Array.from({ length: 3 }, (_, n) => ({ name: `c${n}`, in: 'cookie', schema: TEXT }));
  const { notes } = proposed({ parameters: [...parameters, ...cookies], deprecated: true });
  assert.ok(notes.length <= 4, JSON.stringify(notes));
  const told = notes.join(' ');
  assert.match(told, /The parameters filter_32, filter_33, .* and 48 more are omitted: a tool has at most 32 query parameters/);
  assert.match(told, /The parameters c0, c1, c2 are omitted: .* deprecated|deprecated.* The parameters c0, c1, c2 are omitted:/);
});

test('visits an object of objects of objects once and quickly', () => {
  const wide = (to: string) => ({
    type: 'object',
    properties: Object.fromEntries(Array.from({ length: 190 }, (_, n) => [`p${n}`, { $ref: `#/components/schemas/${to}` }])),
  });
  const schemas = { A: wide('B'), B: wide('C'), C: wide('D'), D: TEXT };
  const fields = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`f${n}`, { $ref: '#/components/schemas/A' }]));
  const began = performance.now();
  read(form({ type: 'object', properties: { ...fields, a: TEXT } }), schemas);
  const ms = performance.now() - began;
  assert.ok(ms < LIMITS.toolImports.readingMs / 3, `${ms} ms`);
});

test('joins a list with commas under any name and for any number', () => {
  const joined = (name: string) => ({ name, in: 'query', explode: false, schema: { type: 'array', items: TEXT } });
  const many = Array.from({ length: 14 }, (_, n) => joined(`f${n}`));
  const tool = proposed({ parameters: [joined('tweet.fields'), ...many], requestBody: { content: { 'application/json': {} } } });
  const url = (parameters: object) => {
    const execution = parseExecution(tool.declaration.execution);
    assert.ok(!('faults' in execution));
    const request = buildExecutionRequest(execution, { body: {}, ...parameters });
    assert.ok(!('faults' in request), JSON.stringify(request));
    return decodeURIComponent(new URL(request.url).search);
  };
  assert.equal(url({ f0: ['a', 'b'] }), '?f0=a,b');
  const texts = { tweet_fields: 'a,b', f13: 'c,d' };
  assert.deepEqual(compileParameters(tool.declaration.parameters_schema)({ body: {}, ...texts }), []);
  assert.equal(url(texts), '?tweet.fields=a,b&f13=c,d');
  assert.match(tool.notes.join(' '), /Sent as one comma-separated text: tweet\.fields, f12, f13\./);
});

const getBody = (content: object, more: object = {}) => ({ requestBody: { content, ...more } });
const PATCHES = {
  'application/json-patch+json': {},
  'application/strategic-merge-patch+json': {},
  'application/merge-patch+json': { schema: { type: 'object' } },
};

test('sends the kind of patch that its schema describes, and no list of steps', () => {
  assert.deepEqual(proposed(getBody(PATCHES)).declaration.execution.headers, { 'Content-Type': 'application/merge-patch+json' });
  const { 'application/json-patch+json': steps } = PATCHES;
  assert.deepEqual(proposed(getBody({ 'application/json-patch+json': steps })).declaration.execution.headers, {
    'Content-Type': 'application/json-patch+json',
  });
});

test('refuses an operation whose body cannot be sent, unless the document makes it optional', () => {
  const binary = { schema: { type: 'string', format: 'binary' } };
  for (const content of [{ 'image/png': {} }, { 'multipart/form-data': {} }, { '*/*': binary }]) {
    const refused = read(getBody(content));
    assert.ok(isNotProposed(refused) && /It accepts only .*, which tools do not send/.test(refused.refused), JSON.stringify(refused));
    assert.match(proposed(getBody(content, { required: false })).notes.join(' '), /Its body is omitted/);
  }
});

test('omits and reports a field with a custom encoding, and reports brackets by default', () => {
  const object = { type: 'object', properties: { a: TEXT } };
  const schema = { type: 'object', properties: { payload: object, ids: { type: 'array', items: TEXT }, plain: object, a: TEXT } };
  const encoding = { payload: { contentType: 'application/json' }, ids: { explode: false } };
  const { declaration, notes } = proposed(getBody({ [FORM]: { schema, encoding } }));
  assert.deepEqual(Object.keys(declaration.execution.body as object), ['plain[a]', 'a']);
  assert.match(
    notes.join(' '),
    /written as name\[part\].* field payload is omitted: it is a document within the form.* field ids is omitted: it is a list with separators/,
  );
});

test('sends a required secret with the credential, and creates no parameter for the key of a scheme', () => {
  const parameters = [
    { name: 'X-Approval-Token', in: 'header', required: true, schema: TEXT },
    { name: 'token', in: 'query', required: true, schema: TEXT },
  ];
  const components = {
    securitySchemes: { bearer: { type: 'http', scheme: 'bearer' }, token: { type: 'apiKey', in: 'query', name: 'token' } },
  };
  const tried = (security: object, described: object) => {
    const paths = { '/it': { post: { parameters, security: [security] } } };
    const found = proposeTools(
      { root: { openapi: '3.1.0', servers: [{ url: 'https://a.example' }], components: described, paths } },
      { source: 's' },
    );
    assert.ok(!('fault' in found));
    return [...found.proposals()][0] as ProposedTool | { readonly refused: string };
  };
  const tool = tried({ token: [] }, components);
  assert.ok(!('refused' in tool), JSON.stringify(tool));
  assert.deepEqual(
    tool.credentials.map(({ placement, extras }) => [placement, extras]),
    [[{ parameter: 'token' }, [{ in: 'HEADER', name: 'X-Approval-Token' }]]],
  );
  const refused = tried({}, {});
  assert.ok('refused' in refused && /requires the parameter token.*security scheme \(apiKey in query\)/.test(refused.refused));
});

test('reads the fields of all parts of a form, and of each of several alternatives', () => {
  const amount = { type: 'object', required: ['amount'], properties: { amount: { type: 'integer' } } };
  const made = proposed(form({ type: 'object', properties: { a: TEXT }, allOf: [amount, { required: ['a'] }] }));
  assert.equal(sent(made, { a: 'x', amount: 7 }), 'a=x&amount=7');
  assert.equal(sent(made, { amount: 7 }), 'refused');
  assert.equal(sent(made, { a: 'x' }), 'refused');
  const undescribed = proposed(form({ type: 'object', properties: { a: TEXT }, required: ['b'] }));
  assert.equal(sent(undescribed, { b: 'y' }), 'b=y');
  assert.equal(sent(undescribed, { a: 'x' }), 'refused');
  const card = { type: 'object', required: ['kind', 'card'], properties: { kind: { enum: ['card'] }, card: TEXT } };
  const bank = { type: 'object', required: ['kind', 'iban'], properties: { kind: { enum: ['bank'] }, iban: TEXT } };
  const either = proposed(form({ oneOf: [card, bank] }));
  assert.equal(sent(either, { kind: 'card', card: 'x' }), 'kind=card&card=x');
  assert.equal(sent(either, { kind: 'bank', iban: 'y' }), 'kind=bank&iban=y');
  assert.equal(sent(either, { iban: 'y' }), 'refused');
  assert.equal(sent(either, { kind: 'other' }), 'refused');
});

test('reports an operation with a separate server if one address applies to all', () => {
  const [rest, uploads] = [{ servers: [{ url: 'https://a.example' }] }, { servers: [{ url: 'https://uploads.example' }] }];
  const paths = { '/a': { get: {} }, '/b': { get: uploads }, '/c': { ...rest, get: {} }, '/d': { ...uploads, get: {} } };
  const notes = (base_url?: string) => {
    const found = proposeTools({ root: { openapi: '3.1.0', ...rest, paths } }, { source: 's', ...(base_url ? { base_url } : {}) });
    assert.ok(!('fault' in found));
    return [...found.proposals()].map((each) => !isNotProposed(each) && /https:\/\/uploads/.test(each.notes.join(' ')));
  };
  assert.deepEqual(
    [notes('https://b.example'), notes()],
    [
      [false, true, false, true],
      [false, false, false, false],
    ],
  );
});

test('sends objects without declared members and lists of objects in forms and queries, with each member by its name', () => {
  const metadata = { type: 'object', additionalProperties: TEXT };
  const items = {
    type: 'array',
    items: { type: 'object', required: ['price'], properties: { price: TEXT, tags: { type: 'array', items: TEXT } } },
  };
  const tool = proposed(form({ type: 'object', properties: { metadata, items, cleared: { anyOf: [metadata, { enum: [''] }] } } }));
  assert.deepEqual(tool.declaration.execution.body, {
    'metadata[*]': '{metadata}',
    'items[*]': '{items}',
    'cleared[*]': '{cleared}',
  });
  assert.equal(sent(tool, { metadata: { order: '7', 'a&b': 'c=d' } }), 'metadata[order]=7&metadata[a&b]=c=d');
  assert.equal(
    sent(tool, { items: [{ price: 'p', tags: ['x', 'y'] }, { price: 'q' }], cleared: '' }),
    'items[0][price]=p&items[0][tags][]=x&items[0][tags][]=y&items[1][price]=q&cleared=',
  );
  assert.equal(sent(tool, { items: [{ tags: [] }] }), 'refused');
  assert.equal(sent(tool, { metadata: { nested: { a: 1 } } }), 'refused');
  const filter = (more: object) => ({ name: 'filter', in: 'query', schema: { type: 'object' }, ...more });
  assert.equal(sent(proposed({ parameters: [filter({ style: 'deepObject' })] }), { filter: { a: { b: 1 } } }), '{}');
  const { declaration } = proposed({ parameters: [filter({ style: 'deepObject' })] });
  assert.deepEqual(declaration.execution.query, { 'filter[*]': '{filter}' });
  assert.match(proposed({ parameters: [filter({})] }).notes.join(), /The parameter filter is omitted: .* whose members are not declared/);
  const either = { name: 'q', in: 'query', schema: { anyOf: [{ type: 'object' }, TEXT] } };
  assert.deepEqual(proposed({ parameters: [either] }).declaration.execution.query, { q: '{q}' });
});
