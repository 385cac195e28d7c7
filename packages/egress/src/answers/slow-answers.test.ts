import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { HIDDEN_SECRET } from '@svc/domain/credentials/hide-secret.ts';
import { createEgress } from '../create-egress.ts';
import { isSlowToMask } from './is-slow-to-mask.ts';

const filled = (piece: string, chars: number): string => piece.repeat(Math.ceil(chars / piece.length)).slice(0, chars);
const TOKEN = filled('a', 16_384);
const PASSWORD = filled('\\"', 4_096);
const ORDINARY = 'sk_live_4eC39HqLyjWDarjtT1zdp7dc';

/** The responses, by path. */
const ANSWERS: Readonly<Record<string, { readonly type: string; readonly body: string }>> = {
  '/escaped': { type: 'text/plain', body: filled('\\u0061', 65_000) },
  '/quoted': { type: 'text/plain', body: filled('\\\\"', 65_000) },
  '/told': { type: 'application/json', body: JSON.stringify({ told: PASSWORD, other: filled('b', 40_000) }) },
  '/values': { type: 'application/json', body: JSON.stringify(Array.from({ length: 4_000 }, () => 'abcdefgh\\')) },
};

/** The key is echoed in a header too. */
const server = createServer(({ url = '', headers }, response) => {
  const { type, body } = ANSWERS[url] ?? { type: 'text/plain', body: '' };
  response.writeHead(200, { 'content-type': type, 'x-told': headers['x-key'] ?? '', 'set-cookie': 'a=b' }).end(body);
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
after(() => server.close());
const { port } = server.address() as AddressInfo;

for (const readsAtOnce of [false, true]) {
  const egress = createEgress({
    allowRealEgress: true,
    allowCidrs: ['127.0.0.0/8'],
    showsCredentials: true,
    readsAtOnce,
    timeoutMs: 60_000,
  });
  after(() => egress.close());
  const call = (path: string, secret: string, hidden: readonly string[] = []) =>
    egress.call({
      ...{ method: 'GET', url: `http://127.0.0.1:${port}${path}`, headers: {}, tenant: 'org_1' },
      credential: {
        ...{ scheme: 'HEADER', placement: { header: 'x-key' }, extras: [] },
        destinations: [{ host: '127.0.0.1', subdomains: false, port }],
        open: () => ({ secret, extras: [], hidden }),
      },
    });
  const named = readsAtOnce ? 'where every answer is told whole' : 'where large ones are told apart';

  test(`masks slow secrets outside the decision thread, ${named}`, async () => {
    await call('/quoted', PASSWORD);
    const hidden = [`${TOKEN.slice(1)}b`, `b${TOKEN.slice(1)}`];
    const started = process.threadCpuUsage();
    for (let n = 0; n < 3; n += 1) {
      assert.equal((await call('/escaped', 'b'.repeat(8), [TOKEN, ...hidden])).kind, 'answered');
      assert.equal((await call('/quoted', PASSWORD, [`${PASSWORD.slice(1)}"`])).kind, 'answered');
      assert.equal((await call('/values', ORDINARY)).kind, 'answered');
    }
    const { user, system } = process.threadCpuUsage(started);
    assert.ok((user + system) / 1_000 < 250, `${(user + system) / 1_000} ms`);
  });

  test(`returns the same result for slow secrets as for others, ${named}`, async () => {
    const told = await call('/told', PASSWORD);
    assert.ok(told.kind === 'answered', told.kind);
    const bodyJson = { told: HIDDEN_SECRET, other: filled('b', 40_000) };
    const { headers, status, bytes, body } = told;
    assert.deepEqual(told.bodyJson, bodyJson);
    assert.deepEqual({ status, bytes, body }, { status: 200, bytes: ANSWERS['/told']?.body.length, body: JSON.stringify(bodyJson) });
    assert.equal(headers['content-type'], 'application/json');
    assert.equal(headers['x-told'], HIDDEN_SECRET);
    assert.equal(headers['set-cookie'], undefined);
  });
}

test('classifies ordinary keys and responses as fast, and the longest as slow', () => {
  const of = (secrets: string[], chars: number, texts = 40, sent: string[] = []): boolean =>
    isSlowToMask({ secrets, sent }, { chars, texts });
  const basic = [ORDINARY, btoa(`user:${ORDINARY}`)];
  assert.equal(of([...basic, ...basic], 65_536), false);
  assert.equal(of([filled('k', 512)], 65_536), false);
  assert.equal(of([filled('j', 1_500), filled('k', 1_500)], 10_000), false);
  assert.equal(of(['it is "quoted"'], 10_000), false);
  assert.equal(of([ORDINARY], 30_000, 2_000, [filled('x', 65_536)]), false);
  assert.equal(of(['it is "quoted"'], 65_536), true);
  assert.equal(of([TOKEN], 10_000), true);
  assert.equal(of([...basic, ...basic], 65_536, 4_000), true);
  assert.equal(of(basic, 1_000, 40, [filled('x', 1_048_576)]), true);
});
