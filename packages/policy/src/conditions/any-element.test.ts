import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PolicyCondition } from '@svc/contract/policies/language.ts';
import { compileUnbound } from '../judge/compile-set.ts';
import { compileVersion } from '../judge/compile-version.ts';
import { evaluate } from '../judge/evaluate.ts';
import { listTraceConditions } from '../judge/trace-conditions.ts';
import { validateVersion } from '../validate/validate-version.ts';

const asking = (when: unknown, effect = 'BLOCK') => ({ rules: [{ id: 'r', effect, reason: 'r', when }] });
const of = (meets: unknown, list = 'parameters.items.*') => ({ any_element: { of: list, meets } });
const price = { field: 'parameters.items.*.price', op: 'gt', value: 100 };

const compiled = (when: PolicyCondition) => {
  const checked = validateVersion(asking(when));
  assert.ok(checked.ok, JSON.stringify(checked));
  const binding = { scope: 'ORGANIZATION', id: 'o' } as const;
  return compileVersion({ policy_id: 'p', policy_name: 'p', version_id: 'v', version_number: 1, binding, body: checked.body });
};

test('refuses faults of a single-element group at their pointers', () => {
  for (const [when, pointer] of [
    [of({ field: 'amount', op: 'gt', value: 1 }), '/any_element/meets/field'],
    [of({ field: 'parameters.items.0.price', op: 'gt', value: 1 }), '/any_element/meets/field'],
    [of({ field: 'parameters.itemsx.*.price', op: 'gt', value: 1 }), '/any_element/meets/field'],
    [of({ ...price, quantifier: 'any' }), '/any_element/meets/quantifier'],
    [of({ field: 'parameters.items.*.tags.*', op: 'neq', value: 'x' }), '/any_element/meets/quantifier'],
    [of(of(price)), '/any_element/meets/any_element'],
    [of(price, 'parameters.items'), '/any_element/of'],
    [of(price, 'agent.capabilities'), '/any_element/of'],
    [{ any_element: { of: 'parameters.items.*' } }, '/any_element/meets'],
    [{ any_element: [price] }, '/any_element'],
    [{ ...of(price), all: [price] }, ''],
  ] as const) {
    const checked = validateVersion(asking(when));
    assert.ok(!checked.ok, JSON.stringify(when));
    assert.ok(
      checked.faults.some((fault) => fault.pointer.startsWith(`/rules/0/when${pointer}`)),
      JSON.stringify(checked.faults),
    );
  }
});

test('traces every condition in a single-element group in one order, without a list and with an empty one too', () => {
  const when = of({ all: [{ field: 'parameters.items.*.kind', op: 'eq', value: 'gold' }, { not: price }] }) as PolicyCondition;
  const version = compiled(when);
  const paths = ['/any_element/meets/all/0', '/any_element/meets/all/1/not'];
  assert.deepEqual(
    listTraceConditions(version.rules[0] as never).map(({ path }) => path),
    paths,
  );
  for (const items of [undefined, [], [1], [{ kind: 'gold', price: 1 }], [{}, { kind: 'tin' }]]) {
    const [rule] = evaluate(compileUnbound(version), { parameters: { items } }).matched_rules;
    assert.deepEqual(
      rule?.conditions.map(({ path }) => path),
      paths,
    );
    for (const { outcome, unknown_because } of rule?.conditions ?? []) assert.equal(outcome === 'unknown', unknown_because !== null);
  }
});

test('matches everything that does not allow for a text too long to search in an element, and does not show a secret', () => {
  const long = { field: 'parameters.items.*.note', op: 'matches', value: 'secret' };
  const set = compileUnbound(compiled(of(long) as PolicyCondition));
  const decided = evaluate(set, { parameters: { items: [{ note: 'a' }, { note: 'x'.repeat(9000) }] } });
  assert.equal(decided.matched_rule?.id, 'r');
  const shown = evaluate(
    compileUnbound(compiled(of({ field: 'parameters.headers.*', op: 'eq', value: 'a' }, 'parameters.headers.*') as PolicyCondition)),
    {
      parameters: { headers: { authorization: 'Bearer abc' } },
    },
  );
  assert.ok(!JSON.stringify(shown).includes('Bearer abc'));
});
