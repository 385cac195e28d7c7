import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FieldCondition, OperatorName, PolicyCondition, PolicyRule } from '@svc/contract/policies/language.ts';
import { EFFECTS, PRINCIPAL_TYPES } from '@svc/contract/tables/vocabulary.ts';
import { countRepetitions, getSeed } from '@svc/testing/length/test-length.ts';
import fc from 'fast-check';
import { compileSet } from '../judge/compile-set.ts';
import { compileVersion, type PolicySource } from '../judge/compile-version.ts';
import { evaluate } from '../judge/evaluate.ts';
import { strictness } from '../language/effects.ts';
import { readGiven } from '../language/read-given.ts';
import { openJudge } from './ask-engine.ts';
import { type Invariant, toProbeRule } from './invariant.ts';
import type { ProofScope } from './place.ts';
import { provePlace } from './prove-place.ts';
import type { RequestInput } from './request-from.ts';

/* Rules, invariants and requests over few words and numbers, so that they often meet. */

const one = <T>(...values: T[]) => fc.constantFrom(...values);
const ops = (...names: OperatorName[]) => fc.constantFrom(...names);
const list = <T>(element: fc.Arbitrary<T>) => fc.uniqueArray(element, { minLength: 1, maxLength: 3 });

const AGENTS = ['A', 'B', 'C'].map((end) => `agt_0000000000000000000000000${end}`);
const WORDS = ['a', 'ab', 'b', 'bab', 'ba', 'zz'];
const word = one(...WORDS.slice(0, 4));
const number = one(1, 2, 3);
const scalar = fc.oneof(word, number, fc.boolean());
const piece = ops('eq', 'neq', 'starts_with', 'ends_with', 'contains', 'not_contains');
const quantifier = one<'any' | 'all'>('any', 'all');
const HOSTS = [
  'example.com',
  'api.example.com',
  'example.com.evil.net',
  'evil.net',
  '10.1.2.3',
  '[2001:db8::1]',
  '[::ffff:a01:203]',
  '11.0.0.1',
];

const condition: fc.Arbitrary<FieldCondition> = fc.oneof(
  fc.record({ field: one('tool.name'), op: piece, value: word }),
  fc.record({ field: one('tool.name', 'capability'), op: ops('in', 'not_in'), value: list(word) }),
  fc.record({ field: one('tool.capability', 'capability'), op: ops('eq', 'neq', 'matches'), value: word }),
  fc.record({
    field: one('tool.name', 'agent.labels.team', 'parameters.x'),
    op: ops('matches'),
    value: one('^a', 'b$', '^(a|b)+$', 'ab|zz'),
  }),
  fc.record({ field: one('amount'), op: ops('eq', 'neq', 'gt', 'gte', 'lt', 'lte'), value: number }),
  fc.record({ field: one('currency'), op: ops('eq', 'neq'), value: one('EUR', 'USD') }),
  fc.record({
    field: one('amount', 'currency', 'parameters.x', 'parameters.x.y', 'destination.host', 'destination.ip', 'destination.port'),
    op: ops('exists', 'not_exists'),
  }),
  fc.record({ field: one('tool.dangerous', 'approval.present', 'parameters.x'), op: ops('is_true', 'is_false') }),
  fc.record({ field: one('agent.capabilities'), op: ops('contains', 'not_contains'), value: word }),
  fc.record({ field: one('agent.labels.team'), op: piece, value: word }),
  fc.record({ field: one('parameters.x', 'parameters.x.y'), op: ops('eq', 'neq', 'contains', 'not_contains'), value: scalar }),
  fc.record({ field: one('parameters.x'), op: ops('in', 'not_in'), value: list(scalar) }),
  fc.record({ field: one('parameters.x'), op: ops('gt', 'lt', 'gte', 'lte'), value: one(0, 0.5, 1) }),
  fc.record({ field: one('parameters.x'), op: ops('starts_with', 'ends_with'), value: word }),
  fc.record({
    field: one('parameters.x', 'destination.ip', 'request.source_ip'),
    op: ops('cidr'),
    value: one('10.0.0.0/8', '10.1.0.0/16', '2001:db8::/32'),
  }),
  fc
    .record({
      field: one('parameters.l.*', 'parameters.l.*.k'),
      op: ops('eq', 'neq', 'contains', 'exists', 'not_exists'),
      value: scalar,
      quantifier,
    })
    .map(({ value, ...rest }) => (/exists/.test(rest.op) ? rest : { ...rest, value })),
  fc
    .record({
      field: one('destination.host'),
      op: ops('eq', 'neq', 'ends_with', 'starts_with', 'contains'),
      value: one('example.com', '.example.com', 'evil', '10.1.2.3'),
    })
    .map((made) => ({ ...made, value: made.op === 'starts_with' ? made.value.replace('.', '') : made.value })),
  fc.record({ field: one('destination.port'), op: ops('eq', 'gt'), value: one(443, 80) }),
  fc.record({ field: one('time.clock'), op: ops('within_hours'), value: one('22:00-06:00', '06:00-22:00', '21:59-22:00') }),
  fc.record({ field: one('time.hour'), op: ops('within_hours', 'eq', 'lt'), value: one(5, 6, 22) }).map(({ value, ...rest }) => ({
    ...rest,
    value: rest.op === 'within_hours' ? `${String(value).padStart(2, '0')}:00-23:00` : value,
  })),
  fc.record({ field: one('time.weekday'), op: ops('on_weekdays', 'not_in'), value: list(one('MON', 'SAT', 'SUN')) }),
  fc.record({ field: one('time.date'), op: ops('eq', 'gt', 'lte'), value: one('2026-02-28', '2026-03-01', '2026-03-02') }),
  fc.record({ field: one('environment.type'), op: ops('eq', 'neq'), value: one('PRODUCTION', 'STAGING') }),
  fc.record({ field: one('principal.type'), op: ops('eq', 'neq'), value: one('AGENT', 'USER') }),
  fc.record({ field: one('principal.id', 'agent.id'), op: ops('eq', 'neq'), value: one(...AGENTS.slice(0, 2)) }),
);

const { nested } = fc.letrec<{ nested: PolicyCondition }>((tie) => ({
  nested: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'proved' },
    { weight: 3, arbitrary: condition },
    { weight: 2, arbitrary: fc.record({ all: fc.array(tie('nested'), { minLength: 1, maxLength: 3 }) }) },
    { weight: 2, arbitrary: fc.record({ any: fc.array(tie('nested'), { minLength: 1, maxLength: 3 }) }) },
    { weight: 1, arbitrary: fc.record({ not: tie('nested') }) },
  ),
}));

const DEMANDS: Readonly<Record<string, object>> = { MASK: { mask: { parameters: ['x'] } }, LIMIT: { limit: { max_amount: 5 } } };

const ruleWith = (when: fc.Arbitrary<PolicyRule['when']>): fc.Arbitrary<PolicyRule> =>
  fc.record({ when, effect: one(...EFFECTS), missing: fc.boolean() }).map(({ when: found, effect, missing }) => ({
    id: 'r',
    reason: 'r',
    effect,
    ...(found === undefined ? {} : { when: found }),
    ...(missing && effect !== 'ALLOW' ? { if_missing: 'match' as const } : {}),
    ...DEMANDS[effect],
  }));

/** Conditions a person would combine: those of the rules, those of the invariant, and often the same words in both. */
const sourcesWith = (parts: fc.Arbitrary<PolicyCondition>): fc.Arbitrary<PolicySource[]> =>
  fc
    .array(
      fc.array(ruleWith(fc.oneof({ weight: 5, arbitrary: parts }, { weight: 1, arbitrary: fc.constant(undefined) })), {
        minLength: 1,
        maxLength: 4,
      }),
      {
        minLength: 1,
        maxLength: 3,
      },
    )
    .map((versions) =>
      versions.map((rules, index) => ({
        policy_id: `p${index}`,
        policy_name: `p${index}`,
        version_id: `v${index}`,
        version_number: 1,
        binding: { scope: 'ORGANIZATION', id: 'o' },
        body: { rules: rules.map((rule, place) => ({ ...rule, id: `r${place}` })), tests: [] },
      })),
    );

const invariantWith = (parts: fc.Arbitrary<PolicyCondition>): fc.Arbitrary<Invariant> =>
  fc
    .record({ when: parts, missing: fc.boolean(), effect: one(...EFFECTS), atLeast: fc.boolean() })
    .map(({ when, missing, effect, atLeast }) => ({
      when,
      ...(missing ? { if_missing: 'match' as const } : {}),
      ...(atLeast ? { at_least: effect } : { at_most: effect }),
    }));

/** A few conditions, and rules and an invariant made of just these. */
const question: fc.Arbitrary<{ readonly sources: PolicySource[]; readonly invariant: Invariant }> = fc
  .array(nested, { minLength: 1, maxLength: 4 })
  .chain((parts) => {
    const some = fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...parts) },
      { weight: 1, arbitrary: fc.constantFrom(...parts).map((part) => ({ not: part })) },
      { weight: 1, arbitrary: fc.tuple(fc.constantFrom(...parts), fc.constantFrom(...parts)).map((two) => ({ any: two })) },
    );
    return fc.record({ sources: sourcesWith(some), invariant: invariantWith(some) });
  });

const JSONS = [
  undefined,
  null,
  ...WORDS,
  -1,
  0,
  0.5,
  0.75,
  1,
  1.5,
  2,
  3,
  true,
  false,
  {},
  { y: 'a' },
  { y: 2 },
  { y: null },
  [],
  ['a'],
  ['a', 1],
  [true, 'ab'],
  [{}],
  '10.1.2.3',
  '10.1.2.3b',
  '11.0.0.1',
  '::ffff:10.1.2.3',
  `ab${'b'.repeat(9000)}`,
  `${'a'.repeat(9000)}zz`,
];
const LISTS = [
  undefined,
  'a',
  [],
  ['a'],
  ['a', 'b'],
  [1, 'a'],
  [[], 2],
  [['a']],
  { m: 'b' },
  [{ k: 'a' }],
  [{ k: 'a' }, { k: 1 }, {}],
  [{ k: ['a'] }, 'a'],
  { m: { k: 'ab' } },
];

/** A request as the pipeline can pass it to the engine. */
const request: fc.Arbitrary<Readonly<Record<string, unknown>>> = fc
  .record({
    tool: one(...WORDS),
    capability: one(...WORDS),
    held: list(one(...WORDS)),
    amount: one(undefined, 0, 1, 2, 3, 4),
    currency: one('EUR', 'USD', 'GBP'),
    saysCurrency: fc.boolean(),
    dangerous: fc.boolean(),
    approval: fc.boolean(),
    team: one(undefined, ...WORDS),
    x: one(...JSONS),
    l: one(...LISTS),
    host: one(undefined, ...HOSTS),
    port: one(443, 80, 81),
    source: one(undefined, '10.1.2.3', '10.2.0.1', '11.0.0.1', '2001:db8::1'),
    now: fc.tuple(
      one('2026-02-27', '2026-02-28', '2026-03-01', '2026-03-02', '2026-03-03', '2026-03-07'),
      one('00:00', '05:00', '05:59', '06:00', '21:59', '22:00', '23:59'),
    ),
    type: one('PRODUCTION', 'STAGING', 'DEVELOPMENT'),
    asker: one(...PRINCIPAL_TYPES),
    agent: one(...AGENTS),
    person: one('usr_1', ...AGENTS),
  })
  .map(
    ({
      tool,
      capability,
      held,
      amount,
      currency,
      saysCurrency,
      dangerous,
      approval,
      team,
      x,
      l,
      host,
      port,
      source,
      now: [date, clock],
      type,
      asker,
      agent,
      person,
    }) => {
      const address = host !== undefined && /^\[|\d$/.test(host) ? host.replace(/[[\]]/g, '') : undefined;
      const parameters = { ...(x === undefined ? {} : { x }), ...(l === undefined ? {} : { l }) };
      const all = {
        'tool.name': tool,
        'tool.capability': capability,
        capability,
        'agent.capabilities': [...new Set([capability, ...held])],
        amount,
        currency: amount !== undefined || saysCurrency ? currency : undefined,
        'tool.dangerous': dangerous,
        'approval.present': approval,
        'agent.labels.team': team,
        parameters,
        'destination.host': host,
        'destination.port': host === undefined ? undefined : port,
        'destination.ip': address,
        'request.source_ip': source,
        'time.date': date,
        'time.weekday': new Date(`${date}T00:00:00Z`).toUTCString().slice(0, 3).toUpperCase(),
        'time.clock': clock,
        'time.hour': Number(clock.slice(0, 2)),
        'environment.type': type,
        'principal.type': asker,
        'principal.id': asker === 'AGENT' ? agent : person,
        'agent.id': agent,
      };
      return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
    },
  );

const getPlace = (versions: ProofScope['versions']): ProofScope => ({ name: 'everywhere', versions, bounds: {} });

/** Evaluates the promise without the code under test: does the request meet the condition, and is the decision out of bounds? */
const isBroken = (invariant: Invariant, { versions }: ProofScope, given: RequestInput): boolean => {
  const read = readGiven(given);
  assert.ok(read.ok, JSON.stringify(read));
  const probe = {
    ...versions[0],
    policy_id: 'probe',
    body: { rules: [toProbeRule(invariant)], tests: [] },
  } as ProofScope['versions'][number];
  if (evaluate(compileSet([compileVersion(probe)]), read.context).effect !== 'BLOCK') return false;
  if (evaluate(compileSet([compileVersion(probe)]), read.context).matched_rule === null) return false;
  const { effect } = evaluate(compileSet(versions.map(compileVersion)), read.context);
  const { at_least, at_most } = invariant;
  if (at_least !== undefined && strictness(effect) < strictness(at_least)) return true;
  return at_most !== undefined && strictness(effect) > strictness(at_most);
};

const RUNS = Number(process.env.SVC_TEST_RUNS ?? countRepetitions({ short: 300, long: 1_500 }));

test('proves only what no request breaks, and reports only real violations', () => {
  const counts = { PROVED: 0, VIOLATED: 0, UNDECIDED: 0, missed: 0 };
  fc.assert(
    fc.property(question, fc.array(request, { minLength: 60, maxLength: 60 }), ({ sources, invariant }, requests) => {
      const place = getPlace(sources);
      const answer = provePlace(invariant, place, { left: 5_000_000 });
      counts[answer.verdict] += 1;
      if (answer.verdict === 'VIOLATED') {
        assert.ok(isBroken(invariant, place, answer.counter_example.given), JSON.stringify(answer.counter_example));
        return;
      }
      const judge = openJudge(invariant, place);
      const breaking = requests.find((one) => judge({ given: one, amounts: null }) !== null);
      if (breaking !== undefined && answer.verdict === 'UNDECIDED') counts.missed += 1;
      if (answer.verdict === 'PROVED') assert.equal(breaking, undefined, JSON.stringify(breaking)?.slice(0, 500));
    }),
    { numRuns: RUNS, seed: getSeed(7) },
  );
  console.log(JSON.stringify(counts));
  assert.ok(counts.PROVED > RUNS / 10 && counts.VIOLATED > RUNS / 10, JSON.stringify(counts));
  assert.ok(counts.UNDECIDED < RUNS / 20, JSON.stringify(counts));
});
