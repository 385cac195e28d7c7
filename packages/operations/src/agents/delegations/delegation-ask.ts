import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { EndpointBody } from '@svc/contract/rows/endpoint.ts';
import { buildRefusal, isRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { findAgent } from '@svc/postgres/agents/agents/agents.ts';
import { findDelegate } from '@svc/postgres/agents/delegations/change-delegations.ts';
import type { EventActor } from '@svc/postgres/change/change.ts';
import type { TenantScope, TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { inWholeOrganization } from '@svc/postgres/connection/in-whole-organization.ts';
import { findMaker } from '@svc/postgres/people/auth/find-maker.ts';
import { listEnvironmentIds } from '@svc/postgres/tenancy/environments.ts';
import type { DelegationAsk } from './propose-delegation.ts';

export type SimulateDelegationInput = {
  readonly scope: TenantScope;
  readonly body: EndpointBody<Endpoints['simulateDelegation']>;
  /** A person or an API key, which may be limited to workspaces. */
  readonly caller: { readonly actor: EventActor; readonly workspaceIds: readonly string[] | null };
};

type Delegator = DelegationAsk['delegator'];
type Refused = Refusal<'NOT_FOUND' | 'VALIDATION_FAILED' | 'PERMISSION_DENIED'>;

const NOT_THE_DELEGATE = 'For a delegation below another one, the delegator must be the delegate of the parent; it can be omitted.';

const delegateOfParent = async (tx: TenantTransaction, asking: SimulateDelegationInput, parentId: string): Promise<Delegator | Refused> => {
  const id = await findDelegate(tx, asking.scope.organization_id, parentId);
  if (id === undefined) return buildRefusal('NOT_FOUND', 'There is no such delegation.');
  const { delegator } = asking.body;
  if (delegator && (delegator.type !== 'AGENT' || delegator.id !== id))
    return buildRefusal('VALIDATION_FAILED', NOT_THE_DELEGATE, { faults: [{ pointer: '/delegator', message: NOT_THE_DELEGATE }] });
  return { type: 'AGENT', id };
};

/**
 * Returns the delegator: the person, or for an API key the person who created it, who therefore can never approve requests under the
 * delegation.
 */
const readPerson = async (tx: TenantTransaction, asking: SimulateDelegationInput): Promise<Delegator | Refused> => {
  const { caller, scope, body } = asking;
  const id = await inWholeOrganization(tx, scope, () => findMaker(tx, scope.organization_id, caller.actor));
  if (id === undefined) return buildRefusal('PERMISSION_DENIED', 'The creator of this key is no longer a member.');
  if (body.delegator && body.delegator.id !== id) return buildRefusal('PERMISSION_DENIED', 'A user can delegate only in their own name.');
  return { type: 'USER', id };
};

const readDelegator = async (tx: TenantTransaction, asking: SimulateDelegationInput): Promise<Delegator | Refused> => {
  const { parent_id, delegator } = asking.body;
  if (parent_id != null) return await delegateOfParent(tx, asking, parent_id);
  if (delegator?.type !== 'AGENT') return await readPerson(tx, asking);
  const agent = await findAgent(tx, asking.scope.organization_id, delegator.id);
  return agent ? { type: 'AGENT', id: agent.id } : buildRefusal('NOT_FOUND', 'The agent does not exist.');
};

/**
 * Limits a delegation to the caller's workspaces, however far agents delegate further: without named environments it is for those the
 * caller sees.
 */
const withinReach = async (tx: TenantTransaction, { caller, scope, body }: SimulateDelegationInput): Promise<DelegationAsk['scope']> => {
  if (caller.workspaceIds === null || body.scope?.environments != null) return body.scope;
  const seen = await listEnvironmentIds(tx, scope.organization_id, LIMITS.delegations.listedMax);
  return { ...body.scope, environments: seen };
};

/** Returns the requested delegation: delegator, delegate and bounds. */
export const readRequestedDelegation = async (tx: TenantTransaction, asking: SimulateDelegationInput): Promise<DelegationAsk | Refused> => {
  const delegator = await readDelegator(tx, asking);
  if (isRefusal(delegator)) return delegator;
  const { delegator: _, parent_id = null, ...asked } = asking.body;
  const bounded = delegator.type === 'USER' ? await withinReach(tx, asking) : asked.scope;
  return { ...asked, ...(bounded ? { scope: bounded } : {}), parent_id, delegator };
};
