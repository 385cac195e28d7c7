import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { type StartedPlanes, startPlanes } from '@svc/testing/planes/start-planes.ts';
import { freePort } from '@svc/testing/processes/free-port.ts';
import { type ProcessGroup, startGroup } from '@svc/testing/processes/start-group.ts';
import { waitUntil } from '@svc/testing/time/until.ts';

const root = path.resolve(import.meta.dirname, '../..');
const PROXIES = [
  {
    name: 'nginx',
    file: 'nginx.conf',
    check: ['nginx', '-v'],
    run: (config: string) => ['nginx', '-g', `daemon off; pid ${config}.pid; error_log stderr;`, '-c', config],
    unavailable: 500,
  },
  {
    name: 'envoy',
    file: 'envoy.yaml',
    check: ['envoy', '--version'],
    run: (config: string) => ['envoy', '-c', config, '--log-level', 'error'],
    unavailable: 403,
  },
] as const;

const isInstalled = ([program, ...words]: readonly string[]): boolean => spawnSync(program ?? '', words).status === 0;

const RULES = [
  { id: 'allow', effect: 'ALLOW', reason: 'Orders can be read.', when: { field: 'parameters.path.order', op: 'neq', value: 'secret' } },
  { id: 'block', effect: 'BLOCK', reason: 'This order is secret.', when: { field: 'parameters.path.order', op: 'eq', value: 'secret' } },
];

const TESTS = [{ name: 'an order', given: { parameters: { path: { order: 'o-1' } } }, then: { effect: 'ALLOW' } }];

describe('proxies that query the gateway before they forward a request', () => {
  let planes: StartedPlanes;
  let governed: Governed;
  const home = mkdtempSync(path.join(tmpdir(), 'svc-ext-authz-'));
  const running: ProcessGroup[] = [];
  const received: IncomingMessage[] = [];
  const orders = createServer((request, response) => {
    received.push(request);
    response.end('an order');
  });
  before(async () => {
    planes = await startPlanes({ env: { SVC_TRUST_PROXY: 'true', SVC_MAIL: 'none' } });
    governed = await newGoverned(planes, { rules: RULES, tests: TESTS });
    const routes = [{ mapping: 'orders-api', method: 'GET', path: '/orders/{order}' }];
    const set = await governed.owner('PUT', `/v1/tools/${governed.tool.id}/routes`, { routes, reason: 'test' });
    assert.equal(set.status, 200, set.text);
    orders.listen(0, '127.0.0.1');
    await once(orders, 'listening');
  });
  after(async () => {
    await Promise.all(running.map((proxy) => proxy.end()));
    orders.closeAllConnections();
    orders.close();
    await planes?.stop();
    rmSync(home, { recursive: true, force: true });
  });

  /** Starts a proxy with the configuration of the project and other addresses. */
  const startProxy = async ({ name, file, run }: (typeof PROXIES)[number], gatewayPort: string): Promise<string> => {
    const port = await freePort();
    const ordersPort = String((orders.address() as AddressInfo).port);
    const config = readFileSync(path.join(root, 'deploy/proxies/ext-authz', file), 'utf8')
      .replaceAll('server gateway:4100', `server 127.0.0.1:${gatewayPort}`)
      .replaceAll('server orders:8080', `server 127.0.0.1:${ordersPort}`)
      .replaceAll('address: gateway, port_value: 4100', `address: 127.0.0.1, port_value: ${gatewayPort}`)
      .replaceAll('address: orders, port_value: 8080', `address: 127.0.0.1, port_value: ${ordersPort}`)
      .replaceAll('listen 8080', `listen 127.0.0.1:${port}`)
      .replaceAll('address: 0.0.0.0, port_value: 8080', `address: 127.0.0.1, port_value: ${port}`);
    const written = path.join(home, `${port}-${file}`);
    writeFileSync(written, config);
    const [program, ...words] = run(written);
    const proxy = startGroup(program ?? '', words);
    running.push(proxy);
    const url = `http://127.0.0.1:${port}`;
    await waitUntil(`${name} answers`, async () => {
      assert.equal(proxy.child.exitCode, null, proxy.said());
      return (await Promise.allSettled([fetch(url)]))[0]?.status === 'fulfilled';
    });
    return url;
  };

  for (const proxy of PROXIES)
    test(`${proxy.name} forwards what authorizeProxiedRequest allows, keeps the token of the agent, and fails closed`, {
      skip: isInstalled(proxy.check) ? false : `${proxy.name} is not installed`,
    }, async () => {
      const url = await startProxy(proxy, new URL(planes.gatewayUrl).port);
      const get = (target: string, headers: Record<string, string> = {}, method = 'GET') =>
        fetch(`${url}${target}`, { method, headers: { authorization: `Bearer ${governed.token}`, ...headers } });
      received.length = 0;
      const allowed = await get('/orders/o-1?expand=lines', { 'x-svc-agent-id': 'agt_forged' });
      assert.deepEqual([allowed.status, await allowed.text()], [200, 'an order']);
      const [forwarded] = received;
      assert.equal(forwarded?.url, '/orders/o-1?expand=lines');
      assert.equal(forwarded?.headers['x-svc-agent-id'], governed.agent.id);
      assert.match(String(forwarded?.headers['x-svc-action-id']), /^act_/);
      assert.equal(JSON.stringify(forwarded?.headers).includes(governed.token), false);

      received.length = 0;
      const forged = { 'x-original-uri': '/orders/o-1', 'x-original-method': 'GET' };
      const denied = await get('/orders/secret', forged);
      assert.deepEqual([denied.status, denied.headers.get('x-svc-code')], [403, 'ACTION_BLOCKED']);
      assert.equal(denied.headers.get('x-svc-reason'), 'This order is secret.');
      for (const [target, method] of [
        ...[['/orders/o-1', 'DELETE'] as const, ['/other', 'GET'] as const, ['/orders/%2e%2e/secret', 'GET'] as const],
        ...[['/orders/..%2fsecret', 'GET'] as const, ['/authorize', 'GET'] as const, ['/orders/o-1/', 'GET'] as const],
      ])
        assert.ok([400, 403, 404].includes((await get(target, forged, method)).status), `${method} ${target}`);
      assert.equal((await get('/orders/o-1', { authorization: 'Bearer wrong' })).status, 401);

      await governed.owner('POST', `/v1/agents/${governed.agent.id}/pause`, { reason: 'test' });
      assert.equal((await get('/orders/o-1')).status, 403);
      await governed.owner('POST', `/v1/agents/${governed.agent.id}/resume`, { reason: 'test' });

      const closed = await startProxy(proxy, String(await freePort()));
      const unavailable = await fetch(`${closed}/orders/o-1`, { headers: { authorization: `Bearer ${governed.token}` } });
      assert.equal(unavailable.status, proxy.unavailable);
      assert.deepEqual(
        received.map(({ url }) => url),
        [],
      );
    });
});
