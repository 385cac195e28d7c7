import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newKeyPair, readAudience, SDK, signAssertion } from '@svc/testing/agents/agent.ts';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { newGovernedEnvironment } from '@svc/testing/agents/governed-environment.ts';
import { call, type TestResponse } from '@svc/testing/people/client.ts';
import { type Planes, startPlanes } from '@svc/testing/planes/start-planes.ts';

let planes: Planes;
let governed: Governed;
before(async () => {
  planes = await startPlanes({ env: { MAX_LOGIN_ATTEMPTS: '1000' } });
  governed = await newGoverned(planes);
});
after(() => planes.stop());

/** Returns a low percentile: load only adds time, and a difference in the work is in every sample. */
const quickest = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[Math.floor(times.length / 8)] ?? Number.NaN;

/** Measures several kinds of requests alternately, so that load affects all of them equally. */
const measure = async (rounds: number, ways: Readonly<Record<string, () => Promise<TestResponse>>>): Promise<Record<string, number>> => {
  const times = new Map<string, number[]>(Object.keys(ways).map((way) => [way, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [way, ask] of Object.entries(ways)) {
      const startedAt = performance.now();
      const answer = await ask();
      times.get(way)?.push(performance.now() - startedAt);
      assert.equal(answer.status, 401, answer.text);
    }
  }
  return Object.fromEntries([...times].map(([way, each]) => [way, quickest(each)]));
};

const spread = (times: Readonly<Record<string, number>>): number => Math.max(...Object.values(times)) - Math.min(...Object.values(times));

const ROUNDS = 40;
const TRIES = 6;

/** Load may spoil one series of measurements; a difference in the work shows in every series. */
const assertAlike = async (
  series: () => Promise<Record<string, number>>,
  isAlike: (times: Record<string, number>) => boolean,
): Promise<void> => {
  const seen: Record<string, number>[] = [];
  for (let n = 0; n < TRIES; n += 1) {
    seen.push(await series());
    if (isAlike(seen.at(-1) ?? {})) return;
  }
  assert.fail(JSON.stringify(seen));
};

test('an unknown agent, a wrong key and nonsense take the same time, whether in memory, to be loaded or missing', async () => {
  const audience = await readAudience(planes.gatewayUrl);
  const { privateKey } = newKeyPair();
  const unknown = 'agt_7ZZZZZZZZZZZZZZZZZZZZZZZZZ';
  const redeem = (agent_id: string, assertion: string) =>
    call(planes.gatewayUrl, 'POST', '/gateway/v1/token', { body: { agent_id, assertion, sdk: SDK } });
  const series = async () => {
    const unseen: string[] = [];
    for (let n = 0; n < ROUNDS; n += 1) unseen.push((await newGovernedEnvironment(governed.tenant, 'ENFORCE', [])).agent.id);
    return measure(ROUNDS, {
      'unknown agent': () => redeem(unknown, signAssertion({ id: unknown, privateKey }, audience)),
      'wrong key': () => redeem(governed.agent.id, signAssertion({ id: governed.agent.id, privateKey }, audience)),
      'wrong key of an agent that is not loaded yet': () =>
        redeem(unseen.at(-1) ?? '', signAssertion({ id: unseen.pop() ?? '', privateKey }, audience)),
      'nonsense for an agent': () => redeem(governed.agent.id, 'x'.repeat(400)),
      'nonsense for an unknown agent': () => redeem(unknown, 'x'.repeat(400)),
    });
  };
  await assertAlike(series, (times) => spread(times) < 3);
});

test('a sign-in of an unknown account and one with a wrong password take the same time', async () => {
  const login = (email: string) =>
    call(planes.controlUrl, 'POST', '/v1/auth/login', { body: { email, password: 'not the right password' } });
  let n = 0;
  const series = () =>
    measure(ROUNDS, {
      known: () => login(governed.tenant.email),
      unknown: () => login(`nobody-${n++}@example.com`),
    });
  await assertAlike(series, (times) => spread(times) < 0.25 * Math.min(...Object.values(times)));
});
