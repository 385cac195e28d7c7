import { setImmediate } from 'node:timers/promises';
import type { PolicyTestCase } from '@svc/contract/policies/language.ts';
import type { CompiledVersion } from '@svc/policy/judge/compile-version.ts';
import { newTestRunner, type TestResult } from '@svc/policy/trial/run-tests.ts';

/** Maximum time slice on the event loop; one test may take longer, like one decision. */
const TURN_MS = 10;

/** Runs cases against a version in time slices (cooperative scheduling), so that other requests are served meanwhile. */
export const runInSlices = async (version: CompiledVersion, cases: readonly PolicyTestCase[]): Promise<TestResult[]> => {
  const run = newTestRunner(version);
  const results: TestResult[] = [];
  let turnEnds = performance.now() + TURN_MS;
  for (const one of cases) {
    results.push(run(one));
    if (performance.now() < turnEnds) continue;
    await setImmediate();
    turnEnds = performance.now() + TURN_MS;
  }
  return results;
};
