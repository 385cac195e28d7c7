import type { Execution } from '@svc/contract/actions/decisions.ts';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';

export type ReportedOutcome = {
  readonly organization_id: string;
  readonly id: string;
  readonly status: 'COMPLETED' | 'FAILED';
  readonly execution: Execution;
  readonly now: Date;
};

/** Closes an action that waits for its agent's report; false when it waits for none. An observed action stays one. */
export const reportOutcome = async (tx: TenantTransaction, outcome: ReportedOutcome): Promise<boolean> => {
  const { rows } = await sql`
    update actions set status = case when status = 'OBSERVED' then status else ${outcome.status} end,
           execution = ${JSON.stringify(outcome.execution)}::json, completed_at = ${outcome.now}
     where organization_id = ${outcome.organization_id} and id = ${outcome.id} and status in ('ALLOWED', 'OBSERVED')
       and completed_at is null and execution ->> 'state' = 'BY_AGENT'
    returning id`.execute(tx);
  return rows.length === 1;
};
