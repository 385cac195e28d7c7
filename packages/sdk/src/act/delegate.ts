import { callGateway, type GatewayConnection } from '../exchange/call-gateway.ts';
import type { NewDelegation } from '../wire/answers.ts';
import type { DelegateOptions, DelegationCeiling } from '../wire/options.ts';
import { isNewDelegation } from '../wire/read-answers.ts';
import { HEADER_NAMES, PATHS } from '../wire/wire-format.ts';
import { getIdempotencyKey } from './idempotency-key.ts';

const getCeiling = ({ maxAmount, currency, maxCalls, windowSeconds }: DelegationCeiling) => ({
  max_amount: maxAmount,
  currency,
  max_calls: maxCalls,
  window_seconds: windowSeconds,
});

const getTime = (given: Date | string | null | undefined): string | null | undefined =>
  given instanceof Date ? given.toISOString() : given;

/** Delegates part of the agent's authority. Sent with an idempotency key, so that it is created once even if responses are lost. */
export const delegate = (connection: GatewayConnection, delegateAgentId: string, options: DelegateOptions): Promise<NewDelegation> => {
  const { parentId, scope, ceiling, expiresAt, canRedelegate, maxDepth } = options;
  const body = JSON.stringify({
    delegate_agent_id: delegateAgentId,
    parent_id: parentId,
    scope,
    ceiling: ceiling && getCeiling(ceiling),
    expires_at: getTime(expiresAt),
    can_redelegate: canRedelegate,
    max_depth: maxDepth,
  });
  const headers = { [HEADER_NAMES.idempotencyKey]: getIdempotencyKey(options.idempotencyKey) };
  return callGateway(connection, { method: 'POST', path: PATHS.delegations, body, headers }, isNewDelegation, options);
};
