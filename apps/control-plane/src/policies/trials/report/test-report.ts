import type { PolicyTestCase } from '@svc/contract/policies/language.ts';
import type { TestReport } from '@svc/contract/policies/trials.ts';
import { runInSlices } from '@svc/operations/policies/trials/run-in-slices.ts';
import type { CompiledVersion } from '@svc/policy/judge/compile-version.ts';
import { listUnreachedRules } from '@svc/policy/trial/coverage.ts';

/** Runs cases against one version; reports each result with the rules that were evaluated and those that no case reaches. */
export const testReport = async (version: CompiledVersion, cases: readonly PolicyTestCase[]): Promise<TestReport> => {
  const ran = await runInSlices(version, cases);
  const results = ran.map(({ decision, ...result }) => ({ ...result, trace: decision.matched_rules }));
  const passed = results.filter((result) => result.passed).length;
  const unreached = listUnreachedRules(
    version,
    ran.map(({ decision }) => decision),
  );
  const { version_id, version_number } = version.source;
  return { version_id, version_number, passed, failed: results.length - passed, results, untested_rules: unreached };
};
