import assert from 'node:assert/strict';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { waitUntil } from '@svc/testing/time/until.ts';
import { createEgress, type Egress } from './create-egress.ts';

const { callsPerHostMax, callsPerOrganizationMax } = LIMITS.egress;
/** Longer than the machine takes for an immediate response, however busy it is: a wait for a slot ends by it. */
const TIMEOUT_MS = 60_000;

/** Starts a downstream that hangs until it is released, and answers `/quick` at once. */
const startDownstream = async () => {
  const held = new Set<ServerResponse>();
  const server: Server = createServer((request, response) => {
    if (request.url === '/quick') response.end('quick');
    else held.add(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const letGo = (): void => {
    for (const response of held) response.end('late');
    held.clear();
  };
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { origin, held, letGo, close };
};

let egress: Egress;
let slow: Awaited<ReturnType<typeof startDownstream>>;
let other: Awaited<ReturnType<typeof startDownstream>>;
before(async () => {
  egress = createEgress({ allowRealEgress: true, allowCidrs: ['127.0.0.0/8'], timeoutMs: TIMEOUT_MS });
  [slow, other] = await Promise.all([startDownstream(), startDownstream()]);
});
after(async () => {
  slow.close();
  other.close();
  await egress.close();
});

const callAs = (tenant: string, url: string) => egress.call({ tenant, method: 'GET', url, headers: {} });
const isHeld = ({ held }: typeof slow, count: number): Promise<void> => waitUntil(`${count} calls are held`, () => held.size >= count);

test('bounds the calls of one organization to a hanging host, without delaying its other hosts or other tenants', async () => {
  const hanging = Array.from({ length: callsPerHostMax + 5 }, () => callAs('org_1', `${slow.origin}/hang`));
  await isHeld(slow, callsPerHostMax);
  const ended: string[] = [];
  const waits = callAs('org_1', `${slow.origin}/quick`).then(({ kind }) => ended.push(`waited: ${kind}`));
  assert.equal((await callAs('org_1', `${other.origin}/quick`)).kind, 'answered');
  assert.equal((await callAs('org_2', `${slow.origin}/quick`)).kind, 'answered');
  assert.deepEqual([slow.held.size, ended], [callsPerHostMax, []]);
  slow.letGo();
  await isHeld(slow, 5);
  slow.letGo();
  await Promise.all(hanging);
  await waits;
  assert.deepEqual(ended, ['waited: answered']);
});

test('reports to a call without a slot if the share of its organization or of the service is full', async () => {
  const short = { tenant: 'org_1', method: 'GET', url: `${slow.origin}/hang`, headers: {}, timeoutMs: 10_000 };
  const hanging = Array.from({ length: callsPerHostMax }, () => callAs('org_1', `${slow.origin}/hang`));
  await isHeld(slow, callsPerHostMax);
  const late = await egress.call(short);
  assert.deepEqual([late.kind, late.kind === 'failed' && late.sent, late.kind === 'failed' && late.busy], ['failed', false, 'tenant']);
  slow.letGo();
  await Promise.all(hanging);
});

test('bounds the calls of one organization over all hosts together', async () => {
  const left = callsPerOrganizationMax - callsPerHostMax;
  const hanging = Array.from({ length: callsPerHostMax }, () => callAs('org_1', `${slow.origin}/hang`));
  const elsewhere = Array.from({ length: left }, () => callAs('org_1', `${other.origin}/hang`));
  await isHeld(slow, callsPerHostMax);
  await isHeld(other, left);
  let isOver = false;
  const waits = callAs('org_1', `${other.origin}/quick`).then(() => {
    isOver = true;
  });
  assert.equal((await callAs('org_2', `${other.origin}/quick`)).kind, 'answered');
  assert.equal(isOver, false);
  other.letGo();
  slow.letGo();
  await Promise.all([...hanging, ...elsewhere, waits]);
});
