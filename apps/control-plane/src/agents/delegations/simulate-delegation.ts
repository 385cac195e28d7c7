import type { DelegationSimulation } from '@svc/contract/agents/delegations/shapes.ts';
import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import type { Chain, DelegationBounds } from '@svc/domain/agents/delegations/delegation.ts';
import { refuseEscalation } from '@svc/domain/agents/delegations/escalation-refusal.ts';
import { isOwnGrants } from '@svc/domain/agents/delegations/own-grants.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { readRequestedDelegation } from '@svc/operations/agents/delegations/delegation-ask.ts';
import { type DelegationAsk, proposeDelegation } from '@svc/operations/agents/delegations/propose-delegation.ts';
import { findParentId } from '@svc/postgres/agents/delegations/change-delegations.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import type { AgentsDeps } from '../deps.ts';

const refusedAs = (code: string, reason: string, fields: DelegationSimulation['fields'] = []): DelegationSimulation => ({
  permitted: false,
  code,
  reason,
  fields,
  warnings: [],
  delegation: null,
});

const wouldBe = ({ delegator, delegate_agent_id }: DelegationAsk, chain: Chain | null, { scope, ...rest }: DelegationBounds) => ({
  parent_id: findParentId(chain),
  delegator,
  delegate_agent_id,
  ...rest,
  scope: {
    capabilities: scope.capabilities && [...scope.capabilities],
    tools: scope.tools && [...scope.tools],
    environments: scope.environments && [...scope.environments],
    destinations: scope.destinations && [...scope.destinations],
  },
  depth: (chain ?? []).filter((link) => !isOwnGrants(link)).length,
});

/** True if the refusal is an error of the request itself. Other refusals are the result of the simulation. */
const isFault = (refused: Refusal): refused is Refusal<'NOT_FOUND' | 'VALIDATION_FAILED' | 'PERMISSION_DENIED'> =>
  ['NOT_FOUND', 'VALIDATION_FAILED', 'PERMISSION_DENIED'].includes(refused.refused);

/** Simulates a delegation: no row, no event, no lock. */
export const simulateDelegation: Handler<Endpoints['simulateDelegation'], AgentsDeps> = (call) =>
  readInTenant(call.database, call.scope, async (tx) => {
    const ask = await readRequestedDelegation(tx, call);
    if (isRefusal(ask)) return ask;
    const proposed = await proposeDelegation(tx, call.scope, ask, { now: call.now, lock: false });
    if (isRefusal(proposed)) return isFault(proposed) ? proposed : refusedAs(proposed.refused, proposed.message ?? '');
    const { plan, warnings } = proposed;
    if (plan.outcome === 'escalates') {
      const { refused, message = '' } = refuseEscalation(null, plan.faults);
      return refusedAs(refused, message, [...plan.faults]);
    }
    const reason = 'The delegation would be made.';
    const shown = warnings.map(({ fields, ...rest }) => ({ ...rest, fields: [...fields] }));
    return { permitted: true, code: null, reason, fields: [], warnings: shown, delegation: wouldBe(ask, plan.chain, plan.bounds) };
  });
