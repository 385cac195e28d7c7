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

/** Judges each case by the rules of this version alone, wherever it is bound. Changes nothing. */
export const runTests = (version: CompiledVersion, cases: readonly PolicyTestCase[]): TestResult[] => {
  const set = compileUnbound(version);
  return cases.map((one) => runTest(set, one));
};

/** Why a version may not become active: it has no recorded test, or some fail. Empty when it may. Pointers lead into the body. */
export const activationFaults = (version: CompiledVersion): Fault[] => {
  const { tests } = version.source.body;
  if (tests.length === 0) return [{ pointer: '/tests', message: 'A version needs at least one recorded test before it can be activated.' }];
  return runTests(version, tests).flatMap(({ name, difference }, index) =>
    difference === null ? [] : [{ pointer: below('/tests', index), message: `The test "${name}" fails. ${difference}` }],
  );
};
