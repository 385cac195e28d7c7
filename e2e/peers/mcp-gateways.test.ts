import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { newGovernedServer } from '@svc/testing/agents/govern-mcp-server.ts';
import { MCP_ENV } from '@svc/testing/agents/mcp-scene.ts';
import { type FakeMcpServer, startMcpServer } from '@svc/testing/peers/mcp-server.ts';
import { type StartedPlanes, startPlanes } from '@svc/testing/planes/start-planes.ts';
import { CLIENTS, type OpenClient } from './clients.ts';

const CALLS = 10;

let planes: StartedPlanes;
const peers: FakeMcpServer[] = [];
before(async () => {
  planes = await startPlanes({ gateways: 2, env: MCP_ENV });
});
after(async () => {
  await Promise.all(peers.map(({ close }) => close()));
  await planes.stop();
});

/** Sends requests to each gateway in turn, and skips one that refuses connections, like a load balancer. */
const newBalancer = (urls: readonly string[]) => {
  const used: number[] = urls.map(() => 0);
  let next = 0;
  const balanced: typeof fetch = async (input, init) => {
    const target = new URL(input instanceof Request ? input.url : input);
    for (let tries = 0; ; tries += 1) {
      const at = next % urls.length;
      next += 1;
      const url = new URL(target.pathname, urls[at]);
      try {
        const response = await fetch(url, init);
        used[at] = (used[at] ?? 0) + 1;
        return response;
      } catch (error) {
        const { cause } = error as { readonly cause?: { readonly code?: string } };
        if (tries >= urls.length || !/ECONNREFUSED|ECONNRESET|UND_ERR_SOCKET/.test(cause?.code ?? '')) throw error;
      }
    }
  };
  return { used, fetch: balanced };
};

test('clients of both eras lose no call when requests alternate between two gateways and one is killed', async () => {
  const balancer = newBalancer(planes.gatewayUrls);
  const sessions: { readonly name: string; readonly client: OpenClient }[] = [];
  for (const era of ['MODERN', 'LEGACY'] as const) {
    const peer = await startMcpServer(era);
    peers.push(peer);
    const { url, token } = await newGovernedServer(planes, peer.url);
    for (const [name, { open }] of Object.entries(CLIENTS)) {
      const client = await open({ url, token, fetch: balancer.fetch });
      sessions.push({ name: `${name} at a ${era} server`, client });
    }
  }
  const callAll = async (from: number) => {
    for (const { name, client } of sessions)
      for (let at = from; at < from + CALLS; at += 1) {
        const { text, isError } = await client.call('echo', { text: `${at}` });
        assert.deepEqual([isError, text], [false, JSON.stringify({ text: `${at}` })], name);
      }
  };
  await callAll(0);
  const [first, second] = [...balancer.used];
  assert.ok(first !== undefined && second !== undefined && Math.abs(first - second) <= 1, `${first} and ${second}`);
  const [, killed] = planes.gateways;
  killed?.kill('SIGKILL');
  if (killed !== undefined && killed.exitCode === null && killed.signalCode === null) await once(killed, 'exit');
  await callAll(CALLS);
  assert.equal(balancer.used[1], second, 'the killed gateway answers nothing');
  for (const { client } of sessions) await client.close();
});
