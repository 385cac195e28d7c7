import type { PolicyDecision, PolicyTestCase } from '@svc/contract/policy-language.ts';
import { compileUnbound, type PolicySet } from './compile-set.ts';
import type { CompiledVersion } from './compile-version.ts';
import { readGiven } from './context.ts';
import { describeDifference } from './describe-difference.ts';
import { evaluate } from './evaluate.ts';
import { below, type Fault } from './faults.ts';

export type TestResult = {
  readonly name: string;
  readonly passed: boolean;
  readonly expected: PolicyTestCase['then'];
  readonly actual: { readonly effect: PolicyDecision['effect']; readonly rule: string | null };
  /** What differed, in words; null when the test passed. */
  readonly difference: string | null;
  readonly decision: PolicyDecision;
};

const runTest = (set: PolicySet, { name, given, then }: PolicyTestCase): TestResult => {
  const read = readGiven(given);
  const decision = evaluate(set, read.ok ? read.context : {});
  const difference = read.ok
    ? describeDifference(then, decision)
    : `The given context is not valid: ${read.faults.map((fault) => fault.message).join(' ')}`;
  return {
    name,
    passed: difference === null,
    expected: then,
    actual: { effect: decision.effect, rule: decision.matched_rule?.id ?? null },
    difference,
    decision,
  };
};

/** Judges one case after the other by the rules of this version alone, wherever it is bound. */
export const newTestRunner = (version: CompiledVersion): ((one: PolicyTestCase) => TestResult) => {
  const set = compileUnbound(version);
  return (one) => runTest(set, one);
};

/** Judges each case. Changes nothing. */
export const runTests = (version: CompiledVersion, cases: readonly PolicyTestCase[]): TestResult[] => cases.map(newTestRunner(version));

/** Why a version may not become active, by what its recorded tests said: there is none, or some fail. Empty when it may. */
export const faultsOfTests = (results: readonly TestResult[]): Fault[] => {
  if (results.length === 0)
    return [{ pointer: '/tests', message: 'A version needs at least one recorded test before it can be activated.' }];
  return results.flatMap(({ name, difference }, index) =>
    difference === null ? [] : [{ pointer: below('/tests', index), message: `The test "${name}" fails. ${difference}` }],
  );
};

/** The same of a version whose tests are run now. Pointers lead into the body. */
export const activationFaults = (version: CompiledVersion): Fault[] => faultsOfTests(runTests(version, version.source.body.tests));
