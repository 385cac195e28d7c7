import assert from 'node:assert/strict';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { readAudience } from '@svc/testing/agents/agent.ts';
import { activateRules } from '@svc/testing/agents/governed.ts';
import { AMOUNT_RULES } from '@svc/testing/agents/governed-environment.ts';
import { sampleFew } from '@svc/testing/length/test-length.ts';
import { type Downstream, startDownstream } from '@svc/testing/peers/downstream.ts';
import { call } from '@svc/testing/people/client.ts';
import { newTenant, stepUp } from '@svc/testing/people/tenant.ts';
import { type Planes, startPlanes } from '@svc/testing/planes/start-planes.ts';
import { freePort } from '@svc/testing/processes/free-port.ts';
import { ANSWERED_WITHIN_MS, actEverywhere, assertRefused, ENV, type ModeEnvironment, measure, mint, newPlaces, REDIS } from './scene.ts';

let planes: Planes;
let downstream: Downstream;
let places: ModeEnvironment[];
let silent: Server;
let audience: string;
before(async () => {
  [planes, downstream] = await Promise.all([startPlanes({ env: ENV }), startDownstream()]);
  const tenant = await newTenant(planes);
  await stepUp(planes.controlUrl, tenant);
  await activateRules(tenant, 'amounts', AMOUNT_RULES);
  places = await newPlaces(tenant, planes.gatewayUrl, downstream.url('answers'));
  audience = await readAudience(planes.gatewayUrl);
  silent = createServer(() => {});
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  silent.unref();
});
after(async () => {
  silent?.close();
  await Promise.all([planes?.stop(), downstream?.close()]);
});

describe('uses cannot be counted, in any mode', () => {
  const counters = {
    absent: async () => `redis://127.0.0.1:${await freePort()}`,
    silent: async () => `redis://127.0.0.1:${(silent.address() as AddressInfo).port}`,
  };
  for (const [how, address] of sampleFew(Object.entries(counters), 1, 'missing counters')) {
    test(`Redis ${how}: nothing is allowed uncounted, and nothing is executed`, async () => {
      const counted = await startPlanes({
        database: planes.database,
        env: { ...ENV, REDIS_URL: await address(), SVC_GATEWAY_URL: audience },
      });
      const asked = await actEverywhere(counted.gatewayUrl, places);
      for (const one of asked) assertRefused(one, 'DEPENDENCY_UNAVAILABLE', `${one.place.mode}, ${one.tool}`, REDIS);
      const tokens = await Promise.all(places.map((place) => mint(counted.gatewayUrl, audience, place)));
      for (const one of tokens) assertRefused(one, 'DEPENDENCY_UNAVAILABLE', 'token', REDIS);
      // Each process then counts sign-ins itself, so that people can still stop something.
      const login = await measure(() =>
        call(counted.controlUrl, 'POST', '/v1/auth/login', { body: { email: 'a@example.com', password: 'x' } }),
      );
      assert.deepEqual([login.answer.status, login.answer.json.error.code], [401, 'INVALID_CREDENTIALS'], login.answer.text);
      assert.ok(login.tookMs < ANSWERED_WITHIN_MS, `login: ${Math.round(login.tookMs)} ms`);
      assert.ok(!asked.some(({ order }) => downstream.received.has(order)));
      await counted.stop();
    });
  }
});
