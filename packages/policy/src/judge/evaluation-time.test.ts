import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { FieldCondition, PolicyRule } from '@svc/contract/policies/language.ts';
import { POLICY_LIMITS } from '@svc/contract/tables/limits/policy-limits.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { OutOfWork } from '../evaluation/node.ts';
import type { PolicyContext } from '../evaluation/policy-context.ts';
import { validateVersion } from '../validate/validate-version.ts';
import { compileSet } from './compile-set.ts';
import { compileVersion } from './compile-version.ts';
import { evaluate } from './evaluate.ts';

/** Processor time: a fifth of a second is ten times what a decision may take, to allow for a slow and busy machine. */
const DECIDED_WITHIN_MS = 200;
const { conditions_max, star_conditions_max, values_max, pattern_sizes_max, rules_max, matched_text_length_max } = POLICY_LIMITS;
const { requestBytesMax, parametersBytesMax } = LIMITS.bodies;

const times = <Value>(n: number, make: (index: number) => Value): Value[] => Array.from({ length: n }, (_, index) => make(index));

/** Returns the maximum number of rules, over all the conditions. */
const listRules = (conditions: readonly FieldCondition[]): PolicyRule[] => {
  const perRule = Math.ceil(conditions.length / rules_max);
  return times(Math.ceil(conditions.length / perRule), (n) => ({
    id: `r${n}`,
    effect: 'BLOCK',
    reason: 'x',
    when: { all: conditions.slice(n * perRule, (n + 1) * perRule) },
  }));
};

const listOf = (text: string): string[] => times(Math.floor((parametersBytesMax - 100) / (text.length + 3)), () => text);
const zeros = times(Math.floor((parametersBytesMax - 100) / 2), () => 0);
const words = (n: number, seed: number): string =>
  times(n, (index) => ((index * 7_919 + seed * 31 + ((index * index) >> 3)) % 3 ? 'a' : 'b')).join('');

const starred = (make: (index: number) => FieldCondition): PolicyRule[] => listRules(times(star_conditions_max, make));
const plain = (make: (index: number) => FieldCondition): PolicyRule[] => listRules(times(conditions_max, make));
const eq =
  (field: string) =>
  (n: number): FieldCondition => ({ field, op: 'eq', value: n + 1 });

/** The texts each one searches, and the largest request that makes it search all of it in vain. */
const WORST: Readonly<Record<string, readonly [rules: PolicyRule[], context: PolicyContext]>> = {
  'paths over every element of the longest list': [starred(eq('parameters.l.*')), { parameters: { l: zeros } }],
  'paths over lists in lists': [starred(eq('parameters.*.*')), { parameters: { a: zeros.slice(0, 15_000), b: zeros.slice(0, 15_000) } }],
  'paths over every member of the largest object': [
    starred(eq('parameters.l.*')),
    { parameters: { l: Object.fromEntries(times(7_000, (n) => [n.toString(36), 0])) } },
  ],
  'paths to what no element has': [starred(eq('parameters.l.*.x')), { parameters: { l: times(20_000, () => ({})) } }],
  'the deepest paths over the deepest objects': [
    starred(eq(`parameters${'.*'.repeat(15)}`)),
    { parameters: { l: times(600, () => times(14, () => 0).reduce<object>((inner) => ({ a: inner }), {})) } },
  ],
  'groups about one element over every element of the longest list': [
    times(star_conditions_max, (n) => ({
      id: `r${n}`,
      effect: 'BLOCK',
      reason: 'x',
      when: { any_element: { of: 'parameters.l.*', meets: { not: { field: 'parameters.l.*', op: 'neq', value: n + 1 } } } },
    })),
    { parameters: { l: zeros } },
  ],
  'groups about one element that ask much of each': [
    times(2, (n) => ({
      id: `r${n}`,
      effect: 'BLOCK',
      reason: 'x',
      when: {
        any_element: {
          of: 'parameters.l.*',
          meets: { all: times(star_conditions_max / 2, (m) => ({ field: `parameters.l.*.k${m}`, op: 'neq', value: 1 }) as const) },
        },
      },
    })),
    { parameters: { l: times(20_000, () => ({})) } },
  ],
  'texts in each of many texts': [
    starred((n) => ({ field: 'parameters.l.*', op: 'contains', value: `${'a'.repeat(300)}b${n}` })),
    { parameters: { l: listOf('a'.repeat(4_000)) } },
  ],
  'a long text in the longest text': [
    plain((n) => ({ field: 'parameters.t', op: 'contains', value: `${'a'.repeat(300)}b${n}` })),
    { parameters: { t: 'a'.repeat(65_000) } },
  ],
  'an element in the longest list': [plain((n) => ({ field: 'parameters.l', op: 'contains', value: n + 1 })), { parameters: { l: zeros } }],
  'beginnings and endings of the longest text': [
    plain((n) => ({ field: 'parameters.t', op: n % 2 ? 'starts_with' : 'ends_with', value: `${'a'.repeat(300)}b` })),
    { parameters: { t: 'a'.repeat(65_000) } },
  ],
  'long lists of values': [
    plain((n) => ({ field: 'parameters.t', op: 'in', value: times(40, (k) => `v${n}-${k}`) })),
    { parameters: { t: 'v' } },
  ],
  'networks of IPv4 for each of many addresses': [
    starred(() => ({ field: 'parameters.l.*', op: 'cidr', value: times(130, (n) => `10.${n}.0.0/${16 + (n % 8)}`) })),
    { parameters: { l: times(4_600, (n) => `11.0.${n >> 8}.${n & 255}`) } },
  ],
  'networks of every length of IPv6 for each of many addresses': [
    starred(() => ({ field: 'parameters.l.*', op: 'cidr', value: times(119, (n) => `2000::/${n + 9}`) })),
    { parameters: { l: times(6_000, (n) => `3::${n.toString(16)}`) } },
  ],
  'patterns with much to remember': [
    listRules(times(2, (n) => ({ field: 'parameters.l.*', op: 'matches', value: `${n ? '^[ab]*' : ''}a[ab]{100}[^ab]` }))),
    { parameters: { l: times(8, (n) => words(matched_text_length_max - 200, n)) } },
  ],
  'many patterns': [
    listRules(times(40, (n) => ({ field: 'parameters.l.*', op: 'matches', value: `a+b+[^ab]{${n % 3}}[^ab]` }))),
    { parameters: { l: times(8, (n) => words(matched_text_length_max - 200, n)) } },
  ],
  'hours, days and values that look like secrets': [
    plain((n) =>
      n % 2 ? { field: 'time.clock', op: 'within_hours', value: '08:00-18:00' } : { field: 'parameters.t', op: 'eq', value: `x${n}` },
    ),
    { parameters: { t: '4 4-4 4-'.repeat(8_000) }, time: { clock: '03:00', hour: 3, weekday: 'MON', date: '2026-03-02' } },
  ],
};

const compiled = (rules: readonly PolicyRule[]) => {
  const read = validateVersion({ rules });
  assert.ok(read.ok, JSON.stringify(read).slice(0, 500));
  const binding = { scope: 'ORGANIZATION', id: 'org_1' } as const;
  return compileSet([
    compileVersion({ policy_id: 'pol_1', policy_name: 'p', version_id: 'pvr_1', version_number: 1, binding, body: read.body }),
  ]);
};

/** Decides, or gives up when the work budget of a decision is used up: then nothing is allowed. */
const decides = (set: ReturnType<typeof compiled>, context: PolicyContext): void => {
  try {
    assert.equal(evaluate(set, context).effect, 'BLOCK');
  } catch (error) {
    if (!(error instanceof OutOfWork)) throw error;
  }
};

describe('decides the worst request under the worst accepted version in bounded time, or not at all', () => {
  for (const [what, [rules, context]] of Object.entries(WORST)) {
    test(what, (t) => {
      assert.ok(JSON.stringify({ rules }).length <= requestBytesMax, 'nobody could send the version');
      const bytes = Buffer.byteLength(JSON.stringify(context.parameters));
      assert.ok(bytes <= parametersBytesMax, `nobody could send ${bytes} bytes of parameters`);
      const set = compiled(rules);
      const took = times(3, () => {
        const start = process.threadCpuUsage();
        decides(set, context);
        const { user, system } = process.threadCpuUsage(start);
        return (user + system) / 1_000;
      });
      t.diagnostic(`${Math.min(...took).toFixed(0)} ms`);
      assert.ok(Math.min(...took) < DECIDED_WITHIN_MS, `${took.map((ms) => ms.toFixed(0)).join(', ')} ms`);
    });
  }
});

describe('accepts a version at each limit, and rejects it beyond', () => {
  const refusal = (rules: readonly PolicyRule[]): string => {
    const read = validateVersion({ rules });
    return read.ok ? '' : read.faults.map(({ message }) => message).join(' ');
  };
  const many = (n: number, condition: FieldCondition): PolicyRule[] => [
    { id: 'a', effect: 'BLOCK', reason: 'x', when: { any: times(n, () => condition) } },
  ];
  const number: FieldCondition = { field: 'amount', op: 'gt', value: 1 };
  const star: FieldCondition = { field: 'parameters.l.*', op: 'eq', value: 1 };
  const steps = { field: 'tool.name', op: 'matches', value: `^${'a'.repeat(45)}$` } as const;
  const ends: readonly (readonly [string, (n: number) => PolicyRule[], number, RegExp])[] = [
    ['rules', (n) => times(n, (index) => ({ id: `r${index}`, effect: 'BLOCK', reason: 'x' })), rules_max, /at most 200 rules/],
    ['conditions', (n) => many(n, number), conditions_max, /at most 500 conditions/],
    ['conditions on paths with a star', (n) => many(n, star), star_conditions_max, /at most 100 conditions on paths with "\*"/],
    ['values of a list', (n) => many(1, { field: 'currency', op: 'in', value: times(n, () => 'USD') }), values_max, /at most 1000 values/],
    ['networks', (n) => many(1, { field: 'destination.ip', op: 'cidr', value: times(n, () => '10.0.0.0/8') }), values_max, /1 to 1000/],
    ['steps of patterns', (n) => many(n, steps), Math.floor(pattern_sizes_max / 50), /at most 500 steps/],
  ];
  for (const [what, make, most, says] of ends) {
    test(what, () => {
      assert.equal(refusal(make(most)), '');
      assert.match(refusal(make(most + 1)), says);
    });
  }
});
