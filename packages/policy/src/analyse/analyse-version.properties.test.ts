import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FieldCondition, OperatorName, PolicyCondition, PolicyRule } from '@svc/contract/policies/language.ts';
import type { PolicyWarning } from '@svc/contract/policies/warnings.ts';
import { countRepetitions, getSeed } from '@svc/testing/length/test-length.ts';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { findField } from '../language/find-field.ts';
import { readGiven } from '../language/read-given.ts';
import { validateVersion } from '../validate/validate-version.ts';
import { analyseVersion } from './analyse-version.ts';
import type { AnalysedTool } from './analysed-tool.ts';
import { type ExampleInput, openEngine } from './example-request.ts';

/* Rules over few words and numbers, so that they often contradict, cover and meet each other, and every request over the same few. */

const one = <T>(...values: T[]) => fc.constantFrom(...values);
const ops = (...names: OperatorName[]) => fc.constantFrom(...names);
const list = <T>(element: fc.Arbitrary<T>) => fc.uniqueArray(element, { minLength: 1, maxLength: 3 });
const pair = <T extends string | number>(bound: fc.Arbitrary<T>) =>
  fc.tuple(bound, bound).map((two): T[] => two.toSorted((a, b) => (a < b ? -1 : 1)));

const WORDS = ['a', 'ab', 'b', 'bab', 'ba', 'zz'];
const NUMBERS = [0, 1, 2, 3, 5];
const FRACTIONS = [-1, 0, 0.5, 1, 1.5, 2];
const CLOCKS = ['00:00', '05:59', '06:00', '12:00', '21:59', '22:00', '23:59'];
const DAYS = ['2026-02-28', '2026-03-01', '2026-03-02'];
const ADDRESSES = ['10.0.0.0', '10.1.2.3', '10.255.255.255', '11.0.0.0', '203.0.113.7', '2001:db8::1'];
const WEEKDAYS = ['MON', 'SAT', 'SUN'];

const word = one(...WORDS.slice(0, 4));
const number = one(1, 2, 3);
const scalar = fc.oneof(word, number, fc.boolean());
const network = one('10.0.0.0/8', '10.1.0.0/16', '0.0.0.0/0', '203.0.113.7/32', '2001:db8::/32');
const hours = one('22:00-06:00', '06:00-22:00', '00:00-24:00', '21:59-22:00');

const plain: fc.Arbitrary<FieldCondition> = fc.oneof(
  fc.record({ field: one('tool.name'), op: ops('eq', 'neq', 'starts_with', 'ends_with', 'contains', 'not_contains'), value: word }),
  fc.record({ field: one('tool.name'), op: ops('in', 'not_in'), value: list(word) }),
  fc.record({ field: one('amount'), op: ops('eq', 'neq', 'gt', 'gte', 'lt', 'lte'), value: number }),
  fc.record({ field: one('amount'), op: ops('between'), value: pair(number) }),
  fc.record({ field: one('amount', 'parameters.x'), op: ops('exists', 'not_exists') }),
  fc.record({ field: one('tool.dangerous'), op: ops('is_true', 'is_false') }),
  fc.record({ field: one('agent.capabilities'), op: ops('contains', 'not_contains'), value: word }),
  fc.record({ field: one('parameters.x'), op: ops('eq', 'neq', 'contains', 'not_contains'), value: scalar }),
  fc.record({ field: one('parameters.x'), op: ops('in', 'not_in'), value: list(scalar) }),
  fc.record({ field: one('parameters.x'), op: ops('gt', 'lt', 'gte', 'lte'), value: one(0, 0.5, 1) }),
  fc.record({ field: one('parameters.x'), op: ops('between'), value: pair(one(0, 0.5, 1)) }),
  fc.record({ field: one('parameters.x'), op: ops('starts_with', 'ends_with'), value: word }),
  fc.record({ field: one('time.clock'), op: ops('within_hours'), value: hours }),
  fc.record({ field: one('time.weekday'), op: ops('on_weekdays', 'in', 'not_in'), value: list(one(...WEEKDAYS)) }),
  fc.record({ field: one('time.date'), op: ops('eq', 'gt', 'lte'), value: one(...DAYS) }),
  fc.record({ field: one('request.source_ip'), op: ops('cidr'), value: fc.oneof(network, list(network)) }),
);
const opaque: fc.Arbitrary<FieldCondition> = fc.oneof(
  fc.record({ field: one('tool.name', 'parameters.x'), op: ops('matches'), value: one('^a', 'b$', '^(a|b)+$') }),
  fc.record({ field: one('parameters.x'), op: ops('cidr'), value: network }),
  fc.record({
    field: one('parameters.l.*'),
    op: ops('eq', 'neq', 'contains'),
    value: scalar,
    quantifier: one<'any' | 'all'>('any', 'all'),
  }),
);

const getRule = (condition: fc.Arbitrary<FieldCondition>, effects: readonly PolicyRule['effect'][]): fc.Arbitrary<PolicyRule> => {
  const { nested } = fc.letrec<{ nested: PolicyCondition }>((tie) => ({
    nested: fc.oneof(
      { maxDepth: 3, depthIdentifier: 'analysed' },
      { weight: 2, arbitrary: condition },
      { weight: 3, arbitrary: fc.record({ all: fc.array(tie('nested'), { minLength: 2, maxLength: 4 }) }) },
      { weight: 1, arbitrary: fc.record({ any: fc.array(tie('nested'), { minLength: 1, maxLength: 3 }) }) },
      { weight: 1, arbitrary: fc.record({ not: tie('nested') }) },
    ),
  }));
  return fc.record({ when: nested, effect: one(...effects), missing: fc.boolean() }).map(({ when, effect, missing }) => ({
    id: 'r',
    reason: 'r',
    effect,
    when,
    ...(missing && effect !== 'ALLOW' ? { if_missing: 'match' as const } : {}),
  }));
};

const POOL: Readonly<Record<string, readonly unknown[]>> = {
  'tool.name': WORDS,
  amount: [undefined, ...NUMBERS],
  'tool.dangerous': [true, false],
  'agent.capabilities': [[], ['a'], ['a', 'ab'], ['b', 'bab', 'zz']],
  'parameters.x': [
    undefined,
    null,
    ...WORDS,
    ...FRACTIONS,
    true,
    false,
    {},
    [],
    ['a'],
    ['a', 1],
    [true, 'ab'],
    [{}],
    '10.1.2.3',
    `a${'b'.repeat(9000)}`,
  ],
  'parameters.l': [undefined, 'a', [], ['a'], ['a', 'b'], [1, 'a'], [[], 2], [['a']], { k: 'b' }],
  'time.clock': CLOCKS,
  'time.weekday': WEEKDAYS,
  'time.date': DAYS,
  'request.source_ip': ADDRESSES,
};

const findFields = (condition: PolicyCondition | undefined): string[] => {
  if (condition === undefined) return [];
  if ('all' in condition) return condition.all.flatMap(findFields);
  if ('any' in condition) return condition.any.flatMap(findFields);
  if ('any_element' in condition) return findFields(condition.any_element.meets);
  return 'not' in condition ? findFields(condition.not) : [condition.field.replace('.*', '')];
};

/** Returns true if a date has this weekday. */
const isDayOf = (date: unknown, weekday: unknown): boolean =>
  date === undefined || weekday === undefined || weekday === new Date(`${date}T00:00:00Z`).toUTCString().slice(0, 3).toUpperCase();

/** Returns all requests over the pool in the fields that the rules read; a sample if there are too many. */
const requestsFor = (rules: readonly PolicyRule[], pick: () => number): ExampleInput[] => {
  const fields = [...new Set(rules.flatMap(({ when }) => findFields(when as PolicyCondition)))];
  const all = fields.reduce<[string, unknown][][]>(
    (before, field) => {
      const more = before.flatMap((request) => (POOL[field] ?? []).map((value): [string, unknown][] => [...request, [field, value]]));
      return more.length <= 1200 ? more : more.filter(() => pick() % Math.ceil(more.length / 1200) === 0);
    },
    [[]],
  );
  const requests = all.map((entries): ExampleInput => Object.fromEntries(entries.filter(([, value]) => value !== undefined)));
  return requests.filter((given) => isDayOf(given['time.date'], given['time.weekday']));
};

const engine = openEngine();
const numbered = (rules: readonly PolicyRule[]): PolicyRule[] => rules.map((rule, index) => ({ ...rule, id: `r${index}` }));

const isStricter = (effect: PolicyRule['effect'], than: PolicyRule['effect']): boolean =>
  (effect === 'BLOCK' && than !== 'BLOCK') || (effect === 'REQUIRE_APPROVAL' && than === 'ALLOW');

const check = (warning: PolicyWarning, rules: readonly PolicyRule[], requests: readonly ExampleInput[]): void => {
  const rule = rules.find(({ id }) => id === warning.rule_id);
  const other = rules.find(({ id }) => id === warning.other_rule_id);
  assert.ok(rule !== undefined);
  if (warning.kind === 'never_matches')
    for (const request of requests) assert.notEqual(engine(rule, request), 'matched', JSON.stringify(request));
  if (warning.kind === 'shadowed') {
    const stricter = other === undefined ? rules.filter(({ effect }) => isStricter(effect, rule.effect)) : [other];
    for (const request of requests)
      if (engine(rule, request) === 'matched')
        assert.ok(
          stricter.some((one) => engine(one, request) === 'matched'),
          JSON.stringify(request),
        );
  }
  if (warning.kind === 'overlap') {
    assert.ok(other !== undefined && warning.example !== undefined && readGiven(warning.example).ok);
    for (const one of [rule, other]) assert.equal(engine(one, warning.example), 'matched');
  }
};

const EFFECTS = ['ALLOW', 'REQUIRE_APPROVAL', 'BLOCK'] as const;

test('warns correctly about rules, tried on every request over a few values', () => {
  const told: Record<string, number> = { never_matches: 0, shadowed: 0, overlap: 0 };
  const condition = fc.oneof({ weight: 5, arbitrary: plain }, { weight: 1, arbitrary: opaque });
  fc.assert(
    fc.property(fc.array(getRule(condition, EFFECTS), { minLength: 1, maxLength: 3 }), fc.infiniteStream(fc.nat()), (list, stream) => {
      const rules = numbered(list);
      assert.ok(validateVersion({ rules }).ok);
      const { warnings } = analyseVersion({ rules, tests: [] }, []);
      for (const warning of warnings) {
        told[warning.kind] = (told[warning.kind] ?? 0) + 1;
        const isAbout = ({ id }: PolicyRule) => id === warning.rule_id || id === warning.other_rule_id;
        const about = warning.kind === 'shadowed' && warning.other_rule_id === undefined ? rules : rules.filter(isAbout);
        check(
          warning,
          rules,
          requestsFor(about, () => stream.next().value),
        );
      }
    }),
    { numRuns: countRepetitions({ short: 250, long: 500 }), seed: getSeed(7) },
  );
  for (const [kind, times] of Object.entries(told))
    assert.ok(times > countRepetitions({ short: 0, long: 5 }), `${kind} is told often, here ${times} times`);
});

test('reports a rule as never matching or finds a request that it matches, if conditions are exactly decidable', () => {
  let never = 0;
  fc.assert(
    fc.property(getRule(plain, ['ALLOW']), fc.infiniteStream(fc.nat()), (rule, stream) => {
      // A date determines its weekday, which the search does not know.
      fc.pre(!JSON.stringify(rule).includes('time.weekday'));
      const rules = [
        { ...rule, id: 'r0' },
        { id: 'all', effect: 'BLOCK' as const, reason: 'r', when: { field: 'parameters.z', op: 'exists' as const } },
      ];
      const { warnings, complete } = analyseVersion({ rules, tests: [] }, []);
      assert.equal(complete, true);
      // Without a warning, the other rule is an exception to this one, which then matches every request.
      if (warnings.length === 0) {
        for (const request of requestsFor([rule], () => stream.next().value)) assert.equal(engine(rule, request), 'matched');
        return;
      }
      assert.equal(warnings.length, 1, JSON.stringify(warnings));
      if (warnings[0]?.kind === 'never_matches') never += 1;
      else assert.equal(warnings[0]?.kind, 'overlap');
    }),
    { numRuns: countRepetitions({ short: 200, long: 1_000 }), seed: getSeed(7) },
  );
  assert.ok(never > countRepetitions({ short: 10, long: 50 }), `rules that never match are met often, here ${never} times`);
});

const leaf = one<unknown>(
  {},
  { type: 'string' },
  { type: ['string', 'null'] },
  { type: 'number' },
  { type: 'integer', minimum: 1 },
  { enum: ['a', 'b'] },
  { type: 'array' },
  false,
);
const getObject = (members: fc.Arbitrary<unknown>) =>
  fc
    .record({
      properties: fc.record({ x: members, y: members }, { requiredKeys: [] }),
      required: fc.subarray(['x', 'y']),
      closed: fc.boolean(),
    })
    .map(({ properties, required, closed }) => {
      // A required member that is forbidden would exclude every request.
      const possible = required.filter((key) => properties[key as 'x'] !== false && (!closed || Object.hasOwn(properties, key)));
      return { type: 'object', properties, required: possible, ...(closed ? { additionalProperties: false } : {}) };
    });
const schemas = getObject(fc.oneof(leaf, getObject(leaf)));

const asked = one<string | number>('a', 1);
const onParameters: fc.Arbitrary<FieldCondition> = fc.oneof(
  fc.record({ field: one('parameters.x', 'parameters.y', 'parameters.x.y'), op: ops('eq', 'neq'), value: asked }),
  fc.record({ field: one('parameters.x', 'parameters.y'), op: ops('contains'), value: asked }),
  fc.record({ field: one('parameters.x', 'parameters.y', 'parameters.x.x'), op: ops('gt', 'lt'), value: one(1) }),
  fc.record({ field: one('parameters.x', 'parameters.y'), op: ops('exists', 'not_exists') }),
  fc.record({ field: one('tool.name'), op: ops('eq', 'neq'), value: one('a', 'b') }),
);
/** Enough values to cover anything that the analysis may mean. */
const VALUES = ['a', 'text', 0, 1, 2, true, null, [], ['a'], [1], ['a', 1], {}];
const ABSENT = Symbol('absent');
const objects = (values: readonly unknown[]): Record<string, unknown>[] =>
  values.flatMap((x) => values.map((y) => ({ ...(x === ABSENT ? {} : { x }), ...(y === ABSENT ? {} : { y }) })));
const PARAMETERS = objects([...VALUES, ABSENT, ...objects(['a', 'text', 0, 1, 2, true, null, [], ABSENT])]);

const valueAt = (parameters: unknown, field: string): unknown => {
  const found = findField(field);
  assert.ok(!('fault' in found));
  return found.segments.reduce<unknown>(
    (value, { key }) =>
      typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>)[key] : undefined,
    parameters,
  );
};

test('warns correctly about tools, tried on every request that fits the parameters of the tool', () => {
  const told: Record<string, number> = { no_tool: 0, unknown_parameter: 0, missing_field: 0, mistyped_field: 0 };
  const ajv = new Ajv2020({ strict: false, validateSchema: false });
  fc.assert(
    fc.property(getRule(onParameters, ['BLOCK']), schemas, (rule, parameters_schema) => {
      const tool: AnalysedTool = {
        name: 'a',
        required_capability: 'a',
        kind: 'SDK',
        risk_rating: 'LOW',
        dangerous: false,
        parameters_schema,
        amount_from: null,
        currency_from: null,
        destination_from: null,
        execution: null,
      };
      const { warnings } = analyseVersion({ rules: [rule], tests: [] }, [tool]);
      if (warnings.length === 0) return;
      const fits = ajv.compile(parameters_schema);
      const requests = PARAMETERS.filter((parameters) => fits(parameters)).map((parameters) => ({
        parameters,
        outcome: engine(rule, { 'tool.name': 'a', parameters }),
      }));
      fc.pre(requests.length > 0);
      for (const { kind, pointer } of warnings) {
        told[kind] = (told[kind] ?? 0) + 1;
        if (kind === 'no_tool' || kind === 'unknown_parameter')
          for (const { outcome, parameters } of requests) assert.notEqual(outcome, 'matched', JSON.stringify(parameters));
        if (kind !== 'missing_field' && kind !== 'mistyped_field') continue;
        const field = (
          pointer
            .split('/')
            .slice(2)
            .reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], { rules: [rule], 0: rule }) as FieldCondition
        ).field;
        const unknown = requests.filter(({ outcome }) => outcome === 'unknown').map(({ parameters }) => valueAt(parameters, field));
        assert.ok(
          unknown.some((value) => (value === undefined || value === null) === (kind === 'missing_field')),
          JSON.stringify({ kind, field, rule, parameters_schema }),
        );
      }
    }),
    { numRuns: countRepetitions({ short: 500, long: 1_500 }), seed: getSeed(7) },
  );
  for (const [kind, times] of Object.entries(told))
    assert.ok(times > countRepetitions({ short: 0, long: 5 }), `${kind} is told often, here ${times} times`);
});
