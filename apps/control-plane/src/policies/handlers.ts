import type { AreaHandlers } from '@svc/http/calls/call.ts';
import type { PoliciesDeps } from './deps.ts';
import { checkInvariant } from './invariants/check-invariant.ts';
import { createInvariant } from './invariants/create-invariant.ts';
import { deleteInvariant } from './invariants/delete-invariant.ts';
import { listInvariants } from './invariants/list-invariants.ts';
import { activatePolicy } from './policies/activate-policy.ts';
import { bindPolicy } from './policies/bind-policy.ts';
import { createPolicy } from './policies/create-policy.ts';
import { deletePolicy } from './policies/delete-policy.ts';
import { getPolicy } from './policies/get-policy.ts';
import { listPolicies } from './policies/list-policies.ts';
import { rollbackPolicy } from './policies/rollback-policy.ts';
import { suspendPolicy } from './policies/suspend-policy.ts';
import { unbindPolicy } from './policies/unbind-policy.ts';
import { updatePolicy } from './policies/update-policy.ts';
import { listPolicyTemplates } from './templates/list-policy-templates.ts';
import { checkPolicy } from './trials/check-policy.ts';
import { diffPolicy } from './trials/diff-policy.ts';
import { previewPolicyTests } from './trials/preview-policy-tests.ts';
import { runPolicyTests } from './trials/run-policy-tests.ts';
import { saveSimulation } from './trials/save-simulation.ts';
import { simulatePolicy } from './trials/simulate-policy.ts';
import { getBuilderSchema } from './versions/get-builder-schema.ts';
import { getPolicySchema } from './versions/get-policy-schema.ts';
import { listPolicyVersions } from './versions/list-policy-versions.ts';

/** Handlers of this area, one per row. A missing handler, or one of another area, does not compile. */
export const policiesHandlers: AreaHandlers<'control', 'policies', PoliciesDeps> = {
  listPolicies,
  createPolicy,
  getBuilderSchema,
  listInvariants,
  createInvariant,
  checkInvariant,
  deleteInvariant,
  getPolicySchema,
  listPolicyTemplates,
  getPolicy,
  listPolicyVersions,
  updatePolicy,
  activatePolicy,
  deletePolicy,
  rollbackPolicy,
  suspendPolicy,
  bindPolicy,
  unbindPolicy,
  diffPolicy,
  simulatePolicy,
  saveSimulation,
  runPolicyTests,
  previewPolicyTests,
  checkPolicy,
};
