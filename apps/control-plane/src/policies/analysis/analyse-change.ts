import type { AnalyseChange } from '@svc/operations/policies/openings/check-openings.ts';
import { analyseInWorkerProcess } from './analyse-aside.ts';

/** Compares the policies before and after a change in the worker process that analyses versions. */
export const analyseChange: AnalyseChange = async (organizationId, change) => {
  const found = await analyseInWorkerProcess(organizationId, { body: { rules: [], tests: [] }, tools: [], unrated: new Map(), change });
  return found === null ? null : { warnings: found.warnings, undecided: found.undecided };
};
