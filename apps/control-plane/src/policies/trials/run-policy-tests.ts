import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import type { PoliciesDeps } from '../deps.ts';
import { readPolicyVersion } from '../versions/reading/read-policy-version.ts';
import { testReport } from './report/test-report.ts';

/** Runs the recorded tests of a version; stores nothing. */
export const runPolicyTests: Handler<Endpoints['runPolicyTests'], PoliciesDeps> = async (call) => {
  const version = await readPolicyVersion(call.database, call.scope, call.params.policyId, call.body.version_id);
  return isRefusal(version) ? version : testReport(version, version.source.body.tests);
};
