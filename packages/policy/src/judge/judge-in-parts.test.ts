import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PolicyRule } from '@svc/contract/policies/language.ts';
import { OutOfWork } from '../evaluation/node.ts';
import { compileSet } from './compile-set.ts';
import { compileVersion } from './compile-version.ts';
import { evaluateInParts, isExpensiveSet, judge } from './evaluate.ts';

const setOf = (rules: readonly PolicyRule[]) =>
  compileSet([
    compileVersion({
      policy_id: 'pol_1',
      policy_name: 'p',
      version_id: 'pvr_1',
      version_number: 1,
      binding: { scope: 'ORGANIZATION', id: 'org_1' },
      body: { rules: [...rules], tests: [] },
    }),
  ]);

const text = Array.from({ length: 8_192 }, (_, at) => ((at * 7_919 + ((at * at) >> 3)) % 3 ? 'a' : 'b')).join('');
const PARAMETERS = { l: Array.from({ length: 7 }, () => text) };
const searching = (n: number): PolicyRule => ({
  id: `search${n}`,
  effect: 'BLOCK',
  reason: 'Found.',
  when: { field: 'parameters.l.*', op: 'matches', value: `a[ab]{${20 + n}}[^ab]` },
});
const ALLOW: PolicyRule = { id: 'allow', effect: 'ALLOW', reason: 'Fine.' };

const finish = <Value>(steps: Generator<void, Value>): { readonly value: Value; readonly waits: number } => {
  for (let waits = 0; ; waits += 1) {
    const { done, value } = steps.next();
    if (done) return { value, waits };
  }
};

test('decides the same in parts, and yields between them', () => {
  const set = setOf([...Array.from({ length: 40 }, (_, n) => searching(n)), ALLOW]);
  assert.equal(isExpensiveSet(set), false);
  const context = { parameters: PARAMETERS };
  const atOnce = judge(set, context);
  assert.ok(isExpensiveSet(set));
  const { value, waits } = finish(evaluateInParts(set, context));
  assert.deepEqual(value, atOnce);
  assert.equal(value.decision.effect, 'ALLOW');
  assert.ok(waits >= 3 && waits < 40, `${waits} parts`);
});

test('ends in parts as at once when the work budget is exceeded', () => {
  const set = setOf(Array.from({ length: 20 }, (_, n) => searching(n)));
  const context = { parameters: PARAMETERS };
  assert.throws(() => judge(set, context, 2_000_000), OutOfWork);
  assert.ok(isExpensiveSet(set));
  assert.throws(() => finish(evaluateInParts(set, context, 2_000_000)), OutOfWork);
});

test('takes one part for a cheap decision, and does not mark its set as expensive', () => {
  const set = setOf([{ ...ALLOW, when: { field: 'tool.name', op: 'eq', value: 'pay' } }]);
  const context = { tool: { name: 'pay' } };
  const atOnce = judge(set, context);
  assert.equal(isExpensiveSet(set), false);
  assert.deepEqual(finish(evaluateInParts(set, context)), { value: atOnce, waits: 0 });
});
