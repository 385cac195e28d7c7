import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Endpoint } from '@svc/contract/rows/endpoint.ts';
import { defineEndpoint } from '@svc/contract/rows/endpoint.ts';
import { buildRefusal } from '@svc/contract/rows/refusal.ts';
import { closedObject } from '@svc/contract/rows/schema.ts';
import { secret } from '@svc/contract/rows/secret.ts';
import type { WireName } from '@svc/contract/rows/wire-name.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { ServeDeps } from '../calls/serve-deps.ts';
import { bind } from '../plane/bind.ts';
import { openServer } from '../plane/serve.ts';
import { HTML_TYPE } from './page.ts';
import { newStream } from './stream.ts';
import { WIRES } from './wires.ts';

const HEARTBEAT_MS = 60;
const SECRET = 'a-password-of-somebody';
const BODY_BYTES_MAX = 2_048;
const LARGE = Buffer.alloc(32 * 1_048_576, 120);

const asked = closedObject({ say: Type.String(), ...secret('password', Type.Optional(Type.String())) });
const message = closedObject({
  jsonrpc: Type.Literal('2.0'),
  id: Type.Optional(Type.Union([Type.String(), Type.Number()])),
  method: Type.String(),
  params: Type.Optional(asked),
});

const row = (wire: WireName, rest: object): Endpoint =>
  defineEndpoint({
    plane: 'gateway',
    area: 'service',
    method: 'POST',
    path: `/try/${wire}`,
    summary: 'Tries a wire.',
    credential: 'agent',
    budget: 'agent',
    sessionCheckedBy: 'door',
    wire,
    result: Type.Unknown(),
    emits: [],
    refuses: ['CONFLICT'],
    bodyBytesMax: BODY_BYTES_MAX,
    ...rest,
  } as Endpoint);

type Case = {
  /** Builds a body in its media type; undefined if the wire only has responses. */
  readonly body?: (say: string, more?: string) => string;
  readonly type: string;
  /** Matches the response. */
  readonly told: RegExp;
  readonly answerType: string;
  readonly error: (text: string) => { readonly code: unknown; readonly message: unknown };
  readonly errorType?: string;
  readonly result: (say: string) => unknown;
  readonly large: () => unknown;
};

const json = (text: string) => JSON.parse(text);
// biome-ignore lint/suspicious/noExplicitAny: what a server answers is looked at member by member
const toJson = async (answer: Response): Promise<any> => json(await answer.text());
const jsonError = (text: string) => json(text).error;
const pair = (say: string, more?: string) => JSON.stringify({ say, ...(more === undefined ? {} : { password: 7, [more]: SECRET }) });

async function* endless(ended: AbortSignal) {
  while (!ended.aborted) yield { data: LARGE.toString('latin1', 0, 60_000) };
}

async function* endlessBytes(ended: AbortSignal) {
  while (!ended.aborted) yield LARGE.subarray(0, 60_000);
}

/** Cases of every wire; one without a case does not compile. */
const CASES: Readonly<Record<WireName, Case>> = {
  json: {
    body: pair,
    type: 'application/json',
    answerType: 'application/json; charset=utf-8',
    told: /^\{"said":"hello"\}$/,
    error: jsonError,
    result: (say) => ({ said: say }),
    large: () => ({ said: LARGE.toString('latin1') }),
  },
  form: {
    body: (say, more) => new URLSearchParams({ say, ...(more === undefined ? {} : { [more]: SECRET }) }).toString(),
    type: 'application/x-www-form-urlencoded',
    answerType: 'application/json; charset=utf-8',
    told: /^\{"said":"hello"\}$/,
    error: (text) => ({ code: json(text).error, message: json(text).error_description }),
    result: (say) => ({ said: say }),
    large: () => ({ said: LARGE.toString('latin1') }),
  },
  scim: {
    body: pair,
    type: 'application/scim+json',
    answerType: 'application/scim+json; charset=utf-8',
    told: /^\{"said":"hello"\}$/,
    error: (text) => ({ code: json(text).scimType ?? json(text).status, message: json(text).detail }),
    errorType: 'application/scim+json; charset=utf-8',
    result: (say) => ({ said: say }),
    large: () => ({ said: LARGE.toString('latin1') }),
  },
  authzen: {
    body: pair,
    type: 'application/json',
    answerType: 'application/json; charset=utf-8',
    told: /^\{"said":"hello"\}$/,
    error: jsonError,
    result: (say) => ({ said: say }),
    large: () => ({ said: LARGE.toString('latin1') }),
  },
  'a2a-push': {
    body: pair,
    type: 'application/a2a+json',
    answerType: 'application/json; charset=utf-8',
    told: /^\{"said":"hello"\}$/,
    error: jsonError,
    result: (say) => ({ said: say }),
    large: () => ({ said: LARGE.toString('latin1') }),
  },
  'ext-authz': {
    body: pair,
    type: 'application/json',
    answerType: 'application/json; charset=utf-8',
    told: /^\{"said":"hello"\}$/,
    error: jsonError,
    result: (say) => ({ said: say }),
    large: () => ({ said: LARGE.toString('latin1') }),
  },
  rpc: {
    body: (say, more) => JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'say', params: json(pair(say, more)) }),
    type: 'application/json',
    answerType: 'application/json; charset=utf-8',
    told: /^\{"jsonrpc":"2.0","id":7,"result":\{"said":"hello"\}\}$/,
    error: jsonError,
    result: (say) => ({ said: say }),
    large: () => ({ said: LARGE.toString('latin1') }),
  },
  mcp: {
    body: (say, more) => JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'say', params: json(pair(say, more)) }),
    type: 'application/json',
    answerType: 'application/json; charset=utf-8',
    told: /^\{"jsonrpc":"2.0","id":7,"result":\{"said":"hello"\}\}$/,
    error: jsonError,
    result: (say) => ({ status: 200, message: { jsonrpc: '2.0', id: 7, result: { said: say } } }),
    large: () => ({ status: 200, message: { jsonrpc: '2.0', id: 7, result: { said: LARGE.toString('latin1') } } }),
  },
  a2a: {
    body: (say, more) => JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'say', params: json(pair(say, more)) }),
    type: 'application/json',
    answerType: 'application/json; charset=utf-8',
    told: /^\{"jsonrpc":"2.0","id":7,"result":\{"said":"hello"\}\}$/,
    error: jsonError,
    result: (say) => ({ message: { jsonrpc: '2.0', id: 7, result: { said: say } } }),
    large: () => ({ message: { jsonrpc: '2.0', id: 7, result: { said: LARGE.toString('latin1') } } }),
  },
  page: {
    type: 'application/json',
    answerType: HTML_TYPE,
    told: /^<p>hello<\/p>$/,
    error: jsonError,
    result: (say) => ({ type: HTML_TYPE, bytes: Buffer.from(`<p>${say}</p>`) }),
    large: () => ({ type: HTML_TYPE, bytes: LARGE }),
  },
  bytes: {
    type: 'application/json',
    answerType: 'text/plain; charset=utf-8',
    told: /^hello$/,
    error: jsonError,
    result: (say) => ({ type: 'text/plain; charset=utf-8', bytes: Buffer.from(say) }),
    large: () => ({ type: 'text/plain; charset=utf-8', bytes: LARGE }),
  },
  download: {
    body: pair,
    type: 'application/json',
    answerType: 'text/csv; charset=utf-8',
    told: /^said\r\nhello\r\n$/,
    error: jsonError,
    result: (say) => ({
      type: 'text/csv; charset=utf-8',
      fileName: 'said.csv',
      parts: async function* () {
        yield 'said\r\n';
        yield `${say}\r\n`;
      },
    }),
    large: () => ({ type: 'text/csv; charset=utf-8', fileName: 'large.csv', parts: endlessBytes }),
  },
  file: {
    type: 'application/json',
    answerType: 'application/json; charset=utf-8',
    told: /^\{"said":"hello"\}$/,
    error: jsonError,
    result: (say) => ({ said: say }),
    large: () => ({ said: LARGE.toString('latin1') }),
  },
  'posted-page': {
    body: (say, more) => new URLSearchParams({ say, ...(more === undefined ? {} : { [more]: SECRET }) }).toString(),
    type: 'application/x-www-form-urlencoded',
    answerType: HTML_TYPE,
    told: /^<p>hello<\/p>$/,
    error: jsonError,
    result: (say) => ({ type: HTML_TYPE, bytes: Buffer.from(`<p>${say}</p>`) }),
    large: () => ({ type: HTML_TYPE, bytes: LARGE }),
  },
  stream: {
    type: 'application/json',
    answerType: 'text/event-stream; charset=utf-8',
    told: /id: 1\nevent: said\ndata: \{"said":"hello"\}\n\n/,
    error: jsonError,
    result: (say) => ({
      eventsAfter: async function* () {
        yield { id: '1', name: 'said', data: { said: say } };
      },
    }),
    large: () => ({ eventsAfter: (_after: string | undefined, ended: AbortSignal) => endless(ended) }),
  },
};

const NAMES = Object.keys(CASES) as WireName[];
/** Status of a refusal with CONFLICT where it is not 409: RFC 6749 knows only 400, and proxies only 403. */
const REFUSED: Partial<Record<WireName, number>> = { form: 400, 'ext-authz': 403 };
const isForm = (wire: WireName): boolean => wire === 'form' || wire === 'posted-page';
const getBody = (wire: WireName) => (wire === 'rpc' || wire === 'mcp' || wire === 'a2a' ? message : asked);

let app: FastifyInstance;
let url: string;
let isRevoked = false;
let releaseLast: (() => void) | undefined;
const taken: string[] = [];

const sayOf = (wire: WireName, body: unknown): string => {
  const said = (wire === 'rpc' || wire === 'mcp' || wire === 'a2a' ? (body as { params?: unknown }).params : body) as
    | { say?: string }
    | undefined;
  return said?.say ?? 'hello';
};

async function* waiting(ended: AbortSignal, after: string | undefined) {
  yield { id: '5', data: { after: after ?? null } };
  await new Promise<void>((resolve) => {
    releaseLast = resolve;
    ended.addEventListener('abort', () => resolve(), { once: true });
  });
  taken.push('ended');
}

before(async () => {
  const bounds = { ...LIMITS.streams, heartbeatMs: HEARTBEAT_MS, lookMs: HEARTBEAT_MS, perOrganizationMax: 2, lifeMs: 5_000 };
  const deps = {
    clock: () => new Date(),
    rates: { addressPerMinute: 10_000 },
    trustProxy: false,
    connections: { totalMax: 100, perAddressMax: 100 },
    rateLimiter: { take: () => ({ allowed: true, limit: 1, remaining: 1, resetSeconds: 1 }), close: async () => undefined },
    authenticateAgent: (token: string) =>
      token === 'good' && !isRevoked
        ? { agentId: 'agt_1', organizationId: 'org_1', environmentId: 'env_1' }
        : buildRefusal('UNAUTHENTICATED'),
    log: { info: () => undefined, error: () => undefined },
    requestHashes: () => ({}),
  } as unknown as ServeDeps;
  const opened = openServer('control', deps);
  app = opened.app;
  const bound = { ...deps, turns: opened.turns, wires: { ...WIRES, stream: newStream(bounds) } };
  for (const wire of NAMES) {
    const { body, result, large } = CASES[wire];
    const sent = body ? { body: getBody(wire) } : { method: 'GET' };
    const handle = (call: { body: unknown }) => {
      const say = sayOf(wire, call.body);
      return say === 'conflict' ? buildRefusal('CONFLICT', 'It "was" there.') : result(say);
    };
    bind(app, `try_${wire}`, row(wire, sent), handle as never, bound, {});
    bind(app, `large_${wire}`, row(wire, { method: 'GET', path: `/large/${wire}` }), large as never, bound, {});
    const refusing = () => buildRefusal('CONFLICT', 'It "was" there.');
    bind(app, `refusing_${wire}`, row(wire, { method: 'GET', path: `/refusing/${wire}` }), refusing as never, bound, {});
  }
  const wait = () => ({ eventsAfter: (after: string | undefined, ended: AbortSignal) => waiting(ended, after) });
  bind(app, 'wait', row('stream', { method: 'GET', path: '/wait' }), wait as never, bound, {});
  await app.listen({ host: '127.0.0.1', port: 0 });
  url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
});
after(() => app.close());

const ask = (path: string, init: RequestInit & { headers?: Record<string, string> } = {}): Promise<Response> =>
  fetch(`${url}${path}`, { ...init, headers: { authorization: 'Bearer good', ...init.headers } });

const send = (wire: WireName, body?: string, type = CASES[wire].type): Promise<Response> =>
  CASES[wire].body
    ? ask(`/try/${wire}`, { method: 'POST', body: body ?? CASES[wire].body?.('hello') ?? '', headers: { 'content-type': type } })
    : ask(`/try/${wire}`);

const assertErrorShape = async (wire: WireName, answer: Response): Promise<string> => {
  const text = await answer.text();
  assert.equal(answer.headers.get('content-type'), CASES[wire].errorType ?? 'application/json; charset=utf-8', text);
  const { code, message: told } = CASES[wire].error(text);
  assert.ok(typeof told === 'string' && told.length > 0 && code !== undefined, text);
  assert.match(answer.headers.get('x-request-id') ?? '', /^req_/);
  return text;
};

for (const wire of NAMES) {
  const { body, answerType, told } = CASES[wire];

  describe(`the wire ${wire}`, () => {
    test('returns what its handler makes, with its own media type', async () => {
      const answer = await send(wire);
      assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, answerType]);
      assert.match(await answer.text(), told);
    });

    test('answers HEAD as GET without a body, and keeps nothing open for it', async () => {
      for (let index = 0; index < 4; index += 1) {
        const answer = await ask(body ? `/refusing/${wire}` : `/try/${wire}`, { method: 'HEAD' });
        assert.deepEqual([answer.status, await answer.text()], [body === undefined ? 200 : (REFUSED[wire] ?? 409), '']);
      }
    });

    test('formats the errors of its handler and of everything before it alike', async () => {
      assert.match(await assertErrorShape(wire, await ask(`/refusing/${wire}`)), /It .+was.+ there\./);
      const stranger = await fetch(`${url}/refusing/${wire}`);
      assert.equal(stranger.status, 401);
      await assertErrorShape(wire, stranger);
    });

    test('buffers little for a client that never reads, and answers others meanwhile', { timeout: 30_000 }, async () => {
      const before = process.memoryUsage().arrayBuffers;
      const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined);
      socket.write(`GET /large/${wire} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer good\r\n\r\n`);
      socket.pause();
      await sleep(300);
      assert.equal((await send(wire)).status, 200);
      assert.ok(process.memoryUsage().arrayBuffers - before < 4 * LARGE.length);
      socket.destroy();
      await sleep(50);
    });

    if (body === undefined) return;

    test('refuses another media type, a body beyond its limit, and invalid text, and echoes no secret', async () => {
      for (const [sent, type] of [
        [body('hello'), 'text/plain'],
        [body('hello'), isForm(wire) ? 'application/json' : 'application/x-www-form-urlencoded'],
        [body('x'.repeat(BODY_BYTES_MAX)), CASES[wire].type],
        [body('hello', 'password').slice(0, -3), CASES[wire].type],
        [body('hello', 'passwords'), CASES[wire].type],
      ] as const) {
        // A truncated form is a form with a shorter value.
        if (isForm(wire) && sent.startsWith('say=hello&password=')) continue;
        const answer = await send(wire, sent, type);
        assert.equal(answer.status, wire === 'ext-authz' ? 403 : 400, sent.slice(0, 60));
        const text = await assertErrorShape(wire, answer);
        assert.ok(!text.includes(SECRET), text);
      }
      const noText = await ask(`/try/${wire}`, {
        method: 'POST',
        body: Buffer.from([0xff, 0xfe]),
        headers: { 'content-type': CASES[wire].type },
      });
      assert.equal(noText.status, wire === 'ext-authz' ? 403 : 400);
    });
  });
}

test('a form accepts a parameter once, and formats its errors as in RFC 6749', async () => {
  const twice = await send('form', 'say=a&say=b');
  assert.deepEqual([twice.status, (await toJson(twice)).error], [400, 'invalid_request']);
  const refused = await send('form', 'say=conflict');
  const { error, error_description, error_uri } = await toJson(refused);
  assert.deepEqual(
    [refused.status, error, error_description, error_uri],
    [400, 'invalid_request', "CONFLICT: It 'was' there.", '/docs/errors#CONFLICT'],
  );
  const nobody = await fetch(`${url}/try/form`, { method: 'POST', headers: { authorization: 'Bearer bad' } });
  assert.deepEqual(
    [nobody.status, (await toJson(nobody)).error, nobody.headers.get('www-authenticate')],
    [401, 'invalid_client', 'Bearer'],
  );
});

test('scim formats its errors as in RFC 7644', async () => {
  const told = await toJson(await send('scim', '{"say":7}'));
  assert.deepEqual([told.schemas, told.status, told.scimType], [['urn:ietf:params:scim:api:messages:2.0:Error'], '400', 'invalidValue']);
  assert.equal((await toJson(await send('scim', '{"say":'))).scimType, 'invalidSyntax');
});

test('authzen repeats the request id of the caller, and not one that is too long', async () => {
  const body = JSON.stringify({ say: 'conflict' });
  const headers = { 'content-type': 'application/json', 'x-request-id': 'caller-7' };
  const answer = await ask('/try/authzen', { method: 'POST', body, headers });
  assert.deepEqual([answer.status, answer.headers.get('x-request-id')], [409, 'caller-7']);
  const strange = await ask('/try/authzen', { method: 'POST', body, headers: { ...headers, 'x-request-id': 'a'.repeat(300) } });
  assert.match(strange.headers.get('x-request-id') ?? '', /^req_/);
});

test('rpc answers a notification with nothing, refuses a batch, and formats its errors as in JSON-RPC 2.0', async () => {
  const params = { say: 'hello' };
  const notified = await send('rpc', JSON.stringify({ jsonrpc: '2.0', method: 'say', params }));
  assert.deepEqual([notified.status, await notified.text()], [202, '']);
  const readCode = async (body: string): Promise<unknown> => {
    const { jsonrpc, id, error } = await toJson(await send('rpc', body));
    return [jsonrpc, id, error.code, error.data.code];
  };
  const one = { jsonrpc: '2.0', id: 'a', method: 'say', params };
  assert.deepEqual(await readCode(JSON.stringify([one, one])), ['2.0', null, -32_600, 'VALIDATION_FAILED']);
  assert.deepEqual(await readCode('{"jsonrpc":'), ['2.0', null, -32_700, 'INVALID_REQUEST']);
  assert.deepEqual(await readCode(JSON.stringify({ ...one, params: { say: 1 } })), ['2.0', 'a', -32_602, 'VALIDATION_FAILED']);
  assert.deepEqual(await readCode(JSON.stringify({ ...one, params: { say: 'conflict' } })), ['2.0', 'a', -32_000, 'CONFLICT']);
});

test('a refused page is a page without scripts in a browser', async () => {
  const answer = await ask('/refusing/page', { headers: { accept: 'text/html' } });
  assert.deepEqual([answer.status, answer.headers.get('content-type')], [409, HTML_TYPE]);
  assert.match(answer.headers.get('content-security-policy') ?? '', /^default-src 'none'/);
  assert.match(await answer.text(), /It &quot;was&quot; there\./);
  assert.match((await ask('/try/page')).headers.get('content-security-policy') ?? '', /^default-src 'none'/);
});

const readUntil = async (reader: ReadableStreamDefaultReader<Uint8Array>, wanted: RegExp): Promise<string> => {
  let text = '';
  while (!wanted.test(text)) {
    const { done, value } = await reader.read();
    if (done) return `${text}END`;
    text += Buffer.from(value).toString();
  }
  return text;
};

const openStream = async (headers: Record<string, string> = {}): Promise<ReadableStreamDefaultReader<Uint8Array>> =>
  ((await ask('/wait', { headers })).body as ReadableStream<Uint8Array>).getReader();

test('a stream resumes after the last seen event, sends keep-alives, is limited by organization, and ends with its credential', async () => {
  const first = await openStream({ 'last-event-id': '41' });
  assert.match(await readUntil(first, /data: .*\n\n: \n\n: \n\n/), /^(: \n\n)+id: 5\ndata: \{"after":"41"\}\n\n: \n\n: \n\n/);
  const second = await openStream();
  const third = await ask('/wait');
  assert.deepEqual([third.status, (await toJson(third)).error.code], [429, 'RATE_LIMITED']);
  await second.cancel();
  await sleep(100);
  const again = await openStream();
  assert.equal((await ask('/wait', { headers: { 'last-event-id': 'x'.repeat(201) } })).status, 400);
  isRevoked = true;
  for (const each of [first, again])
    assert.match(await readUntil(each, /never/), /retry: 10000\nevent: end\ndata: \{"reason":"not_admitted".*\}\n\nEND$/);
  isRevoked = false;
  releaseLast?.();
  assert.ok(taken.length >= 1);
});

test('while its plane drains every wire refuses in its own format, and an open stream ends with the plane', async () => {
  const open = await openStream();
  await readUntil(open, /data:/);
  app.drain.begin();
  for (const wire of NAMES) {
    const refused = await ask(`/refusing/${wire}`);
    assert.equal(refused.status, 503, wire);
    await assertErrorShape(wire, refused);
  }
  const closing = app.close();
  assert.match(await readUntil(open, /never/), /retry: 1000\nevent: end\ndata: \{"reason":"stopping".*\}\n\nEND$/);
  await closing;
});
