import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { TOOL_IMPORT_LIMITS } from '@svc/contract/tables/limits/tool-import-limits.ts';
import { longOnly } from '@svc/testing/length/test-length.ts';
import { call, mustCall } from '@svc/testing/people/client.ts';
import { newTenant } from '@svc/testing/people/tenant.ts';
import { createScene } from '@svc/testing/scene/scene.ts';
import { waitUntil } from '@svc/testing/time/until.ts';

const s = createScene();

type Paths = Readonly<Record<string, object>>;

const getDocument = (paths: Paths, more: object = {}): string =>
  JSON.stringify({
    openapi: '3.0.3',
    info: { title: 'Shop', version: '7' },
    servers: [{ url: 'https://shop.example/v1' }],
    paths,
    ...more,
  });

const body = (schema: object) => ({ requestBody: { required: true, content: { 'application/json': { schema } } } });
const amount = { type: 'object', properties: { amount: { type: 'integer', nullable: true } }, required: ['amount'] };

const FIRST: Paths = {
  '/refunds': { post: { operationId: 'createRefund', ...body(amount) }, get: { operationId: 'listRefunds' } },
  '/refunds/{id}': { delete: { operationId: 'removeRefund' }, head: { operationId: 'peek' } },
};

const send = (method: string, path: string, sent?: object) =>
  mustCall(s.tenant.controlUrl, method, path, { token: s.tenant.token, body: sent });
const read = (source: string, document: string, more: object = {}) =>
  send('POST', '/v1/tool-imports', { environment_id: s.tenant.environment_id, source, document, ...more });

test('createToolImport, listToolProposals and getToolProposal: operations of a document become proposals with schema, destination, credential and risk, and each of the others states why not', async () => {
  const security = {
    security: [{ key: [] }],
    components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Shop-Key' } } },
  };
  const made = await read('shop', getDocument(FIRST, security));
  assert.deepEqual(
    [made.format, made.title, made.counts],
    ['OpenAPI 3.0.3', 'Shop', { total: 4, NEW: 3, CHANGED: 0, UNCHANGED: 0, GONE: 0, REFUSED: 1 }],
  );
  const { items } = await send('GET', `/v1/tool-imports/${made.id}/proposals`);
  const byKey = new Map<string, Record<string, unknown>>(items.map((item: { key: string }) => [item.key, item]));
  assert.match(String(byKey.get('peek')?.reason), /method HEAD is not supported/);
  const refund = await send('GET', `/v1/tool-imports/${made.id}/proposals/create_refund`);
  assert.deepEqual(refund.credentials, [{ scheme: 'HEADER', name: 'key', placement: { header: 'X-Shop-Key' }, scopes: [] }]);
  assert.deepEqual(
    [refund.name, refund.risk_rating, refund.dangerous, refund.destinations],
    ['shop.create_refund', 'HIGH', true, ['shop.example']],
  );
  assert.deepEqual(refund.declaration.execution, { method: 'POST', url: 'https://shop.example/v1/refunds', body: '{body}' });
  assert.deepEqual(refund.declaration.parameters_schema.properties.body.properties.amount.type, ['integer', 'null']);
  assert.equal(byKey.get('list_refunds')?.risk_rating, 'LOW');
});

test('applyToolImport: chosen proposals become tools with the permissions of the caller, and a refused one does not stop the others', async () => {
  const { id } = await read('part', getDocument(FIRST));
  await send('POST', '/v1/tools', {
    name: 'Part.List_Refunds',
    environment_id: s.tenant.environment_id,
    required_capability: 'x',
    kind: 'SDK',
  });
  const taken = await send('POST', `/v1/tool-imports/${id}/apply`, { keys: ['create_refund', 'list_refunds', 'peek', 'nothing'] });
  assert.deepEqual(
    taken.results.map(({ key, outcome, code }: Record<string, unknown>) => [key, outcome, code]),
    [
      ['create_refund', 'CREATED', null],
      ['list_refunds', 'REFUSED', 'ALREADY_EXISTS'],
      ['peek', 'REFUSED', 'UNPROCESSABLE'],
      ['nothing', 'REFUSED', 'NOT_FOUND'],
    ],
  );
  const tool = await send('GET', `/v1/tools/${taken.results[0].tool_id}`);
  assert.deepEqual([tool.name, tool.kind, tool.declaration_version], ['part.create_refund', 'HTTP', 1]);
  const events = await send('GET', `/v1/audit-events?subject_id=${tool.id}`);
  assert.deepEqual(
    events.data.map(({ type }: { type: string }) => type),
    ['tool.created'],
  );
  const again = await send('POST', `/v1/tool-imports/${id}/apply`, { keys: ['create_refund'] });
  assert.equal(again.results[0].outcome, 'UNCHANGED');
});

test('a later document of the source reports new, changed and removed operations, and applying it keeps changes by people', async () => {
  const first = await read('later', getDocument(FIRST));
  const taken = await send('POST', `/v1/tool-imports/${first.id}/apply`, { states: ['NEW'] });
  assert.deepEqual([taken.counts.CREATED, taken.counts.REFUSED], [3, 0]);
  const getId = (key: string) => taken.results.find((each: { key: string }) => each.key === key).tool_id;
  await send('PATCH', `/v1/tools/${getId('list_refunds')}`, { risk_rating: 'HIGH' });
  const listing = { parameters: [{ name: 'page-size', in: 'query', schema: { type: 'integer' } }] };
  const second = await read(
    'later',
    getDocument({
      '/refunds': { post: { operationId: 'createRefund', ...body(amount) }, get: { operationId: 'listRefunds', ...listing } },
      '/orders': { get: { operationId: 'listOrders' } },
    }),
  );
  assert.deepEqual(second.counts, { total: 4, NEW: 1, CHANGED: 1, UNCHANGED: 1, GONE: 1, REFUSED: 0 });
  const changed = await send('GET', `/v1/tool-imports/${second.id}/proposals/list_refunds`);
  assert.deepEqual(
    [changed.state, changed.changed_members, changed.changes.map(({ member }: { member: string }) => member)],
    ['CHANGED', ['execution', 'parameters_schema'], ['parameters_schema', 'execution']],
  );
  const preview = await send('POST', `/v1/tools/${changed.tool_id}/preview`, changed.change);
  assert.equal(preview.declaration_version, 2);
  const again = await send('POST', `/v1/tool-imports/${second.id}/apply`, { states: ['NEW', 'CHANGED'] });
  assert.deepEqual(again.counts, { CREATED: 1, UPDATED: 1, UNCHANGED: 0, REFUSED: 0, NOT_REACHED: 0 });
  const tool = await send('GET', `/v1/tools/${changed.tool_id}`);
  assert.deepEqual([tool.declaration_version, tool.risk_rating, tool.execution.query], [3, 'HIGH', { 'page-size': '{page_size}' }]);
  const { items } = await send('GET', `/v1/tool-imports/${second.id}/proposals?state=GONE`);
  assert.deepEqual(
    items.map(({ key, tool_id }: Record<string, unknown>) => [key, tool_id]),
    [['remove_refund', getId('remove_refund')]],
  );
});

test('a later document does not lift a restriction by a person, unless the caller confirms it', async () => {
  const listing = (schema: object) =>
    getDocument({ '/refunds': { get: { operationId: 'list', parameters: [{ name: 'size', in: 'query', schema }] } } });
  const first = await read('restricted', listing({ type: 'integer' }));
  const { results } = await send('POST', `/v1/tool-imports/${first.id}/apply`, { states: ['NEW'] });
  const tool = await send('GET', `/v1/tools/${results[0].tool_id}`);
  const restricted = { ...tool.parameters_schema, properties: { size: { type: 'integer', maximum: 10 } } };
  await send('PATCH', `/v1/tools/${tool.id}`, { parameters_schema: restricted, narrowable: ['/size'] });
  const second = await read('restricted', listing({ type: 'integer', minimum: 1 }));
  const proposal = await send('GET', `/v1/tool-imports/${second.id}/proposals/list`);
  assert.deepEqual([proposal.conflicts, proposal.change], [['/parameters_schema/properties/size'], {}]);
  const apply = async (more: object) => {
    const taken = await send('POST', `/v1/tool-imports/${second.id}/apply`, { states: ['CHANGED'], ...more });
    const { parameters_schema } = await send('GET', `/v1/tools/${tool.id}`);
    return [taken.results[0]?.outcome, taken.results[0]?.code, parameters_schema.properties.size];
  };
  assert.deepEqual(await apply({ accept_warnings: true }), ['REFUSED', 'UNPROCESSABLE', { type: 'integer', maximum: 10 }]);
  assert.deepEqual(await apply({ on_conflict: 'KEEP' }), ['UNCHANGED', null, { type: 'integer', maximum: 10 }]);
  assert.equal((await send('GET', `/v1/tool-imports/${second.id}`)).counts.UNCHANGED, 1);
  const third = await read('restricted', listing({ type: 'integer', minimum: 2 }));
  await send('POST', `/v1/tool-imports/${third.id}/apply`, { states: ['CHANGED'], on_conflict: 'TAKE' });
  const last = await send('GET', `/v1/tools/${tool.id}`);
  assert.deepEqual(last.parameters_schema.properties.size, { type: 'integer', minimum: 2 });
  assert.deepEqual(last.narrowable, ['/size'], 'no document says what approvers may narrow, nor takes it away');
});

const upload = (bytes: Uint8Array<ArrayBuffer>, more = '') =>
  call(s.tenant.controlUrl, 'POST', `/v1/tool-imports/files?source=file&environment_id=${s.tenant.environment_id}${more}`, {
    token: s.tenant.token,
    headers: { 'content-type': 'application/octet-stream' },
    raw: bytes,
  });

const packed = (text: string) => Uint8Array.from(gzipSync(text));

test('uploadToolImport: a file is read compressed or not, as JSON, YAML, GraphQL or a Postman collection', async () => {
  const yaml = 'openapi: 3.1.0\nservers: [{url: https://a.example}]\npaths:\n  /a:\n    get: {operationId: readA}\n';
  const graphql = 'type Query { user(id: ID!): User }\ntype User { id: ID! name: String }';
  const collection = {
    info: { name: 'C', schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
    item: [{ name: 'Read it', request: 'https://a.example/it' }],
  };
  const merged = `${yaml.replace('{operationId: readA}', '{<<: *shared, operationId: readA}')}x-shared: &shared {deprecated: true}\n`;
  const swagger = { swagger: '2.0', host: 'a.example', paths: { '/a': { get: { operationId: 'readOld' } } } };
  const documents = [
    [yaml, 'OpenAPI 3.1.0', 'read_a'],
    [merged.replace(/^(.*\n.*\n)([\s\S]*\n)(x-shared.*\n)$/, '$1$3$2'), 'OpenAPI 3.1.0', 'read_a'],
    [JSON.stringify(swagger), 'Swagger 2.0', 'read_old'],
    [graphql, 'GraphQL', 'user'],
    [JSON.stringify(collection), 'Postman collection', 'read_it'],
  ] as const;
  for (const [text, format, key] of documents) {
    const answer = await upload(packed(text), '&base_url=https%3A%2F%2Fb.example%2Fq');
    assert.deepEqual([answer.status, answer.json.format, answer.json.counts?.NEW], [201, format, 1], answer.text);
    const proposal = await send('GET', `/v1/tool-imports/${answer.json.id}/proposals/${key}`);
    assert.deepEqual(proposal.destinations, ['b.example']);
  }
});

test('a file above the limit is refused, and the next request is answered', async () => {
  const large = await upload(Uint8Array.from(Buffer.alloc(TOOL_IMPORT_LIMITS.documentBytesMax + 1, 32)));
  assert.equal(large.status, 400, large.text);
  assert.match(large.text, /larger than 16 MiB/);
  assert.equal((await upload(packed('{"swagger":"1.2"}'))).status, 400);
});

test('a file that arrives too slowly is refused while it arrives, with the remedy', async () => {
  const query = new URLSearchParams({ environment_id: s.tenant.environment_id, source: 'slow' });
  const headers = { authorization: `Bearer ${s.tenant.token}`, 'content-type': 'application/octet-stream' };
  const sending = request(`${s.tenant.controlUrl}/v1/tool-imports/files?${query}`, { method: 'POST', headers });
  const trickle = setInterval(() => sending.write(' '), 100);
  try {
    const [answer] = (await once(sending, 'response')) as [IncomingMessage];
    assert.equal(answer.statusCode, 400);
    assert.match((await answer.toArray()).join(''), /less than 64 KiB in a second.*Pack it/);
  } finally {
    clearInterval(trickle);
    sending.on('error', () => undefined).destroy();
  }
});

const aliases = `a0: &a0 [x,x]\n${Array.from({ length: 40 }, (_, n) => `a${n + 1}: &a${n + 1} [*a${n},*a${n}]\n`).join('')}`;
const rounds = Array.from({ length: 60 }, (_, n) => [
  `S${n}`,
  { type: 'object', properties: { a: { $ref: `#/components/schemas/S${n + 1}` }, b: { $ref: `#/components/schemas/S${n + 1}` } } },
]);

test('a document built to expand is refused or truncated, and delays no one', longOnly, async () => {
  const bombs: readonly (readonly [Uint8Array<ArrayBuffer>, RegExp])[] = [
    [packed('['.repeat(5_000_000)), /cannot be read|nested/],
    [Uint8Array.from(gzipSync(Buffer.alloc(64 * 1_048_576, 32))), /larger than 32 MiB/],
    [packed(`openapi: 3.0.0\n${aliases}`), /no operations/],
    [packed('{"swagger":"1.2"}'), /Swagger 1\.2 is not supported/],
    [packed('{"swagger":"2.0"}'), /no operations/],
    [packed('\u0000\u0001'), /./],
    [Uint8Array.from([0xff, 0xfe, 0xfd]), /UTF-8/],
  ];
  for (const [bytes, told] of bombs) {
    const answer = await upload(bytes);
    assert.deepEqual([answer.status, answer.json.error.code], [400, 'VALIDATION_FAILED'], answer.text);
    assert.match(answer.text, told);
  }
  const components = { components: { schemas: Object.fromEntries([...rounds, ['S60', { $ref: '#/components/schemas/S0' }]]) } };
  const outside = { $ref: 'http://127.0.0.1:1/secret.json' };
  const paths = {
    '/a': { post: { operationId: 'deep', ...body({ $ref: '#/components/schemas/S0' }) } },
    '/b': { post: { operationId: 'out', ...body(outside) } },
  };
  const made = await read('bomb', getDocument(paths, components));
  assert.deepEqual([made.counts.NEW, made.counts.REFUSED], [1, 1]);
  const { items } = await send('GET', `/v1/tool-imports/${made.id}/proposals?state=REFUSED`);
  assert.match(items[0].reason, /outside the document and is not fetched/);
});

test('an operation above the limits of a proposal is refused alone, and the others are proposed', async () => {
  const long = 'x'.repeat(TOOL_IMPORT_LIMITS.proposalBytesMax);
  const huge = { requestBody: { content: { [`application/${long}+json`]: { schema: { type: 'string' } } } } };
  const file = getDocument({ '/a': { post: { operationId: 'huge', ...huge } }, '/b': { get: { operationId: 'small' } } });
  const query = new URLSearchParams({ environment_id: s.tenant.environment_id, source: 'huge' });
  const headers = { 'content-type': 'application/octet-stream' };
  const made = await call(s.tenant.controlUrl, 'POST', `/v1/tool-imports/files?${query}`, {
    token: s.tenant.token,
    headers,
    raw: Uint8Array.from(Buffer.from(file)),
  });
  assert.deepEqual([made.status, made.json.counts.NEW, made.json.counts.REFUSED], [201, 1, 1], made.text.slice(0, 2_000));
  const { items } = await send('GET', `/v1/tool-imports/${made.json.id}/proposals?state=REFUSED`);
  assert.deepEqual(
    items.map(({ key, reason }: { key: string; reason: string }) => [key, /larger than the maximum size of a proposal/.test(reason)]),
    [['huge', true]],
  );
});

test('invalid characters are removed from texts, and refuse only the operation whose declaration contains them', async () => {
  const security = { security: [{ key: [] }] };
  const schemes = { components: { securitySchemes: { key: { type: 'apiKey', in: 'query', name: 'k\u0000' } } } };
  const paths = {
    '/a': { get: { operationId: 'told', tags: ['a\u0000'], summary: 'x\u0000\ud83dy' } },
    '/b': { get: { operationId: 'kept', ...security } },
    '/c': { $ref: '#/\u0000\ud83d' },
    '/d\ud83d': { get: { operationId: 'half' } },
  };
  const made = await read(
    'unkept',
    getDocument(paths, { ...schemes, info: { title: 'Sh\u0000op', version: '\ud83d1' }, openapi: '3.0.3\u0000' }),
  );
  assert.deepEqual([made.title, made.format, made.counts.NEW, made.counts.REFUSED], ['Shop', 'OpenAPI 3.0.3', 1, 3]);
  const { items } = await send('GET', `/v1/tool-imports/${made.id}/proposals`);
  assert.deepEqual(
    items.map(({ key, reason }: Record<string, unknown>) => [key, reason]),
    [
      ['told', null],
      [
        'kept',
        'The declaration cannot be stored (/credentials/0/placement/parameter). Must be well-formed Unicode without NUL characters.',
      ],
      ['c', 'Its path refers to #/\ufffd, which is not in the document.'],
      ['half', 'Its path contains half of a surrogate pair.'],
    ],
  );
});

test('imports are counted per organization, also for a limited caller', async () => {
  const full = await newTenant(s.planes);
  const database = await s.planes.database.client();
  await database.query(
    `insert into tool_imports (organization_id, id, workspace_id, environment_id, source, format, title, version, origin, document_hash, created_by)
     select $1, 'imp_' || lpad(n::text, 26, '0'), $2, $3, 's' || n, 'x', 'x', '1', 'BODY', 'x', $4 from generate_series(1, $5::integer) as n`,
    [full.organization_id, full.workspace_id, full.environment_id, full.user.id, TOOL_IMPORT_LIMITS.perOrganizationMax],
  );
  await database.end();
  const post = (path: string, sent: object) => mustCall(full.controlUrl, 'POST', path, { token: full.token, body: sent });
  const { id: workspace_id } = await post('/v1/workspaces', { name: 'Another' });
  const { id: environment_id } = await post('/v1/environments', { workspace_id, name: 'There', type: 'STAGING' });
  const refused = await call(full.controlUrl, 'POST', '/v1/tool-imports', {
    token: full.token,
    headers: { 'x-svc-workspace': workspace_id },
    body: { environment_id, source: 'one-more', document: getDocument(FIRST) },
  });
  assert.deepEqual([refused.status, refused.json.error?.code], [409, 'CONFLICT'], refused.text);
});

test('the newest three imports of a source are kept, and the next is accepted also at the limit of the organization', async () => {
  const full = await newTenant(s.planes);
  const ask = (method: string, path: string, sent?: object) =>
    call(full.controlUrl, method, path, { token: full.token, ...(sent && { body: sent }) });
  const again = (source: string) =>
    ask('POST', '/v1/tool-imports', { environment_id: full.environment_id, source, document: getDocument(FIRST) });
  const made: string[] = [];
  for (let n = 0; n < TOOL_IMPORT_LIMITS.perSourceMax; n += 1) made.push((await again('shop')).json.id);
  const database = await s.planes.database.client();
  await database.query(
    `insert into tool_imports (organization_id, id, workspace_id, environment_id, source, format, title, version, origin, document_hash, created_by)
     select $1, 'imp_' || lpad(n::text, 26, '0'), $2, $3, 's' || n, 'x', 'x', '1', 'BODY', 'x', $4 from generate_series(1, $5::integer) as n`,
    [full.organization_id, full.workspace_id, full.environment_id, full.user.id, TOOL_IMPORT_LIMITS.perOrganizationMax - made.length],
  );
  await database.end();
  const next = await again('shop');
  assert.equal(next.status, 201, next.text);
  const ofShop = (await ask('GET', '/v1/tool-imports')).json.items.filter(({ source }: { source: string }) => source === 'shop');
  assert.deepEqual(
    ofShop.map(({ id }: { id: string }) => id),
    [next.json.id, ...made.slice(1).reverse()],
  );
  const proposals = await ask('GET', `/v1/tool-imports/${next.json.id}/proposals`);
  assert.equal(proposals.json.items.length, 4);
  const other = await again('another');
  assert.deepEqual([other.status, other.json.error.code], [409, 'CONFLICT']);
});

test('a document in a body has a limited number of characters, and its proposals a limited number of bytes', longOnly, async () => {
  const { inlineCharactersMax } = TOOL_IMPORT_LIMITS;
  const ask = (source: string, document: string) =>
    call(s.tenant.controlUrl, 'POST', '/v1/tool-imports', {
      token: s.tenant.token,
      body: { environment_id: s.tenant.environment_id, source, document },
    });
  const least = getDocument(FIRST);
  assert.equal((await ask('fits', least.padEnd(inlineCharactersMax))).status, 201);
  const long = await ask('long', least.padEnd(inlineCharactersMax + 1));
  assert.deepEqual([long.status, long.json.error.details.faults[0].pointer], [400, '/document']);
  const properties = Object.fromEntries(
    Array.from({ length: 100 }, (_, n) => [`field_${n}`, { type: 'string', description: 'x'.repeat(200) }]),
  );
  const paths = Object.fromEntries(
    Array.from({ length: 1_050 }, (_, n) => [
      `/p${n}`,
      { post: { operationId: `op${n}`, ...body({ $ref: '#/components/schemas/Large' }) } },
    ]),
  );
  const large = getDocument(paths, { components: { schemas: { Large: { type: 'object', properties } } } });
  let message = '';
  await waitUntil('the machine has time for the document', async () => {
    const much = await ask('much', large);
    if (much.status === 503) return false;
    assert.equal(much.status, 400, much.text.slice(0, 900));
    message = much.json.error.details.faults[0].message;
    return true;
  });
  assert.match(message, /more tools than one import can contain/);
});

test('a document is fetched from its address through the egress checks, and never from an internal address', async () => {
  const address = 'http://169.254.169.254/latest/meta-data';
  const answer = await call(s.tenant.controlUrl, 'POST', '/v1/tool-imports', {
    token: s.tenant.token,
    body: { environment_id: s.tenant.environment_id, source: 'inside', address },
  });
  assert.deepEqual([answer.status, answer.json.error.details.faults[0].pointer], [400, '/address'], answer.text);
});

test('listToolImports, getToolImport and deleteToolImport: a document is listed until it is deleted, and its tools stay', async () => {
  const { id } = await read('forgotten', getDocument(FIRST));
  const { results } = await send('POST', `/v1/tool-imports/${id}/apply`, { keys: ['list_refunds'] });
  const { items } = await send('GET', '/v1/tool-imports?limit=1');
  assert.deepEqual([items[0].id, (await send('GET', `/v1/tool-imports/${id}`)).counts.UNCHANGED], [id, 1]);
  await send('DELETE', `/v1/tool-imports/${id}`);
  assert.equal((await call(s.tenant.controlUrl, 'GET', `/v1/tool-imports/${id}`, { token: s.tenant.token })).status, 404);
  assert.equal((await send('GET', `/v1/tools/${results[0].tool_id}`)).name, 'forgotten.list_refunds');
});
