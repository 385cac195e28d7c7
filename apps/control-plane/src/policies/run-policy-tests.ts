import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/refusal.ts';
import type { Handler } from '@svc/http/call.ts';
import type { ControlDeps } from '../deps.ts';
import { readPolicyVersion } from './read-policy-version.ts';
import { testReport } from './test-report.ts';

/** Runs the recorded tests of a version; stores nothing. */
export const runPolicyTests: Handler<Endpoints['runPolicyTests'], ControlDeps> = async (call) => {
  const version = await readPolicyVersion(call.database, call.scope, call.params.policyId, call.body.version_id);
  return isRefusal(version) ? version : testReport(version, version.source.body.tests);
};
