import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FieldCondition, OperatorName, PolicyCondition, PolicyRule } from '@svc/contract/policies/language.ts';
import { EFFECTS, POLICY_SCOPES } from '@svc/contract/tables/vocabulary.ts';
import { countRepetitions, getSeed } from '@svc/testing/length/test-length.ts';
import fc from 'fast-check';
import type { PolicyContext } from '../evaluation/policy-context.ts';
import { validateVersion } from '../validate/validate-version.ts';
import { compileSet } from './compile-set.ts';
import { type CompiledVersion, compileVersion, type PolicySource } from './compile-version.ts';
import { evaluate, NO_RULE_REASON } from './evaluate.ts';
import { obligationsAlone } from './obligations-alone.ts';

/*
 * A second implementation of the language, directly from the rules and by other means than the engine's: strings, recursion, no index, no
 * tables.
 */

type Truth = 'true' | 'false' | 'unknown';
const negate: Record<Truth, Truth> = { true: 'false', false: 'true', unknown: 'unknown' };
const some = (truths: Truth[]): Truth => (truths.includes('true') ? 'true' : truths.includes('unknown') ? 'unknown' : 'false');
const every = (truths: Truth[]): Truth => negate[some(truths.map((truth) => negate[truth]))];
const truth = (value: boolean): Truth => (value ? 'true' : 'false');

const lookUp = (value: unknown, keys: string[]): unknown[] => {
  const [key, ...rest] = keys;
  if (key === undefined) return [value];
  if (typeof value !== 'object' || value === null) return [undefined];
  if (key === '*') return Object.values(value).flatMap((member) => lookUp(member, rest));
  const own = Object.entries(value).find(([name]) => name === key);
  return lookUp(own?.[1], rest);
};

const TYPES: Record<string, string> = {
  amount: 'whole',
  'time.hour': 'whole',
  'tool.dangerous': 'boolean',
  'agent.capabilities': 'list',
};

/**
 * Returns an address as 32 or 128 bits in text, IPv4 mapped into IPv6 as IPv4; null if it is none. Supports only what the arbitraries below
 * generate.
 */
const getBits = (address: string): string | null => {
  const dotted = /^(?:::ffff:)?(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address);
  if (dotted)
    return dotted
      .slice(1)
      .map((part) => Number(part).toString(2).padStart(8, '0'))
      .join('');
  const short = /^2001:db8::([0-9a-f]{0,4})$/i.exec(address);
  if (!short) return null;
  const groups = ['2001', '0db8', '0', '0', '0', '0', '0', short[1] || '0'];
  return groups.map((group) => Number.parseInt(group, 16).toString(2).padStart(16, '0')).join('');
};

const liesIn = (address: string, network: string): boolean => {
  const [base = '', length] = network.split('/');
  const bits = getBits(address) ?? '';
  const fixed = getBits(base) ?? '';
  return bits.length === fixed.length && bits.startsWith(fixed.slice(0, Number(length)));
};

/** Returns the hours of a span, counted one by one around the clock. */
const listHours = (span: string): number[] => {
  const [from = 0, to = 0] = span.split('-').map((time) => Number(time.split(':')[0]));
  const hours: number[] = [];
  for (let hour = from; hour !== to % 24; hour = (hour + 1) % 24) hours.push(hour);
  return hours;
};

const fitsType = (field: string, value: unknown): boolean => {
  if (field.startsWith('parameters.')) return true;
  const type = TYPES[field] ?? 'string';
  if (type === 'whole') return Number.isSafeInteger(value);
  if (type === 'list') return Array.isArray(value) && value.every((element) => typeof element === 'string');
  return typeof value === type && (field !== 'time.date' || !Number.isNaN(Date.parse(String(value))));
};

const compare = (op: FieldCondition['op'], field: string, expected: unknown, value: unknown): Truth => {
  const absent = value === undefined || value === null;
  if (op === 'exists') return truth(!absent);
  if (op === 'not_exists') return truth(absent);
  if (absent || !fitsType(field, value)) return 'unknown';
  if (op === 'neq') return negate[compare('eq', field, expected, value)];
  if (op === 'not_in') return negate[compare('in', field, expected, value)];
  if (op === 'eq') return typeof value === typeof expected ? truth(value === expected) : 'unknown';
  if (op === 'in') {
    const alike = (expected as unknown[]).filter((one) => typeof one === typeof value);
    return alike.length === 0 ? 'unknown' : truth(alike.includes(value));
  }
  if (op === 'contains') {
    if (Array.isArray(value)) return some(value.map((element) => compare('eq', 'parameters.', expected, element)));
    return typeof value === 'string' && typeof expected === 'string' ? truth(value.split(expected).length > 1) : 'unknown';
  }
  if (op === 'not_contains') return negate[compare('contains', field, expected, value)];
  if (op === 'is_true') return compare('eq', field, true, value);
  if (op === 'is_false') return compare('eq', field, false, value);
  if (op === 'on_weekdays') return compare('in', field, expected, value);
  if (op === 'within_hours') return truth(listHours(String(expected)).includes(Number(value)));
  if (op === 'ends_with') return typeof value === 'string' ? truth(value.slice(-String(expected).length) === expected) : 'unknown';
  if (op === 'matches') return typeof value === 'string' ? truth(new RegExp(String(expected), 'u').test(value)) : 'unknown';
  if (op === 'cidr') {
    if (typeof value !== 'string' || getBits(value) === null) return 'unknown';
    return truth([expected].flat().some((network) => liesIn(value, String(network))));
  }
  if (op === 'between') {
    const [low, high] = expected as [unknown, unknown];
    return every([compare('gte', field, low, value), compare('lte', field, high, value)]);
  }
  if (op === 'starts_with') return typeof value === 'string' ? truth(value.slice(0, String(expected).length) === expected) : 'unknown';
  if (typeof value !== typeof expected) return 'unknown';
  const difference = typeof value === 'number' ? value - (expected as number) : Date.parse(String(value)) - Date.parse(String(expected));
  return truth(op === 'gt' ? difference > 0 : op === 'gte' ? difference >= 0 : op === 'lt' ? difference < 0 : difference <= 0);
};

/** `of` is the number of steps of each path that lead to the element used as context. */
const interpret = (condition: PolicyCondition | undefined | object, context: unknown, of = 0): Truth => {
  if (condition === undefined || Object.keys(condition).length === 0) return 'true';
  const part = condition as PolicyCondition;
  if ('all' in part) return every(part.all.map((one) => interpret(one, context, of)));
  if ('any' in part) return some(part.any.map((one) => interpret(one, context, of)));
  if ('not' in part) return negate[interpret(part.not, context, of)];
  if ('any_element' in part) {
    const steps = part.any_element.of.split('.');
    return some(lookUp(context, steps).map((element) => interpret(part.any_element.meets, element, steps.length)));
  }
  const truths = lookUp(context, part.field.split('.').slice(of)).map((value) => compare(part.op, part.field, part.value, value));
  return part.quantifier === 'all' ? every(truths) : some(truths);
};

const NARROWEST = ['AGENT', 'ENVIRONMENT', 'WORKSPACE', 'ORGANIZATION'];

const decideDirectly = (sources: readonly PolicySource[], context: PolicyContext) => {
  const applying = sources
    .filter(({ binding }) => binding.scope !== 'AGENT' || binding.id === context.agent?.id)
    .toSorted((a, b) => NARROWEST.indexOf(a.binding.scope) - NARROWEST.indexOf(b.binding.scope) || (a.policy_id < b.policy_id ? -1 : 1));
  const judged = applying.flatMap(({ policy_id, body }) =>
    body.rules.map((rule) => {
      const found = interpret(rule.when, context);
      const matched = found === 'true' || (found === 'unknown' && rule.if_missing === 'match');
      return {
        key: `${policy_id}/${rule.id}`,
        effect: rule.effect,
        reason: rule.reason,
        outcome: matched ? 'matched' : found === 'false' ? 'not_matched' : 'unknown',
      };
    }),
  );
  const matching = judged.filter(({ outcome }) => outcome === 'matched');
  const strictest = EFFECTS.toReversed()
    .map((effect) => matching.find((rule) => rule.effect === effect))
    .find((rule) => rule !== undefined);
  const isPermitted = matching.some(({ effect }) => effect === 'ALLOW' || effect === 'REQUIRE_APPROVAL');
  const winner = isPermitted || strictest?.effect === 'BLOCK' ? strictest : undefined;
  return { judged, winner };
};

/* Policies and requests over few words and numbers, so that they often meet. */

const word = fc.constantFrom('a', 'b', 'ab', 'refund.create');
const number = fc.constantFrom(0, 1, 2, 50_000);
const scalar = fc.oneof(word, number, fc.boolean());
const listOf = <T>(element: fc.Arbitrary<T>) => fc.array(element, { minLength: 1, maxLength: 3 });
const one = <T>(...values: T[]) => fc.constantFrom(...values);

const ops = (...names: OperatorName[]) => fc.constantFrom(...names);
const texts = one('tool.name', 'tool.capability', 'capability', 'agent.id', 'agent.name', 'principal.id', 'agent.labels.team');
const plainPath = one('parameters.x', 'parameters.items.0', 'parameters.items.0.sku', 'parameters.constructor');
const starPath = one('parameters.items.*', 'parameters.items.*.sku', 'parameters.*');
const quantifier = one<'any' | 'all'>('any', 'all');

const pattern = one('a', '^a', 'b$', '^[a-z]+$', '^a?b?$', '\\.');
const network = one('10.0.0.0/8', '10.1.0.0/16', '203.0.113.7/32', '0.0.0.0/0', '2001:db8::/112', '2001:db8::1/128');
const address = one('10.1.2.3', '10.2.0.1', '203.0.113.7', '::ffff:10.1.2.3', '2001:db8::1', '2001:DB8::ff', 'b');
const weekday = one('MON', 'SAT', 'SUN');
const day = one('2025-12-31', '2026-01-01', '2026-02-28', '2026-03-01');
const range = <T extends string | number>(bound: fc.Arbitrary<T>) =>
  fc.tuple(bound, bound).map((pair): T[] => pair.toSorted((a, b) => (a < b ? -1 : 1)));

const condition: fc.Arbitrary<FieldCondition> = fc.oneof(
  fc.record({ field: texts, op: ops('eq', 'neq', 'starts_with', 'contains'), value: word }),
  fc.record({ field: texts, op: ops('in', 'not_in'), value: listOf(word) }),
  { weight: 4, arbitrary: fc.record({ field: texts, op: ops('eq'), value: word }) },
  fc.record({ field: one('amount'), op: ops('eq', 'neq', 'gt', 'gte', 'lt', 'lte'), value: number }),
  fc.record({ field: one('tool.dangerous'), op: ops('eq', 'neq'), value: fc.boolean() }),
  fc.record({ field: one('agent.capabilities'), op: ops('contains'), value: word }),
  fc.record({ field: one('amount', 'tool.name', 'parameters.x', 'agent.labels.team'), op: ops('exists', 'not_exists') }),
  fc.record({ field: plainPath, op: ops('eq', 'neq', 'contains'), value: scalar }),
  fc.record({ field: plainPath, op: ops('in', 'not_in'), value: listOf(scalar) }),
  fc.record({ field: plainPath, op: ops('gt', 'lte'), value: number }),
  fc.record({ field: starPath, op: ops('eq', 'neq', 'contains'), value: scalar, quantifier }),
  fc.record({ field: texts, op: ops('ends_with', 'not_contains'), value: word }),
  fc.record({ field: texts, op: ops('matches'), value: pattern }),
  fc.record({ field: one('amount'), op: ops('between'), value: range(number) }),
  fc.record({ field: one('tool.dangerous', 'parameters.x'), op: ops('is_true', 'is_false') }),
  fc.record({ field: one('agent.capabilities'), op: ops('not_contains'), value: word }),
  fc.record({ field: one('request.source_ip'), op: ops('cidr'), value: fc.oneof(network, listOf(network)) }),
  fc.record({ field: one('time.hour'), op: ops('within_hours'), value: one('22:00-06:00', '06:00-22:00', '00:00-01:00', '23:00-24:00') }),
  fc.record({ field: one('time.weekday'), op: ops('on_weekdays'), value: listOf(weekday) }),
  fc.record({ field: one('time.date'), op: ops('gt', 'gte', 'lt', 'lte', 'eq', 'neq'), value: day }),
  fc.record({ field: one('time.date'), op: ops('between'), value: range(day) }),
  fc.record({ field: plainPath, op: ops('matches'), value: pattern }),
  fc.record({ field: plainPath, op: ops('between'), value: range(number) }),
  fc.record({ field: plainPath, op: ops('not_contains', 'contains'), value: scalar }),
  fc.record({ field: one('parameters.target'), op: ops('cidr'), value: network }),
  fc.record({ field: starPath, op: ops('matches'), value: pattern, quantifier }),
  fc.record({ field: starPath, op: ops('not_contains'), value: scalar, quantifier }),
  fc.record({ field: starPath, op: ops('exists', 'not_exists'), quantifier }),
  fc.record({ field: starPath, op: ops('gte'), value: number }),
);

/** Conditions on one element of a list: on the whole, its members, and the members of these. */
const ofElement = fc.constantFrom('parameters.items.*', 'parameters.*').chain((of) => {
  const name = one(of, `${of}.sku`, `${of}.n`, `${of}.0`);
  const leaf: fc.Arbitrary<PolicyCondition> = fc.oneof(
    fc.record({ field: name, op: ops('eq', 'neq', 'contains', 'not_contains'), value: scalar }),
    fc.record({ field: name, op: ops('in', 'not_in'), value: listOf(scalar) }),
    fc.record({ field: name, op: ops('gt', 'lte'), value: number }),
    fc.record({ field: name, op: ops('exists', 'not_exists') }),
    fc.record({ field: name, op: ops('matches'), value: pattern }),
    fc.record({ field: fc.constant(`${of}.*`), op: ops('eq', 'neq'), value: scalar, quantifier }),
  );
  const { meets } = fc.letrec<{ meets: PolicyCondition }>((tie) => ({
    meets: fc.oneof(
      { maxDepth: 2, depthIdentifier: 'elements' },
      leaf,
      fc.record({ all: fc.array(tie('meets'), { minLength: 1, maxLength: 3 }) }),
      fc.record({ any: fc.array(tie('meets'), { minLength: 1, maxLength: 3 }) }),
      fc.record({ not: tie('meets') }),
    ),
  }));
  return meets.map((whole): PolicyCondition => ({ any_element: { of, meets: whole } }));
});

const { nested } = fc.letrec<{ nested: PolicyCondition }>((tie) => ({
  nested: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'conditions' },
    condition,
    ofElement,
    fc.record({ all: fc.array(tie('nested'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ any: fc.array(tie('nested'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ not: tie('nested') }),
  ),
}));

const demands = { MASK: { mask: { parameters: ['x'] } }, LIMIT: { limit: { max_amount: 5 } } } as Record<string, object>;
const ruleWithout = fc.record({
  effect: one(...EFFECTS),
  when: fc.option(nested, { nil: undefined, freq: 8 }),
  missing: fc.boolean(),
});
const rule = ruleWithout.map(({ effect, when, missing }) => ({
  effect,
  reason: `because ${effect}`,
  ...(when === undefined ? {} : { when }),
  ...(missing && effect !== 'ALLOW' ? { if_missing: 'match' as const } : {}),
  ...demands[effect],
}));
const rules = fc
  .array(rule, { minLength: 1, maxLength: 8 })
  .map((list) => list.map((each, index): PolicyRule => ({ id: `rule-${index}`, ...each })));

const sources = fc.array(fc.record({ rules, scope: one(...POLICY_SCOPES), id: word }), { minLength: 1, maxLength: 4 }).map((list) =>
  list.map(
    ({ rules, scope, id }, index): PolicySource => ({
      policy_id: `pol_${index}`,
      policy_name: `Policy ${index}`,
      version_id: `pvr_${index}`,
      version_number: 1,
      binding: { scope, id },
      body: { rules, tests: [] },
    }),
  ),
);

const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 4 });
/** Mostly a value of the field's type, sometimes one of another type. */
const wrong = (arbitrary: fc.Arbitrary<unknown>) =>
  maybe(fc.oneof({ weight: 8, arbitrary }, { weight: 1, arbitrary: fc.constantFrom<unknown>(null, 7, 'b', [], {}) }));
const element = fc.oneof(scalar, one(null), fc.record({ sku: maybe(scalar), n: maybe(number) }), fc.array(scalar, { maxLength: 2 }));
const request = fc.record({
  principal: maybe(fc.record({ id: wrong(word) })),
  agent: maybe(
    fc.record({
      id: maybe(word),
      name: wrong(word),
      labels: maybe(fc.record({ team: wrong(word) })),
      capabilities: wrong(fc.array(word, { maxLength: 3 })),
    }),
  ),
  tool: maybe(fc.record({ name: wrong(word), capability: wrong(word), dangerous: wrong(fc.boolean()) })),
  capability: wrong(word),
  request: maybe(fc.record({ source_ip: wrong(address) })),
  time: maybe(fc.record({ hour: wrong(one(0, 5, 6, 21, 22, 23)), weekday: wrong(weekday), date: wrong(day) })),
  amount: wrong(number),
  parameters: maybe(fc.record({ x: wrong(scalar), target: wrong(address), items: wrong(fc.array(element, { maxLength: 3 })) })),
});
/** A request as it arrives: missing members are omitted. */
const context = request.map((value): PolicyContext => JSON.parse(JSON.stringify(value)));

const compileAll = (list: readonly PolicySource[]): CompiledVersion[] => list.map(compileVersion);
const getKey = (consulted: { policy_id: string; id: string }): string => `${consulted.policy_id}/${consulted.id}`;
const runs = { numRuns: countRepetitions({ short: 500, long: 3_000 }), seed: getSeed(7) };

test('generates only policies that validation accepts', () => {
  fc.assert(
    fc.property(sources, (list) => {
      for (const { body } of list) assert.deepEqual(validateVersion(body), { ok: true, body });
    }),
    { numRuns: countRepetitions({ short: 80, long: 300 }), seed: getSeed(7) },
  );
});

test('decides like a direct implementation of the rules, rule by rule', () => {
  const met = { matched: 0, not_matched: 0, unknown: 0, skipped: 0, onMissing: 0 };
  fc.assert(
    fc.property(sources, context, (list, request) => {
      const decision = evaluate(compileSet(compileAll(list)), request);
      const { judged, winner } = decideDirectly(list, request);
      assert.equal(decision.effect, winner?.effect ?? 'BLOCK');
      assert.equal(decision.matched_rule === null ? undefined : getKey(decision.matched_rule), winner?.key);
      assert.equal(decision.reason, winner?.reason ?? NO_RULE_REASON);
      const consulted = new Map(decision.matched_rules.map((one) => [getKey(one), one.outcome]));
      for (const { key, outcome } of judged) assert.equal(consulted.get(key) ?? 'not_matched', outcome, key);
      assert.equal(decision.skipped, judged.length - consulted.size);
      met.skipped += decision.skipped;
      for (const rule of decision.matched_rules) {
        met[rule.outcome] += 1;
        if (rule.matched_on_missing) met.onMissing += 1;
      }
    }),
    runs,
  );
  for (const [what, times] of Object.entries(met))
    assert.ok(times > countRepetitions({ short: 10, long: 100 }), `the generated requests meet ${what} rules often, here ${times} times`);
});

test('decides independently of the order in which versions are loaded', () => {
  fc.assert(
    fc.property(sources, context, (list, request) => {
      assert.deepEqual(evaluate(compileSet(compileAll(list.toReversed())), request), evaluate(compileSet(compileAll(list)), request));
    }),
    { numRuns: countRepetitions({ short: 120, long: 500 }), seed: getSeed(7) },
  );
});

test('never decides more weakly with one more BLOCK rule', () => {
  fc.assert(
    fc.property(sources, fc.option(nested, { nil: undefined }), context, (list, when, request) => {
      const strictness = (from: readonly PolicySource[]) => EFFECTS.indexOf(evaluate(compileSet(compileAll(from)), request).effect);
      const [first, ...rest] = list;
      assert.ok(first !== undefined);
      const block: PolicyRule = { id: 'extra', effect: 'BLOCK', reason: 'extra', ...(when === undefined ? {} : { when }) };
      const stricter = { ...first, body: { rules: [block, ...first.body.rules], tests: [] } };
      assert.ok(strictness([stricter, ...rest]) >= strictness(list));
    }),
    runs,
  );
});

test('blocks every request without ALLOW and REQUIRE_APPROVAL rules, for any matching masks and limits', () => {
  let narrowed = 0;
  fc.assert(
    fc.property(sources, context, (list, request) => {
      const rest = list.map((source) => ({
        ...source,
        body: { rules: source.body.rules.filter(({ effect }) => effect !== 'ALLOW' && effect !== 'REQUIRE_APPROVAL'), tests: [] },
      }));
      const decision = evaluate(compileSet(compileAll(rest)), request);
      assert.equal(decision.effect, 'BLOCK');
      if (decision.matched_rule !== null) return assert.equal(decision.matched_rule.effect, 'BLOCK');
      assert.equal(decision.reason, NO_RULE_REASON);
      if (decision.matched_rules.some(({ outcome }) => outcome === 'matched')) narrowed += 1;
      assert.equal(obligationsAlone(decision), decision.obligations.limits.length > 0 || decision.obligations.mask !== null);
    }),
    runs,
  );
  assert.ok(narrowed > countRepetitions({ short: 10, long: 100 }), `obligations match alone often, here ${narrowed} times`);
});

test('never permits a blocked request because of one more MASK or LIMIT rule', () => {
  fc.assert(
    fc.property(
      sources,
      fc.option(nested, { nil: undefined }),
      one('MASK' as const, 'LIMIT' as const),
      fc.boolean(),
      context,
      (list, when, effect, onMissing, request) => {
        const decided = (from: readonly PolicySource[]) => evaluate(compileSet(compileAll(from)), request);
        if (decided(list).effect !== 'BLOCK') return;
        const narrow = { id: 'extra', effect, reason: 'extra', ...demands[effect], ...(onMissing ? { if_missing: 'match' } : {}) };
        const extra = { ...narrow, ...(when === undefined ? {} : { when }) } as PolicyRule;
        const added = { ...(list[0] as PolicySource), policy_id: 'pol_extra', body: { rules: [extra], tests: [] } };
        assert.equal(decided([...list, added]).effect, 'BLOCK');
      },
    ),
    runs,
  );
});

test('still matches a BLOCK rule on missing data when any part of its request is left out', () => {
  const parts = ['principal', 'agent', 'tool', 'capability', 'amount', 'parameters', 'request', 'time'] as const;
  const asking = nested.filter((when) => !JSON.stringify(when).includes('exists"'));
  fc.assert(
    fc.property(asking, context, fc.constantFrom(...parts), (when, request, part) => {
      const source = {
        policy_id: 'pol_0',
        policy_name: 'Policy',
        version_id: 'pvr_0',
        version_number: 1,
        binding: { scope: 'ORGANIZATION' as const, id: 'org_1' },
      };
      const body = {
        rules: [{ id: 'block', effect: 'BLOCK' as const, if_missing: 'match' as const, reason: 'r', when }],
        tests: [],
      };
      const set = compileSet([compileVersion({ ...source, body })]);
      const outcome = (given: PolicyContext) => evaluate(set, given).matched_rule?.id;
      if (outcome(request) === 'block') assert.equal(outcome({ ...request, [part]: undefined } as PolicyContext), 'block');
    }),
    runs,
  );
});

test('does not change the set or the request, and repeats its result', () => {
  fc.assert(
    fc.property(sources, context, (list, request) => {
      const set = compileSet(compileAll(list));
      const before = structuredClone(request);
      const first = evaluate(set, request);
      assert.deepEqual(evaluate(set, request), first);
      assert.deepEqual(request, before);
    }),
    { numRuns: countRepetitions({ short: 120, long: 500 }), seed: getSeed(7) },
  );
});
