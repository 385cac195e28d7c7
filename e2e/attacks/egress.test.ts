import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { call, mustCall, type TestResponse } from '@svc/testing/people/client.ts';
import { newControlClient } from '@svc/testing/people/typed-client.ts';
import { type Planes, startPlanes } from '@svc/testing/planes/start-planes.ts';

type Received = { readonly method: string; readonly url: string; readonly headers: IncomingMessage['headers']; readonly body: string };

/** A server on this machine that only its owner may reach. */
type Inside = { readonly port: number; readonly received: Received[]; readonly server: Server };

const startInside = async (): Promise<Inside> => {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    received.push({
      method: request.method ?? '',
      url: request.url ?? '',
      headers: request.headers,
      body: Buffer.concat(chunks).toString(),
    });
    const [, path = ''] = (request.url ?? '').split('/');
    if (path.startsWith('redirect')) response.writeHead(302, { location: decodeURIComponent(path.slice(8)) });
    response.end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '::', resolve));
  return { port: (server.address() as AddressInfo).port, received, server };
};

let inside: Inside;
let sandbox: Inside;
/** Gateways by permitted destinations: everything public, everything public and 127.0.0.1, and only the sandbox. */
let open: Planes;
let local: Planes;
let closed: Planes;
before(async () => {
  [inside, sandbox] = await Promise.all([startInside(), startInside()]);
  const origin = `http://127.0.0.1:${sandbox.port}`;
  const real = { GATEWAY_ALLOW_REAL_EGRESS: 'true', SVC_EGRESS_TIMEOUT_MS: '2000' };
  [open, local, closed] = await Promise.all([
    startPlanes({ env: { ...real, SVC_SANDBOX_ORIGIN: origin } }),
    startPlanes({ env: { ...real, SVC_EGRESS_ALLOW_CIDRS: '127.0.0.1/32' } }),
    startPlanes({ env: { SVC_SANDBOX_ORIGIN: origin } }),
  ]);
});
after(async () => {
  for (const { server } of [inside, sandbox]) server.close();
  await Promise.all([open.stop(), local.stop(), closed.stop()]);
});

const getCode = ({ status, json }: TestResponse): string => json?.error?.code ?? String(status);

/** Asserts the same response for every address, whether or not anything is there. */
const assertUnreachable = ({ status, json, text }: TestResponse, where: string): void => {
  assert.deepEqual([status, json?.error?.code], [502, 'EXECUTION_FAILED'], `${where}: ${text}`);
  assert.deepEqual(json.error.details.decision.execution, { state: 'FAILED', reason: 'The destination could not be reached.' }, where);
};

let tools = 0;

/** Adds a tool that an agent may use; returns a function that uses it. */
const newTool = async (governed: Governed, declared: object): Promise<(parameters?: object) => Promise<TestResponse>> => {
  tools += 1;
  const name = `tool-${tools}`;
  const { token, environment_id, controlUrl } = governed.tenant;
  const body = { name, environment_id, required_capability: 'pay', kind: 'HTTP', ...declared };
  const { id } = await mustCall(controlUrl, 'POST', '/v1/tools', { token, body });
  await newControlClient(controlUrl, token).authorizeAgentForTool({ params: { toolId: id }, body: { agent_id: governed.agent.id } });
  return (parameters = {}) => governed.act({ tool: name, parameters });
};

const toHost = (allowed: readonly string[], port: number, path = '') => ({
  destination_allowlist: allowed,
  execution: { method: 'POST', url: `http://{host}:${port}/${path}` },
});

describe('an internal address', () => {
  const SPELLINGS = [
    '127.0.0.1',
    '127.1',
    '127.0.1',
    '2130706433',
    '0x7f000001',
    '0x7f.0.0.1',
    '0177.0.0.1',
    '017700000001',
    '127.0.0.1.',
    '0',
    '0.0.0.0',
    '127.255.255.254',
    'localhost',
    'LOCALHOST',
    'localhost.',
    '169.254.169.254',
    '0xa9fea9fe',
    '2852039166',
    '10.0.0.1',
    '192.168.1.1',
    '172.16.0.1',
    '100.64.0.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
  ];

  test('is not called in any form, even if the tool allows it and real calls are enabled', async () => {
    const governed = await newGoverned(open);
    const seen = inside.received.length;
    for (const host of SPELLINGS) {
      const act = await newTool(governed, {
        destination_allowlist: [`${host}:${inside.port}`],
        execution: { method: 'POST', url: `http://${host}:${inside.port}/` },
      });
      const answer = await act();
      assertUnreachable(answer, host);
    }
    for (const host of [
      '[::1]',
      '[::]',
      '[::ffff:127.0.0.1]',
      '[::ffff:7f00:1]',
      '[::127.0.0.1]',
      '[64:ff9b::7f00:1]',
      '[2002:7f00:1::]',
      '[fe80::1]',
      '[fd00:ec2::254]',
      '[ff02::1]',
    ]) {
      const act = await newTool(governed, {
        destination_allowlist: [`${host}:${inside.port}`],
        execution: { method: 'POST', url: `http://${host}:${inside.port}/` },
      });
      const answer = await act();
      assertUnreachable(answer, host);
    }
    assert.equal(inside.received.length, seen);
  });

  test('is not reached by a parameter that the tool puts into its host', async () => {
    const governed = await newGoverned(open);
    const act = await newTool(governed, toHost(['*.example.com', 'api.example.com'], inside.port));
    const seen = inside.received.length;
    const odd = [
      '127.0.0.1',
      'localhost',
      'api.example.com.evil.test',
      'evil.test#.example.com',
      'evil.test/.example.com',
      'evil.test?.example.com',
      'x@127.0.0.1',
      'x:y@evil.test',
      '127.0.0.1:80#',
      'evil.test\\.example.com',
      'evil.test%2f.example.com',
      '[::1]',
      'a..example.com',
      '',
      ' ',
      'example.com',
      '127.0.0.1。example.com',
      'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ',
      'api.example.com\r\nx: y',
      'api.example.com\u0000',
      '-',
      '*.example.com',
      `${'a'.repeat(300)}.example.com`,
    ];
    for (const host of odd) {
      const answer = await act({ host });
      assert.ok(
        ['VALIDATION_FAILED', 'DESTINATION_BLOCKED', 'EXECUTION_FAILED'].includes(getCode(answer)),
        `${JSON.stringify(host)}: ${answer.text}`,
      );
      if (getCode(answer) === 'EXECUTION_FAILED') assert.match(host, /\.example\.com$/);
    }
    for (const host of [null, ['a.example.com'], { toString: 'a.example.com' }])
      assert.equal(getCode(await act({ host })), 'VALIDATION_FAILED');
    for (const host of [5, 2130706433, true]) assert.equal(getCode(await act({ host })), 'DESTINATION_BLOCKED');
    assert.equal(inside.received.length, seen);
  });

  test('is not reached through a redirect of a permitted one', async () => {
    const governed = await newGoverned(local);
    const seen = inside.received.length;
    const targets = [
      `http://127.0.0.1:${inside.port}/second`,
      `http://[::1]:${inside.port}/second`,
      'http://169.254.169.254/',
      'file:///etc/passwd',
    ];
    for (const target of targets) {
      const url = `http://127.0.0.1:${inside.port}/redirect${encodeURIComponent(target)}`;
      const act = await newTool(governed, { destination_allowlist: [`127.0.0.1:${inside.port}`], execution: { method: 'POST', url } });
      const answer = await act();
      assert.equal(getCode(answer), 'EXECUTION_FAILED', answer.text);
      assert.equal(answer.json.error.details.decision.execution.http_status, 302);
    }
    assert.equal(inside.received.length, seen + targets.length);
    assert.ok(inside.received.every(({ url }) => !url.includes('/second') || url.startsWith('/redirect')));
  });

  test('that was permitted permits no adjacent address, and not itself by another name', async () => {
    const governed = await newGoverned(local);
    const seen = inside.received.length;
    for (const host of ['127.0.0.2', '[::1]', '[::ffff:127.0.0.2]', 'localhost', '10.0.0.1']) {
      const act = await newTool(governed, {
        destination_allowlist: [`${host}:${inside.port}`],
        execution: { method: 'POST', url: `http://${host}:${inside.port}/` },
      });
      const answer = await act();
      // localhost may resolve to the permitted address only, or also to others that stay forbidden.
      if (host !== 'localhost') assertUnreachable(answer, host);
    }
    assert.ok(inside.received.length <= seen + 1);
  });
});

describe('the sandbox', () => {
  test('is one origin: no lookalike is called, and its address permits no other port', async () => {
    const governed = await newGoverned(open);
    const seen = [inside.received.length, sandbox.received.length];
    const { port } = sandbox;
    const lookalikes = [
      `http://127.0.0.1:${inside.port}/`,
      `https://127.0.0.1:${port}/`,
      `http://127.0.0.2:${port}/`,
      `http://[::1]:${port}/`,
      `http://localhost:${port}/`,
    ];
    for (const url of lookalikes) {
      const { host } = new URL(url);
      const answer = await (await newTool(governed, { destination_allowlist: [host], execution: { method: 'POST', url } }))();
      assertUnreachable(answer, url);
    }
    assert.deepEqual([inside.received.length, sandbox.received.length], seen);
    const right = await newTool(governed, {
      destination_allowlist: [`127.0.0.1:${port}`],
      execution: { method: 'POST', url: `http://127.1:${port}/a` },
    });
    assert.equal(getCode(await right()), '200');
    assert.equal(sandbox.received.at(-1)?.url, '/a');
  });

  test('is the only one called while real calls are disabled, and the record states why', async () => {
    const governed = await newGoverned(closed);
    const seen = [inside.received.length, sandbox.received.length];
    const hosts = [`127.0.0.1:${inside.port}`, 'api.example.com', `localhost:${sandbox.port}`];
    for (const host of hosts) {
      const answer = await (
        await newTool(governed, { destination_allowlist: [host], execution: { method: 'POST', url: `http://${host}/` } })
      )();
      assert.equal(getCode(answer), '200', answer.text);
      assert.equal(answer.json.execution.state, 'NOT_EXECUTED');
      assert.match(answer.json.execution.reason, /GATEWAY_ALLOW_REAL_EGRESS/);
    }
    assert.deepEqual([inside.received.length, sandbox.received.length], seen);
  });
});

describe('values of an agent in a call', () => {
  test('cannot inject a header, a second request, another path or a query', async () => {
    const governed = await newGoverned(local);
    const parameters_schema = { type: 'object' };
    const act = await newTool(governed, {
      parameters_schema,
      destination_allowlist: [`127.0.0.1:${inside.port}`],
      execution: {
        method: 'POST',
        url: `http://127.0.0.1:${inside.port}/fixed/{path}/end{?q}`,
        headers: { 'x-note': 'note {note}' },
        query: { fixed: 'yes', free: '{free}' },
        body: { note: '{note}', whole: '{whole}', text: 'a {note} b' },
      },
    });
    const hostile = [
      'a/../../x',
      '..',
      '%2e%2e',
      'a?b=c',
      'a#b',
      'a&b=c',
      'a b',
      'a%0d%0aX: y',
      'é',
      '"',
      '{"x":1}',
      "'",
      '\\',
      '{note}',
      '{{note}}',
      '</script>',
    ];
    for (const text of hostile) {
      const answer = await act({ path: text, q: text, note: text, free: text, whole: { text } });
      if (getCode(answer) === 'VALIDATION_FAILED') {
        assert.match(answer.json.error.details.faults[0].pointer, /^\/parameters\/(path|note)$/, answer.text);
        continue;
      }
      assert.equal(getCode(answer), '200', `${text}: ${answer.text}`);
      const last = inside.received.at(-1) as Received;
      const url = new URL(last.url, 'http://x');
      assert.equal(url.pathname.split('/').length, 4, last.url);
      assert.match(url.pathname, /^\/fixed\/.*\/end$/);
      assert.deepEqual([...url.searchParams.keys()], ['q', 'fixed', 'free'], last.url);
      assert.equal(url.searchParams.get('q'), text);
      assert.equal(url.searchParams.get('free'), text);
      assert.equal(last.headers['x-note'], `note ${text}`.trim());
      assert.deepEqual(JSON.parse(last.body), { note: text, whole: { text }, text: `a ${text} b` });
      assert.equal(last.headers.host, `127.0.0.1:${inside.port}`);
    }
    const seen = inside.received.length;
    for (const note of ['a\r\nx-injected: 1', 'a\nb', 'a\r', 'a\tb\u000b', '\u0085', 'a\u2028b', '\ud83d\ude00']) {
      const answer = await act({ path: 'p', note });
      if (getCode(answer) === '200') assert.match(note, /^[\t -~]*$/);
      else assert.equal(getCode(answer), 'VALIDATION_FAILED', JSON.stringify(note));
    }
    assert.ok(inside.received.slice(seen).every(({ headers }) => headers['x-injected'] === undefined));
  });

  test('are sent as evaluated and recorded, including names of the object prototype; a name given twice is refused', async () => {
    const governed = await newGoverned(local, {
      rules: [
        { id: 'allow', effect: 'ALLOW', reason: 'Allowed.' },
        { id: 'much', effect: 'BLOCK', when: { field: 'parameters.amount', op: 'gt', value: 100 }, reason: 'Too much.' },
      ],
    });
    await newTool(governed, {
      destination_allowlist: [`127.0.0.1:${inside.port}`],
      execution: { method: 'POST', url: `http://127.0.0.1:${inside.port}/` },
    });
    const send = (parameters: string) =>
      call(local.gatewayUrl, 'POST', '/gateway/v1/actions', {
        token: governed.token,
        raw: `{"tool":"tool-${tools}","parameters":${parameters}}`,
      });
    for (const twice of ['{"amount":1,"amount":500}', '{"amount":500,"amount":1}'])
      assert.equal(getCode(await send(twice)), 'INVALID_REQUEST');
    assert.equal(getCode(await send('{"amount":500}')), 'ACTION_BLOCKED');
    const allowed = await send('{"amount":1,"constructor":{"a":1},"-0":-0,"big":1e3,"\\u0061":"b"}');
    assert.equal(getCode(allowed), '200', allowed.text);
    const sent = JSON.parse(inside.received.at(-1)?.body ?? '');
    assert.deepEqual(sent, { amount: 1, constructor: { a: 1 }, '-0': 0, big: 1000, a: 'b' });
    const { json } = await governed.owner('GET', `/v1/actions/${allowed.json.action_id}`);
    assert.deepEqual(json.parameters, sent);
    const seen = inside.received.length;
    assert.equal(getCode(await send('{"amount":1e999}')), 'VALIDATION_FAILED');
    assert.equal(inside.received.length, seen);
  });
});
