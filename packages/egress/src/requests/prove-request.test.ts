import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { parseAllowlistEntry } from '@svc/domain/tools/destinations/allowlist.ts';
import { createEgress, type EgressSettings } from '../create-egress.ts';
import type { EgressCredential, EgressRequest } from './egress-request.ts';

const SECRET = 'sk_live_4eC39HqLyjWDarjtT1zdp7dc';
let peer: Server;
let port: number;
let answer: (request: IncomingMessage, response: ServerResponse) => void;
const received: IncomingMessage[] = [];
before(async () => {
  peer = createServer((request, response) => {
    received.push(request);
    answer(request, response);
  });
  await new Promise<void>((resolve) => peer.listen(0, '127.0.0.1', resolve));
  port = (peer.address() as AddressInfo).port;
});
after(() => {
  peer.closeAllConnections();
  peer.close();
});

const getEntry = (text: string) => {
  const entry = parseAllowlistEntry(text);
  if ('fault' in entry) throw new Error(entry.fault);
  return entry;
};
const credential = (more: Partial<EgressCredential> = {}): EgressCredential => ({
  ...{ scheme: 'BEARER', placement: {}, extras: [], destinations: [getEntry(`service.example:${port}`)] },
  open: () => ({ secret: SECRET, extras: [], hidden: [] }),
  ...more,
});
const calling = async (request: Partial<EgressRequest>, settings: Partial<EgressSettings> = {}) => {
  received.length = 0;
  const lookup = () => Promise.resolve([{ address: '127.0.0.1', family: 4 as const }]);
  const egress = createEgress({ allowRealEgress: true, allowCidrs: ['127.0.0.0/8'], showsCredentials: true, lookup, ...settings });
  const url = `http://service.example:${port}/`;
  const result = await egress.call({ method: 'GET', url, headers: {}, tenant: 'org_a', credential: credential(), ...request });
  await egress.close();
  return result;
};
const fine = (_request: IncomingMessage, response: ServerResponse) => response.end('fine');

test('adds a secret to a call to a host and port that its credential names, and to no other', async () => {
  answer = fine;
  assert.equal((await calling({})).kind, 'answered');
  assert.equal(received[0]?.headers.authorization, `Bearer ${SECRET}`);
  const elsewhere = [`http://other.example:${port}/`, 'http://service.example/', `http://service.example.evil.example:${port}/`];
  for (const url of [...elsewhere, `http://service.example@evil.example:${port}/`, `http://127.0.0.1:${port}/`]) {
    const open = () => assert.fail('a secret was opened for a call that does not go to its destination');
    const { kind } = await calling({ url, credential: credential({ open }) });
    assert.deepEqual([kind, received.length], ['refused', 0], url);
  }
});

test('sends a secret without TLS to private addresses only, and only if the operator allows it', async () => {
  answer = fine;
  const plain = await calling({}, { showsCredentials: false });
  assert.ok(plain.kind === 'refused' && plain.reason.includes('TLS'), JSON.stringify(plain));
  const lookup = () =>
    Promise.resolve([
      { address: '127.0.0.1', family: 4 as const },
      { address: '93.184.216.34', family: 4 as const },
    ]);
  assert.equal((await calling({}, { lookup })).kind, 'refused', 'one public address among them');
  assert.equal(received.length, 0);
  assert.equal((await calling({}, { showsCredentials: false, sandboxOrigin: `http://service.example:${port}` })).kind, 'answered');
});

test('returns a redirect without following it, and without the secret in its address', async () => {
  answer = (_request, response) => response.writeHead(302, { location: `http://evil.example:${port}/?key=${SECRET}` }).end();
  const use = { scheme: 'QUERY', placement: { parameter: 'key' } } as const;
  const result = await calling({ credential: credential(use) });
  assert.deepEqual([result.kind, received.length], ['answered', 1]);
  assert.ok(received[0]?.url?.includes(SECRET) && !JSON.stringify(result).includes(SECRET), JSON.stringify(result));
});

test('leaves the call unsent if a secret cannot be decrypted or the body has no position for it', async () => {
  answer = fine;
  assert.equal((await calling({ credential: credential({ open: () => undefined }) })).kind, 'no_credential');
  const use = { scheme: 'BODY_FIELD', placement: { field: 'key' } } as const;
  const unplaced = await calling({ method: 'POST', body: '[1]', credential: credential(use) });
  assert.ok(unplaced.kind === 'failed' && !unplaced.sent);
  assert.equal(received.length, 0);
});

/** The peer echoes the request. */
const repeat = async (request: IncomingMessage, response: ServerResponse) => {
  let body = '';
  for await (const piece of request) body += piece;
  const { authorization = '', ...headers } = request.headers;
  const rest = request.url?.startsWith('/large') ? 'x'.repeat(100_000) : '';
  const told = { body, url: request.url, note: headers['x-note'], authorization, rest };
  const type = request.url?.startsWith('/text') ? 'text/plain' : 'application/json';
  response.writeHead(200, { 'content-type': type, 'x-told': headers['x-note'] ?? '' }).end(JSON.stringify(told));
};

const asked = (guess: string, path: string): Partial<EgressRequest> => ({
  ...{ method: 'POST', headers: { 'x-note': guess }, body: JSON.stringify({ note: guess }) },
  url: `http://service.example:${port}/${path}?note=${encodeURIComponent(guess)}`,
});
const told = async (request: Partial<EgressRequest>): Promise<string> => {
  const result = await calling(request);
  assert.ok(result.kind === 'answered_large' || result.kind === 'answered', JSON.stringify(result));
  const large = result.kind === 'answered_large' ? Buffer.from(result.large?.json ?? []).toString() : '';
  if (result.kind === 'answered_large') result.large?.release();
  return `${JSON.stringify(result)}${large}`;
};

test('reveals no guess at the next character of a secret when a peer echoes the request', async () => {
  answer = repeat;
  for (const path of ['text', 'json', 'large'])
    for (const known of path === 'large' ? [16] : [15, 16, 17, 24]) {
      const right = await told(asked(SECRET.slice(0, known + 1), path));
      const wrong = await told(asked(`${SECRET.slice(0, known)}~`, path));
      assert.ok(right.includes(SECRET.slice(0, known + 1)) && wrong.includes(`${SECRET.slice(0, known)}~`), right);
      assert.ok([right, wrong].every((each) => each.includes('[credential]') && !each.includes(SECRET)));
      assert.equal(right.split('[credential]').length, wrong.split('[credential]').length);
    }
});

test('reveals nothing of a Basic password to a holder of the user name when a peer echoes it, in that call or later', async () => {
  const username = 'a-user-name-that-is-longer-than-its-password';
  const use = {
    scheme: 'BASIC',
    placement: { username },
    open: () => ({ secret: 'pass-word', extras: [], hidden: ['pass-before'] }),
  } as const;
  const [before, basic] = [`${username}:pass-before`, `${username}:pass-word`].map((text) => Buffer.from(text).toString('base64'));
  const known = Buffer.from(`${username}:pas`).toString('base64');
  for (const body of [`{"guess":"${known}"}`, '{}']) {
    answer = (_request, response) => response.end(`(${known}) (${basic}) (${before})`);
    const result = await calling({ method: 'POST', body, credential: credential(use) });
    const user = basic?.slice(0, 60) ?? '';
    assert.ok(
      result.kind === 'answered' && result.body === `(${known}) (${user}[credential]) (${user}[credential]=)`,
      JSON.stringify(result),
    );
  }
});

test('masks a secret that a peer escapes in part, in a text, in JSON within JSON and in a header', async () => {
  const secret = 'Aq/9+Zk8==w/Vb&3+xL0/7rT=-_~.sE';
  const percent = secret.replaceAll('+', '%2B');
  const json = JSON.stringify({ told: `{"key":"${secret.replaceAll('&', '\\u0026').replaceAll('/', '\\/')}"}` });
  answer = (request, response) =>
    response
      .writeHead(200, { 'content-type': request.url === '/json' ? 'application/json' : 'text/plain', 'retry-after': percent })
      .end(json);
  for (const path of ['json', 'text']) {
    const result = await calling({
      url: `http://service.example:${port}/${path}`,
      credential: credential({ open: () => ({ secret, extras: [], hidden: [] }) }),
    });
    assert.ok(result.kind === 'answered');
    assert.equal(result.headers['retry-after'], '[credential]');
    assert.equal(result.body, '{"told":"{\\"key\\":\\"[credential]\\"}"}');
    assert.deepEqual(result.bodyJson, path === 'json' ? { told: '{"key":"[credential]"}' } : undefined);
  }
});

test('does not reveal a secret in status texts or in names of headers, cookies, interim responses or trailers', async () => {
  const hex = Buffer.from(SECRET).toString('hex');
  answer = (_request, response) => {
    response.writeEarlyHints({ link: `</${hex}>; rel=preload` });
    response.writeHead(500, SECRET, { [`x-${SECRET}`]: '1', [hex]: '2', 'set-cookie': SECRET, trailer: 'x-told', 'x-own': `a ${SECRET}` });
    response.write('a');
    response.addTrailers({ 'x-told': SECRET });
    response.end();
  };
  const result = await calling({});
  assert.ok(result.kind === 'answered' && result.headers['x-own'] === 'a [credential]' && result.body === 'a', JSON.stringify(result));
  const all = JSON.stringify(result).toLowerCase();
  assert.ok(!all.includes(SECRET.toLowerCase()) && !all.includes(hex), all);
});

test('reveals no secret in a response that is not HTTP', async () => {
  const strange = (text: string) => (request: IncomingMessage) => request.socket.end(text);
  for (const text of [
    `${SECRET}\r\n\r\n`,
    `HTTP/1.1 200 OK\r\n${SECRET}\r\n\r\n`,
    `HTTP/1.1 200 OK\r\ncontent-length: ${SECRET}\r\n\r\n`,
  ]) {
    answer = strange(text);
    const result = await calling({});
    assert.ok(result.kind === 'failed' && !JSON.stringify(result).includes(SECRET.slice(0, 8)), JSON.stringify(result));
  }
});

test('sends a secret in any header, or refuses the call', async () => {
  answer = fine;
  const called = (header: string) => calling({ credential: credential({ scheme: 'HEADER', placement: { header } }) });
  for (const header of ['X-Key', 'constructor', '__proto__']) {
    assert.equal((await called(header)).kind, 'answered', header);
    assert.ok(received[0]?.rawHeaders.includes(SECRET), header);
  }
  assert.deepEqual([(await called('Accept-Encoding')).kind, received.length], ['refused', 0]);
});

test('adds a secret for its destination, however long the rest of the address is', async () => {
  answer = fine;
  assert.equal((await calling({ url: `http://service.example:${port}/?q=${'x'.repeat(10_000)}` })).kind, 'answered');
  assert.equal(received[0]?.headers.authorization, `Bearer ${SECRET}`);
});
