import type { PolicyTestCase } from '@svc/contract/policy-language.ts';
import type { TestReport } from '@svc/contract/policy-trials.ts';
import type { CompiledVersion } from '@svc/policy/compile-version.ts';
import { coverage } from '@svc/policy/coverage.ts';
import { runTests } from '@svc/policy/run-tests.ts';

/** Runs cases against one version and tells how each went, with the rules that were consulted and those that no case reaches. */
export const testReport = (version: CompiledVersion, cases: readonly PolicyTestCase[]): TestReport => {
  const results = runTests(version, cases).map(({ decision, ...result }) => ({ ...result, trace: decision.matched_rules }));
  const passed = results.filter((result) => result.passed).length;
  const { version_id, version_number } = version.source;
  return { version_id, version_number, passed, failed: results.length - passed, results, untested_rules: coverage(version, cases) };
};
