import { actionEndpoints } from './actions.ts';
import { agentEndpoints } from './agents.ts';
import { apiKeyEndpoints } from './api-keys.ts';
import { approvalEndpoints } from './approvals.ts';
import { auditEventEndpoints } from './audit-events.ts';
import { authEndpoints } from './auth.ts';
import { delegationEndpoints } from './delegations.ts';
import type { Endpoint } from './endpoint.ts';
import { fxRateEndpoints } from './fx-rates.ts';
import { gatewayEndpoints } from './gateway.ts';
import { invariantEndpoints } from './invariants.ts';
import { metaEndpoints } from './meta.ts';
import { policyEndpoints } from './policies.ts';
import { policyForceEndpoints } from './policy-force.ts';
import { policyTrialEndpoints } from './policy-trials.ts';
import { roleEndpoints } from './roles.ts';
import { tenancyEndpoints } from './tenancy.ts';
import { toolEndpoints } from './tools.ts';

/** Every endpoint of both planes, by operation name. */
export const ENDPOINTS = {
  ...metaEndpoints,
  ...authEndpoints,
  ...roleEndpoints,
  ...apiKeyEndpoints,
  ...tenancyEndpoints,
  ...fxRateEndpoints,
  ...agentEndpoints,
  ...toolEndpoints,
  ...policyEndpoints,
  ...invariantEndpoints,
  ...policyForceEndpoints,
  ...policyTrialEndpoints,
  ...actionEndpoints,
  ...delegationEndpoints,
  ...approvalEndpoints,
  ...auditEventEndpoints,
  ...gatewayEndpoints,
} as const satisfies Record<string, Endpoint>;

export type Endpoints = typeof ENDPOINTS;
export type OperationName = keyof Endpoints;
export type OperationsOf<Plane extends Endpoint['plane']> = {
  [Name in OperationName]: Endpoints[Name]['plane'] extends Plane ? Name : never;
}[OperationName];
