import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal, type Refusal, refusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Call } from '@svc/http/calls/call.ts';
import { findAgent } from '@svc/postgres/agents/agents/agents.ts';
import { findDelegateOf } from '@svc/postgres/agents/delegations/change-delegations.ts';
import { inWholeOrganization } from '@svc/postgres/agents/delegations/in-whole-organization.ts';
import type { DelegationAsk } from '@svc/postgres/agents/delegations/propose-delegation.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { findMaker } from '@svc/postgres/people/auth/find-maker.ts';
import { listEnvironmentIds } from '@svc/postgres/tenancy/environments.ts';

type Asking = Pick<Call<Endpoints['simulateDelegation']>, 'caller' | 'scope' | 'body' | 'fault'>;
type Delegator = DelegationAsk['delegator'];
type Refused = Refusal<'NOT_FOUND' | 'VALIDATION_FAILED' | 'PERMISSION_DENIED'>;

const delegateOfParent = async (tx: TenantTransaction, call: Asking, parentId: string): Promise<Delegator | Refused> => {
  const id = await findDelegateOf(tx, call.scope.organization_id, parentId);
  if (id === undefined) return refusal('NOT_FOUND', 'There is no such delegation.');
  const { delegator } = call.body;
  if (delegator && (delegator.type !== 'AGENT' || delegator.id !== id))
    return call.fault('/delegator', 'Below another delegation the delegator is the agent that was given it; it can be left out.');
  return { type: 'AGENT', id };
};

/** A person delegates in their own name; with an API key it is the name of whoever made the key, who so never approves what comes of it. */
const personOf = async (tx: TenantTransaction, call: Asking): Promise<Delegator | Refused> => {
  const { caller, scope, body } = call;
  const id = await inWholeOrganization(tx, scope, () => findMaker(tx, scope.organization_id, caller.actor));
  if (id === undefined) return refusal('PERMISSION_DENIED', 'The person who made this key is no longer a member.');
  if (body.delegator && body.delegator.id !== id) return refusal('PERMISSION_DENIED', 'A person delegates only in their own name.');
  return { type: 'USER', id };
};

const delegatorOf = async (tx: TenantTransaction, call: Asking): Promise<Delegator | Refused> => {
  const { parent_id, delegator } = call.body;
  if (parent_id != null) return await delegateOfParent(tx, call, parent_id);
  if (delegator?.type !== 'AGENT') return await personOf(tx, call);
  const agent = await findAgent(tx, call.scope.organization_id, delegator.id);
  return agent ? { type: 'AGENT', id: agent.id } : refusal('NOT_FOUND', 'There is no such agent.');
};

/**
 * Authority that is begun by whoever is limited to workspaces ends with these, however far agents hand it on: without naming environments it
 * is for those the caller sees.
 */
const withinReach = async (tx: TenantTransaction, { caller, scope, body }: Asking): Promise<DelegationAsk['scope']> => {
  if (caller.workspaceIds === null || body.scope?.environments != null) return body.scope;
  const seen = await listEnvironmentIds(tx, scope.organization_id, LIMITS.delegations.listedMax);
  return { ...body.scope, environments: seen };
};

/** Who hands on what to whom. */
export const askOf = async (tx: TenantTransaction, call: Asking): Promise<DelegationAsk | Refused> => {
  const delegator = await delegatorOf(tx, call);
  if (isRefusal(delegator)) return delegator;
  const { delegator: _, parent_id = null, ...asked } = call.body;
  const bounded = delegator.type === 'USER' ? await withinReach(tx, call) : asked.scope;
  return { ...asked, ...(bounded ? { scope: bounded } : {}), parent_id, delegator };
};
