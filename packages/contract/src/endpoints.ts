import { actionEndpoints } from './actions/actions.ts';
import { approvalEndpoints } from './actions/approvals.ts';
import { agentEndpoints } from './agents/agents/agents.ts';
import { delegationEndpoints } from './agents/delegations/delegations.ts';
import { gatewayEndpoints } from './agents/identity.ts';
import { auditEventEndpoints } from './events/audit-events.ts';
import { fxRateEndpoints } from './money/fx-rates.ts';
import { apiKeyEndpoints } from './people/api-keys.ts';
import { authEndpoints } from './people/auth.ts';
import { roleEndpoints } from './people/roles.ts';
import { policyForceEndpoints } from './policies/in-force.ts';
import { invariantEndpoints } from './policies/invariants.ts';
import { policyEndpoints } from './policies/policies.ts';
import { policyTrialEndpoints } from './policies/trials.ts';
import type { Endpoint } from './rows/endpoint.ts';
import { metaEndpoints } from './service/info.ts';
import { tenancyEndpoints } from './tenancy/organization.ts';
import { toolEndpoints } from './tools/tools.ts';

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
