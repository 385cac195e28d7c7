import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { FieldCondition, PolicyRule } from '@svc/contract/policies/language.ts';
import { POLICY_LIMITS } from '@svc/contract/tables/limits/policy-limits.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import fc from 'fast-check';
import { OutOfWork } from '../evaluation/node.ts';
import type { PolicyContext } from '../evaluation/policy-context.ts';
import { compileSet } from '../judge/compile-set.ts';
import { compileVersion, type PolicySource } from '../judge/compile-version.ts';
import { evaluate, judge } from '../judge/evaluate.ts';
import { maskPaths, pathsMeet } from '../masks/mask-paths.ts';
import { MASKED } from '../masks/mask-secrets.ts';
import { validateVersion } from '../validate/validate-version.ts';
import { newWorkTally, WORK_OF_REQUEST } from './work-of-versions.ts';

const { decision_work_max, matched_text_length_max } = POLICY_LIMITS;
const RUNS = Number(process.env.DECISION_WORK_RUNS ?? 200);
/** Processor time as the system reports it; allows for a busy machine. */
const DECIDED_WITHIN_MS = 20;
const BUSY_FACTOR = 4;

const times = <Value>(n: number, make: (index: number) => Value): Value[] => Array.from({ length: n }, (_, index) => make(index));
const letters = (n: number, seed: number): string =>
  times(n, (at) => ((at * 7_919 + seed * 31 + ((at * at) >> 3)) % 3 ? 'a' : 'b')).join('');
const fill = <Value>(value: Value): Value[] =>
  times(Math.floor((LIMITS.bodies.parametersBytesMax - 60) / (JSON.stringify(value).length + 1)), () => value);

/** Requests at every limit: the longest texts, the longest lists of each kind of element, the most members, the deepest objects. */
const REQUESTS: readonly PolicyContext['parameters'][] = [
  { t: letters(matched_text_length_max, 1), u: letters(matched_text_length_max, 2) },
  { t: 'a'.repeat(65_000) },
  { l: fill(0) },
  { l: fill('a') },
  { l: times(7, (n) => letters(matched_text_length_max, n)) },
  { l: fill('ab'.repeat(17)) },
  { l: fill({}) },
  { l: fill('10.0.0.1') },
  { l: times(6_000, (n) => `3::${n.toString(16)}`) },
  { l: Object.fromEntries(times(7_000, (n) => [n.toString(36), 0])) },
  { l: times(600, () => times(14, () => 0).reduce<object>((inner) => ({ a: inner }), {})) },
  { l: times(100, (n) => `4 4-4 4-${n}`.padEnd(600, '4 4-')) },
];

const path = fc.constantFrom('t', 'u', 'l', 'l.*', '*', '*.*', 'l.*.x', 'l.*.*', '*.*.*.x', '*.*.*.*.*.*.*');
const pattern = fc.oneof(
  fc.tuple(fc.constantFrom('', '^', '\\b', '(?i)'), fc.integer({ min: 1, max: 200 })).map(([head, n]) => `${head}a[ab]{${n}}[^ab]`),
  fc.integer({ min: 1, max: 60 }).map((n) => `(?:[ab]?[bc]?){${n}}[0-9]$`),
  fc.constantFrom('\\.(read|list)$', '(^|[^0-9])[3-6]([ -]?[0-9]){12,18}($|[^0-9])', '[\\pL\\pN]+-'),
);
const condition: fc.Arbitrary<FieldCondition> = fc
  .tuple(path, fc.integer({ min: 0, max: 9 }), pattern, fc.nat(1_000))
  .map(([at, kind, source, n]) => {
    const field = `parameters.${at}`;
    if (kind < 3) return { field, op: 'matches', value: source };
    if (kind < 5) return { field, op: 'contains', value: `${'a'.repeat(n)}b` };
    if (kind === 5) return { field, op: 'contains', value: n + 1 };
    if (kind === 6) return { field, op: 'cidr', value: times(50, (k) => `10.${k}.0.0/16`) };
    if (kind === 7) return { field, op: 'in', value: times(100, (k) => `v${n}-${k}`) };
    return { field, op: 'eq', value: n + 1 };
  });
const rule = fc.tuple(fc.array(condition, { minLength: 1, maxLength: 4 }), fc.constantFrom(null, 'x', 'y'));
const sets = fc.array(fc.array(rule, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 8 });

const getSource = (rules: readonly (readonly [FieldCondition[], string | null])[], n: number): PolicySource => ({
  policy_id: `pol_${n}`,
  policy_name: `p${n}`,
  version_id: `pvr_${n}`,
  version_number: 1,
  binding: { scope: n % 2 === 0 ? 'ORGANIZATION' : 'ENVIRONMENT', id: 'x' },
  body: {
    rules: rules.map(([conditions, tool], index): PolicyRule => {
      const about: FieldCondition[] = tool === null ? [] : [{ field: 'tool.name', op: 'eq', value: tool }];
      return { id: `r${index}`, effect: 'BLOCK', reason: 'x', when: { all: [...about, { any: conditions }] } };
    }),
    tests: [],
  },
});

const getBound = (sources: readonly PolicySource[]): number => {
  const tally = newWorkTally();
  for (const source of sources) tally.add(source);
  return WORK_OF_REQUEST + tally.bound().work;
};

/** Returns the set without what makes it more expensive than is accepted. */
const accepted = (sources: readonly PolicySource[]): PolicySource[] => {
  const kept: PolicySource[] = [];
  for (const source of sources) {
    if (validateVersion(source.body).ok && getBound([...kept, source]) <= decision_work_max) kept.push(source);
  }
  return kept;
};

type When = NonNullable<PolicyRule['when']>;

describe('decides in bounded time', () => {
  test('decides every accepted request within its work budget, and within 20 ms of processor time, for every accepted set of policies', (t) => {
    let most = 0;
    let dearest = 0;
    fc.assert(
      fc.property(sets, fc.constantFrom(...REQUESTS), fc.constantFrom('x', 'y'), (asked, parameters, name) => {
        const sources = accepted(asked.map(getSource));
        const set = compileSet(sources.map(compileVersion));
        const context: PolicyContext = {
          tool: { name, capability: 'c' },
          capability: 'c',
          agent: { id: 'a' },
          parameters: parameters ?? {},
        };
        const took = times(3, () => {
          const before = process.threadCpuUsage();
          evaluate(set, context);
          const { user, system } = process.threadCpuUsage(before);
          return (user + system) / 1_000;
        });
        most = Math.max(most, Math.min(...took));
        dearest = Math.max(dearest, getBound(sources));
      }),
      { numRuns: RUNS, seed: 22 },
    );
    t.diagnostic(
      `${RUNS} sets and requests: at most ${most.toFixed(1)} ms of processor, the dearest set at ${Math.round((dearest * 100) / decision_work_max)} % of the work`,
    );
    assert.ok(dearest > decision_work_max / 2, 'the sets come near to what is accepted');
    assert.ok(most <= DECIDED_WITHIN_MS * BUSY_FACTOR, `${most} ms`);
  });

  test('ends without a decision soon after the work budget is spent', () => {
    const rules = times(20, (n): readonly [FieldCondition[], null] => [
      times(4, (k) => ({ field: 'parameters.l.*', op: 'matches', value: `a[ab]{${40 + n * 4 + k}}[^ab]` })),
      null,
    ]);
    const set = compileSet([compileVersion(getSource(rules, 0))]);
    const context = { parameters: { l: times(7, (n) => letters(matched_text_length_max, n)) } };
    const took = times(3, () => {
      const start = process.threadCpuUsage();
      assert.throws(() => judge(set, context), OutOfWork);
      const { user, system } = process.threadCpuUsage(start);
      return (user + system) / 1_000;
    });
    assert.ok(Math.min(...took) < DECIDED_WITHIN_MS * BUSY_FACTOR, `${took.join(', ')} ms`);
  });

  test('counts the sum over all policies, and names the heaviest conditions', () => {
    const heavy = (n: number) => getSource([[[{ field: 'parameters.t', op: 'matches', value: `a[ab]{150}[^ab]{${n}}` }], null]], n);
    const sources = times(20, (n) => heavy(n + 1));
    for (const source of sources) assert.ok(getBound([source]) < decision_work_max);
    const tally = newWorkTally();
    for (const source of sources) tally.add(source);
    const { work, heaviest } = tally.bound();
    assert.ok(work > decision_work_max);
    assert.equal(heaviest[0]?.pointer, '/rules/0/when/all/0/any/0');
    assert.equal(heaviest.length, 5);
  });

  const blocking = (when: When, n: number): PolicySource => {
    const source = getSource([], n);
    return { ...source, body: { rules: [{ id: 'r', effect: 'BLOCK', reason: 'x', when }], tests: [] } };
  };
  /** Returns as many policies as are accepted together, each with one rule. */
  const filled = (when: (n: number) => When, most: number): PolicySource[] => {
    const tally = newWorkTally();
    const kept: PolicySource[] = [];
    for (let n = 0; kept.length < most; n += 1) {
      const source = blocking(when(n), n);
      assert.deepEqual(validateVersion(source.body).ok, true);
      tally.add(source);
      if (WORK_OF_REQUEST + tally.bound().work > decision_work_max) break;
      kept.push(source);
    }
    return kept;
  };
  const ofElement = (field: string, op: FieldCondition['op'], value: FieldCondition['value']): When => ({
    any_element: { of: 'parameters.l.*', meets: { field: `parameters.l.*${field}`, op, value: value as string } },
  });
  const HOSTILE: readonly (readonly [string, (n: number) => When, PolicyContext['parameters']])[] = [
    ['a list where a text is searched', (n) => ({ field: 'parameters.l', op: 'contains', value: `b${n}` }), { l: fill(0) }],
    [
      'as many texts at their greatest length as there are paths',
      (n) => ({ field: `parameters.p${n % 7}`, op: 'matches', value: `a[ab]{150}[^ab]{${1 + Math.floor(n / 7)}}` }),
      Object.fromEntries(times(7, (n) => [`p${n}`, letters(matched_text_length_max, n)])),
    ],
    ['one list in a list, looked at again for the trace', (n) => ofElement('.*', 'eq', n), { l: [fill(0)] }],
    [
      'texts too short to be kept, searched for one pattern',
      () => ofElement('', 'matches', 'a[ab]{99}[^ab]'),
      { l: fill('ab'.repeat(15)) },
    ],
    [
      'one text, searched again for the trace',
      (n) => ofElement('.x', 'contains', `${'q'.repeat(1_000)}${n}`),
      { l: [{ x: 'ab'.repeat(32_000) }] },
    ],
  ];

  for (const [shape, when, parameters] of HOSTILE) {
    test(`grants enough work for accepted policies of ${shape}`, () => {
      const set = compileSet(filled(when, 400).map(compileVersion));
      assert.doesNotThrow(() => judge(set, { parameters: parameters ?? {} }));
    });
  }

  test('decides in time, however often a trace shows a list of long texts or a value under a long name', () => {
    const told = [
      [filled(() => ({ field: 'parameters.l', op: 'eq', value: 1 }), 3_000), { l: times(10, (n) => `4 4-${n}`.padEnd(400, '4 4-')) }],
      [filled(() => ({ field: 'parameters.**', op: 'eq', value: 1 }), 3_000), { ['k'.repeat(60_000)]: times(10, () => 0) }],
    ] as const;
    for (const [sources, parameters] of told) {
      const set = compileSet(sources.map(compileVersion));
      const took = times(3, () => {
        const before = process.threadCpuUsage();
        evaluate(set, { parameters });
        const { user, system } = process.threadCpuUsage(before);
        return (user + system) / 1_000;
      });
      assert.ok(Math.min(...took) <= DECIDED_WITHIN_MS * BUSY_FACTOR, `${took.join(', ')} ms`);
    }
  });

  test('keeps the shown values short, however many conditions read a long value', () => {
    const sources = filled(() => ({ field: 'parameters.l', op: 'eq', value: 1 }), 3_000);
    const set = compileSet(sources.map(compileVersion));
    const { matched_rules } = evaluate(set, { parameters: { l: times(10, (n) => `${n} `.repeat(200)) } });
    const told = matched_rules.flatMap(({ conditions }) => conditions.map(({ actual }) => actual));
    assert.equal(told.length, sources.length);
    assert.ok(JSON.stringify(told).length < 300_000);
    assert.equal(told.at(-1), '[not shown]');
    assert.notDeepEqual(told[0], '[not shown]');
  });

  test('accepts masking rules only as far as masking and tracing finish in time', () => {
    const masking = (n: number): PolicySource => {
      const rules = times(
        20,
        (k): PolicyRule => ({ id: `m${k}`, effect: 'MASK', reason: 'x', mask: { parameters: times(50, (p) => `m${n}-${k}-${p}`) } }),
      );
      return { ...getSource([], n), body: { rules, tests: [] } };
    };
    const sources = times(20, masking);
    assert.ok(getBound(sources) > decision_work_max);
    const few = sources.slice(0, 5);
    assert.ok(getBound(few) <= decision_work_max);
    const parameters = Object.fromEntries(
      few.flatMap(({ body }) => body.rules.flatMap(({ mask }) => mask?.parameters ?? [])).map((name) => [name, 1]),
    );
    const { mask } = evaluate(compileSet(few.map(compileVersion)), { parameters }).obligations;
    const took = times(3, () => {
      const before = process.threadCpuUsage();
      assert.ok(Object.values<unknown>(maskPaths(parameters, mask?.parameters ?? [])).every((value) => value === MASKED));
      for (let n = 0; n < 3_000; n += 1) assert.ok(!pathsMeet(`other-${n}`, mask?.parameters ?? []));
      const { user, system } = process.threadCpuUsage(before);
      return (user + system) / 1_000;
    });
    assert.ok(Math.min(...took) < DECIDED_WITHIN_MS * BUSY_FACTOR, `${took.join(', ')} ms`);
  });

  test('searches the same pattern in the same text once, however many policies use it', () => {
    const same = (n: number) => getSource([[[{ field: 'parameters.t', op: 'matches', value: 'a[ab]{150}[^ab]' }], null]], n);
    assert.ok(getBound(times(20, same)) < decision_work_max);
    const set = compileSet(times(20, same).map(compileVersion));
    assert.equal(evaluate(set, { parameters: { t: letters(matched_text_length_max, 1) } }).effect, 'BLOCK');
  });

  test('costs nothing for requests of another tool', () => {
    const forTool = (n: number) => getSource([[[{ field: 'parameters.l.*', op: 'matches', value: 'a[ab]{20}[^ab]' }], `tool-${n}`]], n);
    assert.ok(getBound(times(200, forTool)) < decision_work_max);
  });
});
