import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FieldCondition, OperatorName, PolicyCondition, PolicyRule } from '@svc/contract/policy-language.ts';
import { EFFECTS, POLICY_SCOPES } from '@svc/contract/vocabulary.ts';
import fc from 'fast-check';
import { compileSet } from './compile-set.ts';
import { type CompiledVersion, compileVersion, type PolicySource } from './compile-version.ts';
import type { PolicyContext } from './context.ts';
import { evaluate, NO_RULE_REASON } from './evaluate.ts';
import { validateVersion } from './validate-version.ts';

/* A second reading of the language, straight from the rules and by other means than the engine's: strings, recursion, no index, no tables. */

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

const TYPES: Record<string, string> = { amount: 'whole', 'tool.dangerous': 'boolean', 'agent.capabilities': 'list' };

const fitsType = (field: string, value: unknown): boolean => {
  if (field.startsWith('parameters.')) return true;
  const type = TYPES[field] ?? 'string';
  if (type === 'whole') return Number.isSafeInteger(value);
  if (type === 'list') return Array.isArray(value) && value.every((element) => typeof element === 'string');
  return typeof value === type;
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
  if (op === 'starts_with') return typeof value === 'string' ? truth(value.slice(0, String(expected).length) === expected) : 'unknown';
  if (typeof value !== 'number') return 'unknown';
  const difference = value - (expected as number);
  return truth(op === 'gt' ? difference > 0 : op === 'gte' ? difference >= 0 : op === 'lt' ? difference < 0 : difference <= 0);
};

const interpret = (condition: PolicyCondition | undefined | object, context: PolicyContext): Truth => {
  if (condition === undefined || Object.keys(condition).length === 0) return 'true';
  const part = condition as PolicyCondition;
  if ('all' in part) return every(part.all.map((one) => interpret(one, context)));
  if ('any' in part) return some(part.any.map((one) => interpret(one, context)));
  if ('not' in part) return negate[interpret(part.not, context)];
  const truths = lookUp(context, part.field.split('.')).map((value) => compare(part.op, part.field, part.value, value));
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
  const winner = EFFECTS.toReversed()
    .map((effect) => matching.find((rule) => rule.effect === effect))
    .find((rule) => rule !== undefined);
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

const condition: fc.Arbitrary<FieldCondition> = fc.oneof(
  fc.record({ field: texts, op: ops('eq', 'neq', 'starts_with', 'contains'), value: word }),
  fc.record({ field: texts, op: ops('in', 'not_in'), value: listOf(word) }),
  fc.record({ field: one('amount'), op: ops('eq', 'neq', 'gt', 'gte', 'lt', 'lte'), value: number }),
  fc.record({ field: one('tool.dangerous'), op: ops('eq', 'neq'), value: fc.boolean() }),
  fc.record({ field: one('agent.capabilities'), op: ops('contains'), value: word }),
  fc.record({ field: one('amount', 'tool.name', 'parameters.x', 'agent.labels.team'), op: ops('exists', 'not_exists') }),
  fc.record({ field: plainPath, op: ops('eq', 'neq', 'contains'), value: scalar }),
  fc.record({ field: plainPath, op: ops('in', 'not_in'), value: listOf(scalar) }),
  fc.record({ field: plainPath, op: ops('gt', 'lte'), value: number }),
  fc.record({ field: starPath, op: ops('eq', 'neq', 'contains'), value: scalar, quantifier }),
  fc.record({ field: starPath, op: ops('exists', 'not_exists'), quantifier }),
  fc.record({ field: starPath, op: ops('gte'), value: number }),
);

const { nested } = fc.letrec<{ nested: PolicyCondition }>((tie) => ({
  nested: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'conditions' },
    condition,
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
/** Mostly a value of the field's type, now and then one of another type. */
const wrong = (arbitrary: fc.Arbitrary<unknown>) =>
  maybe(fc.oneof({ weight: 8, arbitrary }, { weight: 1, arbitrary: fc.constantFrom<unknown>(null, 7, 'b', [], {}) }));
const element = fc.oneof(scalar, one(null), fc.record({ sku: maybe(scalar) }), fc.array(scalar, { maxLength: 2 }));
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
  amount: wrong(number),
  parameters: maybe(fc.record({ x: wrong(scalar), items: wrong(fc.array(element, { maxLength: 3 })) })),
});
/** As a request comes from the wire: members that are not there are left out. */
const context = request.map((value): PolicyContext => JSON.parse(JSON.stringify(value)));

const compileAll = (list: readonly PolicySource[]): CompiledVersion[] => list.map(compileVersion);
const keyOf = (consulted: { policy_id: string; id: string }): string => `${consulted.policy_id}/${consulted.id}`;
const runs = { numRuns: 3000 };

test('every generated policy is one that validation accepts, so the properties below speak of the language', () => {
  fc.assert(
    fc.property(sources, (list) => {
      for (const { body } of list) assert.deepEqual(validateVersion(body), { ok: true, body });
    }),
    { numRuns: 300 },
  );
});

test('compiled evaluation decides as a direct reading of the rules does, rule by rule', () => {
  const met = { matched: 0, not_matched: 0, unknown: 0, skipped: 0, onMissing: 0 };
  fc.assert(
    fc.property(sources, context, (list, request) => {
      const decision = evaluate(compileSet(compileAll(list)), request);
      const { judged, winner } = decideDirectly(list, request);
      assert.equal(decision.effect, winner?.effect ?? 'BLOCK');
      assert.equal(decision.matched_rule === null ? undefined : keyOf(decision.matched_rule), winner?.key);
      assert.equal(decision.reason, winner?.reason ?? NO_RULE_REASON);
      const consulted = new Map(decision.matched_rules.map((one) => [keyOf(one), one.outcome]));
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
    assert.ok(times > 100, `the generated requests meet ${what} rules often, here ${times} times`);
});

test('the order in which versions are loaded changes nothing', () => {
  fc.assert(
    fc.property(sources, context, (list, request) => {
      assert.deepEqual(evaluate(compileSet(compileAll(list.toReversed())), request), evaluate(compileSet(compileAll(list)), request));
    }),
    { numRuns: 500 },
  );
});

test('one more BLOCK rule never makes a decision weaker', () => {
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

test('a BLOCK rule that matches on missing data still matches when any part of the request it was judged by is left out', () => {
  const parts = ['principal', 'agent', 'tool', 'capability', 'amount', 'parameters'] as const;
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

test('evaluation changes neither the set nor the request, and repeats its answer', () => {
  fc.assert(
    fc.property(sources, context, (list, request) => {
      const set = compileSet(compileAll(list));
      const before = structuredClone(request);
      const first = evaluate(set, request);
      assert.deepEqual(evaluate(set, request), first);
      assert.deepEqual(request, before);
    }),
    { numRuns: 500 },
  );
});
