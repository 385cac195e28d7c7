import type { Endpoints } from '@svc/contract/endpoints.ts';
import { LIMITS } from '@svc/contract/limits.ts';
import { isRefusal, type Refusal, refusal } from '@svc/contract/refusal.ts';
import type { Call } from '@svc/http/call.ts';
import { findAgent } from '@svc/postgres/agents.ts';
import { findDelegateOf } from '@svc/postgres/delegations/change-delegations.ts';
import { inWholeOrganization } from '@svc/postgres/delegations/in-whole-organization.ts';
import type { DelegationAsk } from '@svc/postgres/delegations/propose-delegation.ts';
import { listEnvironmentIds } from '@svc/postgres/environments.ts';
import { findMaker } from '@svc/postgres/find-maker.ts';
import type { TenantTransaction } from '@svc/postgres/in-tenant.ts';

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
 * Authority that a key of one workspace begins ends with that workspace, however far agents hand it on: without naming environments it is
 * for those the key sees.
 */
const withinKey = async (tx: TenantTransaction, { caller, scope, body }: Asking): Promise<DelegationAsk['scope']> => {
  if (caller.workspaceId === null || body.scope?.environments != null) return body.scope;
  const seen = await listEnvironmentIds(tx, scope.organization_id, LIMITS.delegations.listedMax);
  return { ...body.scope, environments: seen };
};

/** Who hands on what to whom. */
export const askOf = async (tx: TenantTransaction, call: Asking): Promise<DelegationAsk | Refused> => {
  const delegator = await delegatorOf(tx, call);
  if (isRefusal(delegator)) return delegator;
  const { delegator: _, parent_id = null, ...asked } = call.body;
  const bounded = delegator.type === 'USER' ? await withinKey(tx, call) : asked.scope;
  return { ...asked, ...(bounded ? { scope: bounded } : {}), parent_id, delegator };
};
