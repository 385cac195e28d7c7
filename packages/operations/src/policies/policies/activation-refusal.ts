import { buildRefusal, isRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { compileVersion, type PolicySource } from '@svc/policy/judge/compile-version.ts';
import { faultsOfTests } from '@svc/policy/trial/run-tests.ts';
import { runInSlices } from '../trials/run-in-slices.ts';
import { readVersionBody } from '../versions/read-version-body.ts';

/** Returns why this exact version may not be put in force now: invalid content, no test, or a failed test; undefined if it may. */
export const findActivationRefusal = async (source: PolicySource): Promise<Refusal<'INVALID_POLICY'> | undefined> => {
  const body = readVersionBody(source.body.rules, source.body.tests);
  if (isRefusal(body)) return body;
  const results = await runInSlices(compileVersion({ ...source, body }), body.tests);
  const faults = faultsOfTests(results);
  if (faults.length === 0) return undefined;
  const { version_id, version_number } = source;
  return buildRefusal('INVALID_POLICY', 'A version can be activated only if it has tests and all of them pass.', {
    version_id,
    version_number,
    faults,
    failing_cases: results.flatMap(({ name, passed, difference }, index) => (passed ? [] : [{ index, name, difference }])),
  });
};
