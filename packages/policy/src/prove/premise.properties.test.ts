import assert from 'node:assert/strict';
import { test } from 'node:test';
import { opposite } from '@svc/solver/clauses/clauses.ts';
import { newSolver } from '@svc/solver/clauses/satisfy.ts';
import { countRepetitions, getSeed } from '@svc/testing/length/test-length.ts';
import { type Draw, drawNames, drawVersions, newDraw, pick } from '../adversarial/adversarial-questions.fixture.ts';
import { collectNamedValues, requestNear } from '../adversarial/adversarial-requests.fixture.ts';
import { compileCondition } from '../conditions/condition.ts';
import { newRun } from '../evaluation/node.ts';
import { TRUE, UNKNOWN } from '../evaluation/outcome.ts';
import type { PolicyContext } from '../evaluation/policy-context.ts';
import { WRITTEN_IN_CURRENCY } from '../formula/formula.ts';
import { compileSet } from '../judge/compile-set.ts';
import { compileVersion, type PolicySource } from '../judge/compile-version.ts';
import { evaluate } from '../judge/evaluate.ts';
import { inCurrency } from '../judge/in-currency.ts';
import { fieldsRead } from '../language/fields-read.ts';
import { isWithin } from './element-links.ts';
import { type EncodedRules, encodeRules } from './encode-rules.ts';

/* A proof depends on what the choices of the fields leave open and on nothing else, so these tests cover that premise. */

const SEED = Number(process.env.SVC_TEST_SEED ?? getSeed(1));
const QUESTIONS = Number(process.env.SVC_TEST_RUNS ?? countRepetitions({ short: 100, long: 400 }));
const REQUESTS = 15;

/** `only` is the one currency in which amounts are compared, if there are not several. */
const listOutcomes = ({ formulas }: EncodedRules, context: PolicyContext, only: string | undefined): number[] =>
  formulas.atoms.map(({ condition, currency }) => {
    const writtenIn = currency ?? only;
    const seen = writtenIn === undefined ? context : inCurrency(context, writtenIn);
    return compileCondition(condition, '')(seen, newRun(Number.POSITIVE_INFINITY));
  });

const matchesOf = (versions: readonly PolicySource[], context: PolicyContext): boolean[] => {
  const { matched_rules } = evaluate(compileSet(versions.map(compileVersion)), context);
  return versions.flatMap(({ policy_id, body }) =>
    body.rules.map(({ id }) => matched_rules.some((rule) => rule.policy_id === policy_id && rule.id === id && rule.outcome === 'matched')),
  );
};

/** Returns true if the clauses admit a request with these outcomes; those in `only` alone if it is given. */
const hasRoom = (encoded: EncodedRules, outcomes: readonly number[], matches: readonly boolean[], only?: readonly number[]): boolean => {
  const solver = newSolver(encoded.clauses.variables());
  for (const clause of encoded.clauses.list) solver.add(clause);
  for (const [atom, truth] of encoded.truths.entries()) {
    // Elements stand for others in a list, so a request's values at their positions are not theirs.
    if ([...encoded.elements.keys()].some((name) => isWithin(encoded.formulas.atoms[atom]?.field.name ?? '', name))) continue;
    if (truth === undefined || (only !== undefined && !only.includes(atom))) continue;
    const { isTrue, isPossible } = truth;
    solver.add([outcomes[atom] === TRUE ? isTrue : opposite(isTrue)]);
    solver.add([(outcomes[atom] ?? 0) >= UNKNOWN ? isPossible : opposite(isPossible)]);
  }
  if (only === undefined) for (const [place, match] of encoded.matches.entries()) solver.add([matches[place] ? match : opposite(match)]);
  return solver.solve({ left: 10_000_000 }) !== 'none';
};

const askOnce = (draw: Draw): number => {
  const names = drawNames(draw);
  const versions = drawVersions(draw, names);
  const rules = versions.flatMap(({ body, currency = '' }) => body.rules.map((rule) => ({ rule, currency })));
  const encoded = encodeRules(rules, { bounds: {} }, { left: 20_000_000 }, pick(draw, ['missing', 'open']));
  if (encoded === null) return 0;
  const named = collectNamedValues(rules.map(({ rule }) => rule.when as never));
  const isCompared = versions.some(({ currency }) => currency !== undefined);
  const readers = rules.filter(({ rule }) => fieldsRead(rule.when).some((name) => WRITTEN_IN_CURRENCY.has(name)));
  for (let count = 0; count < REQUESTS; count++) {
    const { amounts, velocity_amounts, ...rest } = requestNear(draw, named);
    const context = (isCompared ? { ...rest, amounts, velocity_amounts } : rest) as PolicyContext;
    const outcomes = listOutcomes(encoded, context, isCompared ? readers[0]?.currency : undefined);
    const matches = matchesOf(versions, context);
    if (hasRoom(encoded, outcomes, matches)) continue;
    const lost: unknown[] = encoded.encoded
      .filter(({ domain }) => !hasRoom(encoded, outcomes, matches, domain.atoms))
      .map(({ domain }) => domain.fields);
    const said: unknown[] = encoded.formulas.atoms.map(({ condition }, atom) => `${JSON.stringify(condition)} is ${outcomes[atom]}`);
    assert.fail(`no choice stands for it: ${JSON.stringify({ lost, said, context }, null, 1).slice(0, 3000)}`);
  }
  return 1;
};

test('covers every request by the choices of a proof', () => {
  let asked = 0;
  for (let question = 0; question < QUESTIONS; question++) {
    try {
      asked += askOnce(newDraw(SEED * 1_000_003 + question));
    } catch (error) {
      throw new Error(`seed ${SEED}, question ${question}`, { cause: error });
    }
  }
  assert.ok(asked > QUESTIONS * 0.9, `${asked} of ${QUESTIONS} questions were small enough`);
});
