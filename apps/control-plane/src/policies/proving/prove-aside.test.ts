import assert from 'node:assert/strict';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { test } from 'node:test';
import type { FieldCondition, PolicyRule } from '@svc/contract/policies/language.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import type { ProofScope } from '@svc/policy/prove/place.ts';
import { waitUntil } from '@svc/testing/time/until.ts';
import { createFairQueue } from '../../aside/in-turn.ts';
import { PROOF_MS_MAX, proveInWorkerProcess } from './prove-aside.ts';
import { proveInvariant } from './prove-invariant.ts';

const getPlace = (name: string, rules: readonly PolicyRule[]): ProofScope => ({
  name,
  versions: [
    {
      policy_id: `pol_${name}`,
      policy_name: name,
      version_id: 'pvr_1',
      version_number: 1,
      binding: { scope: 'ORGANIZATION', id: 'org_1' },
      currency: 'USD',
      body: { rules: [...rules], tests: [] },
    },
  ],
  bounds: {},
});
const getRule = (when: FieldCondition, index: number): PolicyRule => ({
  id: `r${index}`,
  effect: index % 2 ? 'ALLOW' : 'BLOCK',
  reason: 'x',
  when,
});
const piece = (field: string, value: string): FieldCondition => ({ field, op: 'contains', value });
/** A requester and an agent with 250 distinguishable cases each: the product takes most of a gigabyte. */
const costly = getPlace(
  'costly',
  [...[...'abcdefgh'].map((letter) => piece('principal.id', letter)), ...[...'01234567'].map((digit) => piece('agent.id', digit))].map(
    getRule,
  ),
);
const simple = getPlace('simple', [{ id: 'stop', effect: 'BLOCK', reason: 'x' }]);
const blocked = { when: piece('tool.name', 'q'), at_least: 'BLOCK' as const, currency: 'USD' };

/** Maximum by which a timer fires early. */
const TIMER_MS = 50;
/** Makes a proof, and repeats it if a busy machine used up its time before the required progress. */
const proveInTime = async <Result>(prove: () => Promise<Result>, isFarEnough: (result: Result) => boolean): Promise<Result> => {
  let proved: Result | undefined;
  await waitUntil('the proof comes far enough in its time', async () => {
    const startedAt = performance.now();
    proved = await prove();
    return isFarEnough(proved) || performance.now() - startedAt < PROOF_MS_MAX - TIMER_MS;
  });
  return proved as Result;
};
const proveSimple = () =>
  proveInTime(
    () => proveInWorkerProcess({ invariant: blocked, places: [simple] }),
    (proved) => 'found' in proved,
  );
const readVerdict = async (places: readonly ProofScope[]) => {
  const verdict = await proveInvariant('org_1', blocked, places);
  assert.ok(!isRefusal(verdict));
  return verdict;
};

test('a proof above its memory limit is abandoned with its scope, and the next one is made', async () => {
  const [first, second] = await Promise.all([
    proveInTime(
      () => proveInWorkerProcess({ invariant: blocked, places: [simple, costly] }),
      (proved) => 'given_up' in proved && proved.given_up === 1,
    ),
    proveSimple(),
  ]);
  assert.deepEqual(first, { given_up: 1 });
  assert.deepEqual(second, { found: null });
  const given = await proveInTime(
    () => readVerdict([simple, costly]),
    ({ undecided }) => undecided?.place === 'costly',
  );
  assert.deepEqual([given.verdict, given.undecided?.place], ['UNDECIDED', 'costly']);
  const next = await proveInTime(
    () => readVerdict([simple]),
    ({ verdict }) => verdict === 'PROVED',
  );
  assert.equal(next.verdict, 'PROVED');
});

test('proofs delay no other request', async () => {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  await proveInWorkerProcess({ invariant: blocked, places: [simple] });
  delay.enable();
  await proveInWorkerProcess({ invariant: blocked, places: [costly] });
  delay.disable();
  assert.ok(delay.max / 1e6 < 250, `${(delay.max / 1e6).toFixed(0)} ms`);
});

test('a crashed process is replaced, and the queue continues', async () => {
  const inTurn = createFairQueue(1);
  const broken = { ...simple, versions: [null as never] };
  assert.deepEqual(await inTurn('org_1', () => proveInWorkerProcess({ invariant: blocked, places: [broken] })), { given_up: 0 });
  assert.deepEqual(await inTurn('org_1', proveSimple), { found: null });
});
