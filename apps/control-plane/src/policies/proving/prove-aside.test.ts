import assert from 'node:assert/strict';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { test } from 'node:test';
import type { FieldCondition, PolicyRule } from '@svc/contract/policies/language.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import type { Place } from '@svc/policy/prove/place.ts';
import { newTurns } from '../../aside/in-turn.ts';
import { proveAside } from './prove-aside.ts';
import { proveInvariant } from './prove-invariant.ts';

const placeOf = (name: string, rules: readonly PolicyRule[]): Place => ({
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
const ruleOf = (when: FieldCondition, index: number): PolicyRule => ({
  id: `r${index}`,
  effect: index % 2 ? 'ALLOW' : 'BLOCK',
  reason: 'x',
  when,
});
const piece = (field: string, value: string): FieldCondition => ({ field, op: 'contains', value });
/** Who asks and for which agent, each told apart in two hundred and fifty ways: all together take most of a gigabyte. */
const costly = placeOf(
  'costly',
  [...[...'abcdefgh'].map((letter) => piece('principal.id', letter)), ...[...'01234567'].map((digit) => piece('agent.id', digit))].map(
    ruleOf,
  ),
);
const simple = placeOf('simple', [{ id: 'stop', effect: 'BLOCK', reason: 'x' }]);
const blocked = { when: piece('tool.name', 'q'), at_least: 'BLOCK' as const, currency: 'USD' };

test('a proof that takes more memory than it may is given up with its place, and the next one is made', async () => {
  const [first, second] = await Promise.all([
    proveAside({ invariant: blocked, places: [simple, costly] }),
    proveAside({ invariant: blocked, places: [simple] }),
  ]);
  assert.deepEqual(first, { given_up: 1 });
  assert.deepEqual(second, { found: null });
  const verdict = await proveInvariant('org_1', blocked, [simple, costly]);
  assert.ok(!isRefusal(verdict));
  assert.deepEqual([verdict.verdict, verdict.undecided?.place], ['UNDECIDED', 'costly']);
  const next = await proveInvariant('org_1', blocked, [simple]);
  assert.equal(isRefusal(next) || next.verdict, 'PROVED');
});

test('nobody else waits while proofs are made', async () => {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  await proveAside({ invariant: blocked, places: [simple] });
  delay.enable();
  await proveAside({ invariant: blocked, places: [costly] });
  delay.disable();
  assert.ok(delay.max / 1e6 < 250, `${(delay.max / 1e6).toFixed(0)} ms`);
});

test('a process that breaks is given up, and turns go on', async () => {
  const inTurn = newTurns(1);
  const broken = { ...simple, versions: [null as never] };
  assert.deepEqual(await inTurn('org_1', () => proveAside({ invariant: blocked, places: [broken] })), { given_up: 0 });
  assert.deepEqual(await inTurn('org_1', () => proveAside({ invariant: blocked, places: [simple] })), { found: null });
});
