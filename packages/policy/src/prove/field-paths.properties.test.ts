import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FieldCondition, PolicyRule } from '@svc/contract/policies/language.ts';
import { EFFECTS } from '@svc/contract/tables/vocabulary.ts';
import { opposite } from '@svc/solver/clauses/clauses.ts';
import { newSolver } from '@svc/solver/clauses/satisfy.ts';
import { countRepetitions, getSeed } from '@svc/testing/length/test-length.ts';
import { drawParameters, drawPath, meetsAnything } from '../adversarial/adversarial-paths.fixture.ts';
import { type Draw, drawCondition, drawVersions, newDraw, pick } from '../adversarial/adversarial-questions.fixture.ts';
import { collectNamedValues } from '../adversarial/adversarial-requests.fixture.ts';
import { analyseVersion } from '../analyse/analyse-version.ts';
import type { PolicyContext } from '../evaluation/policy-context.ts';
import { compileSet } from '../judge/compile-set.ts';
import { compileVersion, type PolicySource } from '../judge/compile-version.ts';
import { evaluate } from '../judge/evaluate.ts';
import { type EncodedRules, encodeRules } from './encode-rules.ts';
import { type Invariant, toProbeRule, violatesInvariant } from './invariant.ts';
import { provePlace } from './prove-place.ts';

/*
 * The values of different paths in one request depend on each other: all forms of paths, in one policy and across two, on requests that are
 * mostly empty.
 */

const SEED = Number(process.env.SVC_TEST_SEED ?? getSeed(1));
const QUESTIONS = Number(process.env.SVC_TEST_RUNS ?? countRepetitions({ short: 150, long: 600 }));
const REQUESTS = Number(process.env.SVC_TEST_REQUESTS ?? 25);

const setOf = (sources: readonly PolicySource[]) => compileSet(sources.map(compileVersion));
const named = (policy: string, rule: string): string => `${policy}/${rule}`;

/** Returns the names of the rules that the engine treats as matching. */
const matchedIn = (set: ReturnType<typeof setOf>, context: PolicyContext): ReadonlySet<string> =>
  new Set(
    evaluate(set, context).matched_rules.flatMap(({ policy_id, id, outcome }) => (outcome === 'matched' ? [named(policy_id, id)] : [])),
  );

const findNames = (sources: readonly PolicySource[]): string[] =>
  sources.flatMap(({ policy_id, body }) => body.rules.map(({ id }) => named(policy_id, id)));

/** Returns true if the clauses admit a request that exactly these rules match. */
const hasRoom = ({ clauses, matches }: EncodedRules, isMatched: readonly boolean[]): boolean => {
  const solver = newSolver(clauses.variables());
  for (const clause of clauses.list) solver.add(clause);
  for (const [place, match] of matches.entries()) solver.add([isMatched[place] ? match : opposite(match)]);
  return solver.solve({ left: 10_000_000 }) !== 'none';
};

/** Sometimes adds rules that match if a path leads to any value, since that ties paths to each other. */
const withMeetings = (draw: Draw, source: PolicySource, paths: readonly string[]): PolicySource => {
  const meetings = paths.flatMap((path, index): PolicyRule[] =>
    draw(2) === 0
      ? []
      : [{ id: `meets${index}`, effect: pick(draw, ['ALLOW', 'REQUIRE_APPROVAL', 'BLOCK']), reason: 'r', when: meetsAnything(path) }],
  );
  return { ...source, body: { ...source.body, rules: [...source.body.rules, ...meetings] } };
};

const getInvariant = (draw: Draw, sources: readonly PolicySource[], paths: readonly string[]): Invariant => {
  const conditions = sources.flatMap(({ body }) => body.rules.flatMap(({ when }) => when ?? []));
  const when = draw(3) === 0 || conditions.length === 0 ? drawCondition(draw, paths) : pick(draw, conditions);
  const effect = pick(draw, EFFECTS);
  return {
    when,
    ...(draw(3) === 0 ? { if_missing: 'match' as const } : {}),
    ...(draw(2) === 0 ? { at_least: effect } : { at_most: effect }),
  };
};

const isStricter = ({ effect }: PolicyRule, than: PolicyRule): boolean =>
  (effect === 'BLOCK' && than.effect !== 'BLOCK') || (effect === 'REQUIRE_APPROVAL' && than.effect === 'ALLOW');

/** Returns the warnings of a version as a predicate on one request, true if the request contradicts one. */
const warnedOf = (source: PolicySource): { readonly count: number; readonly isContradicted: (matched: ReadonlySet<string>) => boolean } => {
  const { rules } = source.body;
  const told = analyseVersion(source.body, []).warnings.filter(({ kind }) => kind === 'never_matches' || kind === 'shadowed');
  const isContradicted = (matched: ReadonlySet<string>): boolean => {
    const matches = ({ id }: PolicyRule): boolean => matched.has(named(source.policy_id, id));
    return told.some(({ kind, rule_id, other_rule_id }) => {
      const rule = rules.find(({ id }) => id === rule_id) as PolicyRule;
      const covers = rules.filter((one) => isStricter(one, rule) && matches(one) && [undefined, one.id].includes(other_rule_id));
      return matches(rule) && (kind === 'never_matches' || covers.length === 0);
    });
  };
  return { count: told.length, isContradicted };
};

type Counts = { proved: number; violated: number; warned: number; requests: number };

const askOnce = (draw: Draw, counts: Counts): void => {
  const paths = Array.from({ length: 1 + draw(3) }, () => drawPath(draw));
  const sources = drawVersions(draw, paths).map((source) => withMeetings(draw, source, paths));
  const [first] = sources;
  assert.ok(first !== undefined);
  const encoded = encodeRules(
    sources.flatMap(({ body }) => body.rules.map((rule) => ({ rule, currency: '' }))),
    { bounds: {} },
    { left: 20_000_000 },
  );
  const invariant = getInvariant(draw, sources, paths);
  const { verdict } = provePlace(invariant, { name: 'everywhere', versions: sources, bounds: {} }, { left: 10_000_000 });
  const probe = setOf([{ ...first, policy_id: 'probe', body: { rules: [toProbeRule(invariant)], tests: [] } }]);
  const warned = sources.map(warnedOf);
  const set = setOf(sources);
  const all = findNames(sources);
  const seen = new Map<string, boolean>();
  counts.proved += verdict === 'PROVED' ? 1 : 0;
  counts.violated += verdict === 'VIOLATED' ? 1 : 0;
  counts.warned += warned.reduce((sum, { count }) => sum + count, 0);
  const values = [
    ...collectNamedValues([invariant.when, ...sources.flatMap(({ body }) => body.rules.map(({ when }) => when))] as never).values(),
  ].flat();
  for (let count = 0; count < REQUESTS; count++) {
    const context = { parameters: drawParameters(draw, values) } as PolicyContext;
    counts.requests += 1;
    const matched = matchedIn(set, context);
    const isMatched = all.map((name) => matched.has(name));
    const fail = (what: string): never =>
      assert.fail(`${what}: ${JSON.stringify({ invariant, rules: sources.map(({ body }) => body.rules), context }).slice(0, 4000)}`);
    if (encoded !== null && !seen.get(isMatched.join()) && !hasRoom(encoded, isMatched)) fail('no choice stands for it');
    seen.set(isMatched.join(), true);
    if (
      verdict === 'PROVED' &&
      evaluate(probe, context).matched_rule !== null &&
      violatesInvariant(invariant, evaluate(set, context).effect)
    )
      fail('proved, and broken');
    if (warned.some(({ isContradicted }) => isContradicted(matched))) fail('warned of, and done');
  }
};

test('is correct about paths of every form for empty, nested and mixed values', () => {
  const counts: Counts = { proved: 0, violated: 0, warned: 0, requests: 0 };
  for (let question = 0; question < QUESTIONS; question++) {
    try {
      askOnce(newDraw(SEED * 15_485_863 + question), counts);
    } catch (error) {
      throw new Error(`seed ${SEED}, question ${question}`, { cause: error });
    }
  }
  console.log(JSON.stringify(counts));
  for (const [what, count] of Object.entries(counts)) assert.ok(count > QUESTIONS / 20, `${what}: ${count}`);
});

const source = (rules: PolicyRule[]): PolicySource => ({
  policy_id: 'p',
  policy_name: 'p',
  version_id: 'v',
  version_number: 1,
  binding: { scope: 'ORGANIZATION', id: 'o' },
  body: { rules, tests: [] },
});

const onAny = (field: string, op: 'exists' | 'matches'): FieldCondition => ({
  field,
  op,
  ...(op === 'matches' ? { value: '.?' } : {}),
  quantifier: 'any',
});
const looking = (field: string): PolicyRule => ({
  id: 'looking',
  effect: 'REQUIRE_APPROVAL',
  if_missing: 'match',
  reason: 'r',
  when: onAny(field, 'matches'),
});

test('treats an empty member as a member: rules on any depth do not replace rules on members', () => {
  const allow: PolicyRule = { id: 'allow', effect: 'ALLOW', reason: 'r' };
  const prove = (path: string, looks: string) => {
    const invariant: Invariant = { when: onAny(path, 'exists'), at_least: 'REQUIRE_APPROVAL' };
    return provePlace(invariant, { name: 'x', versions: [source([looking(looks), allow])], bounds: {} }, { left: 10_000_000 });
  };
  for (const path of ['parameters.*', 'parameters.*.k']) {
    const broken = prove(path, 'parameters.**');
    assert.ok(broken.verdict === 'VIOLATED', broken.verdict);
    assert.match(JSON.stringify(broken.counter_example.given), /(\{\}|\[\])/);
  }
  // Nothing is lost in the other direction: if a value lies at some depth, there is a member.
  for (const looks of ['parameters.**', 'parameters.*', 'parameters.*.k']) assert.equal(prove('parameters.**', looks).verdict, 'PROVED');
  const permits: PolicyRule = { ...allow, when: onAny('parameters.*', 'exists') };
  const { warnings } = analyseVersion({ rules: [looking('parameters.**'), permits], tests: [] }, []);
  assert.deepEqual(
    warnings.map(({ kind }) => kind),
    [],
  );
});
