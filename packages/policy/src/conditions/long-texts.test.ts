import assert from 'node:assert/strict';
import { test } from 'node:test';
import { POLICY_LIMITS } from '@svc/contract/tables/limits/policy-limits.ts';
import { compileSet } from '../judge/compile-set.ts';
import { compileVersion } from '../judge/compile-version.ts';
import { evaluate } from '../judge/evaluate.ts';
import { validateVersion } from '../validate/validate-version.ts';

const LONG = 'x'.repeat(POLICY_LIMITS.matched_text_length_max + 1);
const MISSING = { field: 'agent.labels.team', op: 'eq', value: 'a' };

const decide = (when: unknown, parameters: Record<string, unknown>): string => {
  const checked = validateVersion({ rules: [{ id: 'r', effect: 'BLOCK', reason: 'r', when }] });
  assert.ok(checked.ok, JSON.stringify(checked));
  const names = { policy_id: 'p', policy_name: 'p', version_id: 'v', version_number: 1 };
  const set = compileSet([compileVersion({ ...names, binding: { scope: 'ORGANIZATION', id: 'o' }, body: checked.body })]);
  return evaluate(set, { parameters } as never).matched_rules.map(({ outcome }) => outcome)[0] ?? 'not_matched';
};

/** Returns every order of the elements. */
const permute = <T>(list: readonly T[]): T[][] =>
  list.length < 2 ? [[...list]] : list.flatMap((one, place) => permute(list.filter((_, at) => at !== place)).map((rest) => [one, ...rest]));

const matches = (value: string, more: object = {}) => ({ field: 'parameters.l.*', op: 'matches', value, ...more });
const element = (value: string) => ({ any_element: { of: 'parameters.l.*', meets: { field: 'parameters.l.*.t', op: 'matches', value } } });

test('matches a rule independently of the order of elements, with a text that is too long among them', () => {
  const conditions: readonly [object, (text: unknown) => unknown][] = [
    [matches('hit'), (text) => text],
    [matches('hit', { quantifier: 'all' }), (text) => text],
    [{ not: matches('hit', { quantifier: 'all' }) }, (text) => text],
    [element('hit'), (text) => ({ t: text })],
    [{ not: element('hit') }, (text) => ({ t: text })],
  ];
  const lists: readonly (readonly unknown[])[] = [
    [LONG, 'hit'],
    [LONG, 'miss'],
    [LONG, 'hit', 'miss'],
    [LONG, 'hit', 7],
    [LONG, 'miss', null],
    ['hit', 'miss', 7],
  ];
  for (const [condition, made] of conditions)
    for (const when of [condition, { all: [condition, MISSING] }, { any: [condition, MISSING] }])
      for (const list of lists) {
        const outcomes = new Set(permute(list).map((order) => decide(when, { l: order.map(made) })));
        assert.equal(outcomes.size, 1, `${JSON.stringify(when)} of ${JSON.stringify(list).slice(-40)}: ${[...outcomes].join()}`);
      }
});

test('counts a text that is too long only if it leaves its condition unknown', () => {
  const rule = { all: [matches('hit'), MISSING] };
  assert.equal(decide(rule, { l: [LONG, 'hit'] }), 'unknown');
  assert.equal(decide(rule, { l: [LONG, 'miss'] }), 'matched');
});
