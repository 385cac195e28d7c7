import type { PolicyDecision, PolicyTestCase } from '@svc/contract/policies/language.ts';
import { OutOfWork } from '../evaluation/node.ts';
import type { PolicyContext } from '../evaluation/policy-context.ts';
import { compileSet, compileUnbound, type PolicySet } from '../judge/compile-set.ts';
import type { CompiledVersion } from '../judge/compile-version.ts';
import { evaluate } from '../judge/evaluate.ts';
import { readGiven } from '../language/read-given.ts';
import { below, type Fault } from '../values/faults.ts';
import { describeDifference } from './describe-difference.ts';

export type TestResult = {
  readonly name: string;
  readonly passed: boolean;
  readonly expected: PolicyTestCase['then'];
  readonly actual: { readonly effect: PolicyDecision['effect']; readonly rule: string | null };
  /** The difference, in words; null if the test passed. */
  readonly difference: string | null;
  readonly decision: PolicyDecision;
};

const TOO_MUCH_WORK = 'The evaluation exceeds the work limit of a decision; such a request is refused regardless of the rules.';
const UNDECIDED: PolicyDecision = { ...evaluate(compileSet([]), {}), reason: TOO_MUCH_WORK };

const decideWithin = (set: PolicySet, context: PolicyContext): PolicyDecision => {
  try {
    return evaluate(set, context);
  } catch (error) {
    if (error instanceof OutOfWork) return UNDECIDED;
    throw error;
  }
};

const runTest = (set: PolicySet, { name, given, then }: PolicyTestCase): TestResult => {
  const read = readGiven(given);
  const decision = decideWithin(set, read.ok ? read.context : {});
  const difference = !read.ok
    ? `The given context is not valid: ${read.faults.map((fault) => fault.message).join(' ')}`
    : decision === UNDECIDED
      ? TOO_MUCH_WORK
      : describeDifference(then, decision);
  return {
    name,
    passed: difference === null,
    expected: then,
    actual: { effect: decision.effect, rule: decision.matched_rule?.id ?? null },
    difference,
    decision,
  };
};

/** Creates a function that judges cases by the rules of this version alone, for any binding. */
export const newTestRunner = (version: CompiledVersion): ((one: PolicyTestCase) => TestResult) => {
  const set = compileUnbound(version);
  return (one) => runTest(set, one);
};

/** Judges each case. Changes nothing. */
export const runTests = (version: CompiledVersion, cases: readonly PolicyTestCase[]): TestResult[] => cases.map(newTestRunner(version));

/** Returns why a version may not become active, by the results of its recorded tests: there is none, or some fail. Empty if it may. */
export const faultsOfTests = (results: readonly TestResult[]): Fault[] => {
  if (results.length === 0)
    return [{ pointer: '/tests', message: 'A version needs at least one recorded test before it can be activated.' }];
  return results.flatMap(({ name, difference }, index) =>
    difference === null ? [] : [{ pointer: below('/tests', index), message: `The test "${name}" fails. ${difference}` }],
  );
};

/** The same for a version whose tests are run now. Pointers lead into the body. */
export const findActivationFaults = (version: CompiledVersion): Fault[] => faultsOfTests(runTests(version, version.source.body.tests));
