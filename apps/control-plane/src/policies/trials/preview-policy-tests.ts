import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { validateCases } from '@svc/policy/validate/validate-cases.ts';
import type { PoliciesDeps } from '../deps.ts';
import { readPolicyVersion } from '../versions/reading/read-policy-version.ts';
import { testReport } from './report/test-report.ts';

const { testCasesPerPreviewMin: min, testCasesPerPreviewMax: max } = LIMITS.policies;

/** Runs the given cases against a version; stores nothing. */
export const previewPolicyTests: Handler<Endpoints['previewPolicyTests'], PoliciesDeps> = async (call) => {
  const version = await readPolicyVersion(call.database, call.scope, call.params.policyId, call.body.version_id);
  if (isRefusal(version)) return version;
  const ruleIds = new Set(version.source.body.rules.map((rule) => rule.id));
  const read = validateCases(call.body.cases, ruleIds, { min, max, pointer: '/cases' });
  return read.ok ? testReport(version, read.cases) : call.refuse('INVALID_POLICY', 'The cases are not valid.', { faults: read.faults });
};
