import assert from 'node:assert/strict';
import { after, afterEach, test } from 'node:test';
import { fromJsonSchema, McpServer } from '@modelcontextprotocol/server';
import type { ServerEvent } from '@svc/egress/requests/server-event.ts';
import { readDefinition, type ToolDefinition } from '../definitions/definition.ts';
import { answerServerRequest, buildToolCall, type DecidedToolCall, isAnswer, readProgress, readToolAnswer } from './call.ts';
import type { Send } from './connection.ts';
import { takeListing } from './listing.ts';
import { listAnnotatedParameters } from './parameter-headers.ts';
import { type Asked, answerJson, closeAll, newSend, serve, serveModern, startEverything } from './servers.fixture.ts';
import { closeSession, type McpSession, newSessions, openSession } from './sessions.ts';

afterEach(closeAll);
after(closeAll);

const clientInfo = { name: 'svc', version: '0.1.0' };
const now = (): number => performance.now();

const definition = (inputSchema: Record<string, unknown>): ToolDefinition => ({ name: 't', inputSchema });
const MODERN = { kind: 'TOOL', era: 'MODERN', protocolVersion: '2026-07-28', clientInfo, id: 'act_1' } as const;

const built = (call: DecidedToolCall) => {
  const request = buildToolCall(call);
  assert.ok(!('fault' in request), JSON.stringify(request));
  return request;
};

const callTool = async (send: Send, url: string, call: DecidedToolCall, events: ServerEvent[] = []) => {
  const onEvent = (event: ServerEvent): boolean => {
    events.push(event);
    return isAnswer(event, call.id);
  };
  return readToolAnswer(await send({ method: 'POST', url, ...built(call), onEvent }), call.id, call.era);
};

const newServer = (): McpServer => {
  const server = new McpServer({ name: 'weather', version: '1.0.0' });
  const city = { type: 'string', 'x-mcp-header': 'City' };
  const inputSchema = fromJsonSchema<{ place: { city: string }; days: number; on: boolean }>(
    JSON.parse(
      JSON.stringify({
        type: 'object',
        properties: {
          place: { type: 'object', properties: { city } },
          days: { type: 'integer', 'x-mcp-header': 'Days' },
          on: { type: 'boolean', 'x-mcp-header': 'On' },
        },
      }),
    ),
  );
  server.registerTool('prévision', { description: 'x', inputSchema }, async ({ place, days }) => ({
    content: [{ type: 'text' as const, text: `${place.city} ${days}` }],
  }));
  server.registerTool('fails', { description: 'x' }, async () => ({ isError: true, content: [{ type: 'text' as const, text: 'No.' }] }));
  return server;
};

test('calls a tool of a modern server, whose headers repeat the decided arguments', async () => {
  const url = await serveModern(newServer);
  const send = newSend();
  const listing = await takeListing({ send, url, clientInfo, now });
  assert.ok(!('kind' in listing), JSON.stringify(listing));
  const text = listing.tools.find(({ name }) => name === 'prévision')?.text ?? '';
  const read = readDefinition(text);
  assert.ok(!('fault' in read));
  for (const city of ['Oslo', 'Tromsø', ' padded ', 'two\nlines', '=?base64?x?=']) {
    const answer = await callTool(send, url, {
      ...MODERN,
      name: 'prévision',
      arguments: { place: { city }, days: 3, on: false },
      definition: read,
    });
    assert.deepEqual(answer.kind === 'result' && [answer.isError, answer.result.content], [false, [{ type: 'text', text: `${city} 3` }]]);
  }
  const fails = await callTool(send, url, { ...MODERN, name: 'fails', arguments: {}, definition: definition({}) });
  assert.equal(fails.kind === 'result' && fails.isError, true);
  const unknown = await callTool(send, url, { ...MODERN, name: 'none', arguments: {}, definition: definition({}) });
  assert.equal(unknown.kind === 'error' && unknown.code, -32602);
});

test('builds the headers of the specification', () => {
  const schema = { properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } };
  const { headers, body } = built({
    ...MODERN,
    name: 'execute_sql',
    arguments: { region: 'Hello, 世界' },
    definition: definition(schema),
    progressToken: 7,
  });
  assert.deepEqual(headers, {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': 'execute_sql',
    'mcp-param-region': '=?base64?SGVsbG8sIOS4lueVjA==?=',
  });
  assert.deepEqual(JSON.parse(body), {
    jsonrpc: '2.0',
    id: 'act_1',
    method: 'tools/call',
    params: {
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': clientInfo,
        'io.modelcontextprotocol/clientCapabilities': {},
        progressToken: 7,
      },
      name: 'execute_sql',
      arguments: { region: 'Hello, 世界' },
    },
  });
  const empty = built({ ...MODERN, name: 't', arguments: { region: null }, definition: definition(schema) });
  assert.equal(empty.headers['mcp-param-region'], undefined);
});

const annotated = (type: unknown, header: unknown) => ({ properties: { a: { type, 'x-mcp-header': header } } });

test('refuses tools whose header annotations are invalid', () => {
  const invalid: readonly (readonly [schema: Record<string, unknown>, pointer: string])[] = [
    [annotated('string', ''), '/inputSchema/properties/a/x-mcp-header'],
    [annotated('string', 'A\r\nAuthorization: x'), '/inputSchema/properties/a/x-mcp-header'],
    [annotated('string', 'a b'), '/inputSchema/properties/a/x-mcp-header'],
    [annotated('string', 7), '/inputSchema/properties/a/x-mcp-header'],
    [annotated('number', 'A'), '/inputSchema/properties/a/x-mcp-header'],
    [annotated(['string', 'null'], 'A'), '/inputSchema/properties/a/x-mcp-header'],
    [{ 'x-mcp-header': 'A', type: 'string' }, '/inputSchema/x-mcp-header'],
    [{ properties: { a: { items: { type: 'string', 'x-mcp-header': 'A' } } } }, '/inputSchema/properties/a/items/x-mcp-header'],
    [{ anyOf: [annotated('string', 'A')] }, '/inputSchema/anyOf/0/properties/a/x-mcp-header'],
    [{ $defs: { a: { type: 'string', 'x-mcp-header': 'A' } } }, '/inputSchema/$defs/a/x-mcp-header'],
  ];
  for (const [schema, pointer] of invalid) {
    assert.ok('fault' in listAnnotatedParameters(definition(schema)));
    const request = buildToolCall({ ...MODERN, name: 't', arguments: { a: 'x' }, definition: definition(schema) });
    assert.equal('fault' in request && request.pointer, pointer, JSON.stringify(request));
  }
  const twice = { properties: { a: { type: 'string', 'x-mcp-header': 'A' }, b: { type: 'string', 'x-mcp-header': 'a' } } };
  assert.ok('fault' in buildToolCall({ ...MODERN, name: 't', arguments: {}, definition: definition(twice) }));
  const inexact = buildToolCall({ ...MODERN, name: 't', arguments: { a: 2 ** 60 }, definition: definition(annotated('integer', 'A')) });
  assert.equal('fault' in inexact && inexact.pointer, '/arguments/a');
  const legacy = buildToolCall({
    ...MODERN,
    era: 'LEGACY',
    name: 't',
    arguments: { a: 'x' },
    definition: definition(annotated('string', 'A')),
  });
  assert.deepEqual('headers' in legacy && Object.keys(legacy.headers), ['content-type', 'accept', 'mcp-protocol-version']);
});

test('calls the legacy reference server within one session, with progress', async () => {
  const url = await startEverything();
  const send = newSend();
  const sessions = newSessions({ now });
  let begun = 0;
  const begin = () => {
    begun += 1;
    return openSession({ send, url, clientInfo, now });
  };
  const key = { server: 'mcp_1', credentialGeneration: 1 };
  const events: ServerEvent[] = [];
  const inSession = (name: string, given: Record<string, unknown>) => (session: McpSession) =>
    callTool(
      send,
      url,
      {
        kind: 'TOOL',
        era: 'LEGACY',
        ...session,
        clientInfo,
        id: name,
        name,
        arguments: given,
        definition: definition({}),
        progressToken: 't1',
      },
      events,
    );
  const answers = await Promise.all(['one', 'two'].map((message) => sessions.use(key, begin, inSession('echo', { message }))));
  for (const answer of answers) assert.equal(answer.kind, 'result', JSON.stringify(answer));
  assert.equal(begun, 1);
  const long = await sessions.use(key, begin, inSession('trigger-long-running-operation', { duration: 0.2, steps: 2 }));
  assert.equal(long.kind, 'result', JSON.stringify(long));
  const progress = events.map(readProgress).filter((each) => each !== undefined);
  assert.deepEqual(
    progress.map(({ token, progress: done, total }) => [token, done, total]),
    [
      ['t1', 1, 2],
      ['t1', 2, 2],
    ],
  );
  const wrong = await sessions.use(key, begin, inSession('no-such-tool', {}));
  assert.ok(wrong.kind === 'error' || (wrong.kind === 'result' && wrong.isError), JSON.stringify(wrong));
  await sessions.use(key, begin, async (session) => {
    await closeSession({ send, url }, session);
    return { kind: 'closed' };
  });
  const again = await sessions.use(key, begin, inSession('echo', { message: 'three' }));
  assert.equal(again.kind, 'result', JSON.stringify(again));
  assert.equal(begun, 2);
});

const reply = async (result: unknown, status = 200) => {
  const url = await serve((_request, response, body) => {
    const { id } = JSON.parse(body) as Asked;
    answerJson(response, { jsonrpc: '2.0', id, ...(result as object) }, status);
  });
  return callTool(newSend(), url, { ...MODERN, name: 't', arguments: {}, definition: definition({}) });
};

test('passes on no result that requests input or is of an unknown type', async () => {
  const asking = await reply({
    result: { resultType: 'input_required', inputRequests: { a: { method: 'sampling/createMessage' }, b: { method: 'x' } } },
  });
  assert.deepEqual(asking, {
    kind: 'unsupported',
    explanation:
      'The server asks for an answer of a model (sampling), input of an unknown kind, which is not passed on. Use a tool that needs no input.',
  });
  const task = await reply({ result: { resultType: 'task', taskId: 'x' } });
  assert.match(task.kind === 'unsupported' ? task.explanation : '', /type task/);
  assert.equal((await reply({ result: { resultType: 7 } })).kind, 'unsupported');
  assert.equal((await reply({ error: { code: -32042, message: 'open a page' } }, 400)).kind, 'unsupported');
});

test('reports an answer that is no result of a tool', async () => {
  for (const result of [
    { result: { content: 'x' } },
    { result: { content: ['x'] } },
    { result: { content: [], isError: 1 } },
    { result: [] },
    {},
  ])
    assert.equal((await reply(result)).kind, 'broken', JSON.stringify(result));
  assert.equal((await reply({ result: { content: Array.from({ length: 1_001 }, () => ({ type: 'text', text: '' })) } })).kind, 'broken');
  assert.equal((await reply({ id: 'other', result: { content: [] } })).kind, 'broken');
  assert.deepEqual(await reply({ id: null, error: { code: -32020, message: 'no\u001b match' } }, 400), {
    kind: 'error',
    code: -32020,
    message: 'no  match',
  });
  const refused = await reply({ error: { code: -32001, message: 'unauthorized' } }, 401);
  assert.deepEqual(refused, {
    kind: 'broken',
    explanation: 'The server refused the credential (status 401). Renew or replace it.',
    sent: true,
    status: 401,
  });
});

test('reads a large result', async () => {
  const answer = await reply({ result: { resultType: 'complete', content: [{ type: 'text', text: 'a'.repeat(300_000) }] } });
  assert.equal(answer.kind === 'result' && String(answer.result.content[0]?.text).length, 300_000);
});

test('states whether a call that failed may have reached the server', async () => {
  const call = { ...MODERN, name: 't', arguments: {}, definition: definition({}) } as const;
  const unreached = await callTool(newSend(), 'http://127.0.0.1:9/mcp', call);
  assert.equal(unreached.kind === 'broken' && unreached.sent, false);
  const url = await serve(() => undefined);
  const silent = await callTool(newSend({ timeoutMs: 300 }), url, call);
  assert.equal(silent.kind === 'broken' && silent.sent, true);
});

const event = (data: unknown): ServerEvent => ({ event: 'message', data: typeof data === 'string' ? data : JSON.stringify(data) });

test('distinguishes answers, progress and requests of a server', () => {
  assert.equal(isAnswer(event({ id: 1, result: {} }), 1), true);
  assert.equal(isAnswer(event({ id: 1, error: {} }), 1), true);
  for (const other of [{ id: '1', result: {} }, { id: 1, method: 'ping', result: {} }, { id: 1 }, [{ id: 1, result: {} }], 'no json'])
    assert.equal(isAnswer(event(other), 1), false, JSON.stringify(other));
  const params = { progressToken: 'a', progress: 1, message: 'half\u0007way' };
  assert.deepEqual(readProgress(event({ method: 'notifications/progress', params })), { token: 'a', progress: 1, message: 'half way' });
  assert.equal(readProgress(event({ method: 'notifications/progress', params: { progress: 1 } })), undefined);
  assert.deepEqual(JSON.parse(answerServerRequest(event({ id: 3, method: 'ping' }))?.body ?? ''), { jsonrpc: '2.0', id: 3, result: {} });
  assert.equal(JSON.parse(answerServerRequest(event({ id: 3, method: 'roots/list' }))?.body ?? '').error.code, -32601);
  assert.equal(answerServerRequest(event({ method: 'notifications/message' })), undefined);
});
