import type { Delegation } from '@svc/contract/agents/delegations/shapes.ts';
import type { DelegationBounds } from '@svc/domain/agents/delegations/delegation.ts';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Tables } from '../../connection/tables.ts';

type Row = Selectable<Tables['delegations']>;

/** An expired delegation has ended, even if a job has not recorded it yet. */
export const statusAt = (now: Date): RawBuilder<Row['status']> =>
  sql<
    Row['status']
  >`case when delegations.status = 'ACTIVE' and delegations.expires_at <= ${now} then 'EXPIRED' else delegations.status end`;

export const readBounds = (row: Row): DelegationBounds => ({
  scope: { capabilities: row.capabilities, tools: row.tools, environments: row.environments, destinations: row.destinations },
  ceiling: { max_amount: row.max_amount, currency: row.currency, max_calls: row.max_calls, window_seconds: row.window_seconds },
  expires_at: row.expires_at,
  can_redelegate: row.can_redelegate,
  max_depth: row.max_depth,
});

/** The columns of bounds. */
export const toBoundsColumns = ({ scope, ceiling, ...rest }: DelegationBounds) => ({ ...scope, ...ceiling, ...rest, ...copied(scope) });

const copied = (scope: DelegationBounds['scope']) => ({
  capabilities: scope.capabilities && [...scope.capabilities],
  tools: scope.tools && [...scope.tools],
  environments: scope.environments && [...scope.environments],
  destinations: scope.destinations && [...scope.destinations],
});

const getDelegator = (row: Row): Delegation['delegator'] =>
  row.delegator_user_id === null ? { type: 'AGENT', id: row.delegator_agent_id ?? '' } : { type: 'USER', id: row.delegator_user_id };

export const toWire = (row: Row): Delegation => {
  const { scope, ceiling, ...bounds } = readBounds(row);
  return {
    id: row.id,
    parent_id: row.parent_id,
    delegator: getDelegator(row),
    delegate_agent_id: row.delegate_agent_id,
    scope: copied(scope),
    ceiling,
    ...bounds,
    depth: row.depth,
    status: row.status,
    backing: row.delegator_user_id === null ? null : row.backing,
    version: row.version,
    created_by: { type: row.created_by_type, id: row.created_by_id },
    created_at: row.created_at,
    updated_at: row.updated_at,
    ended_at: row.ended_at,
    ended_reason: row.ended_reason,
  };
};
