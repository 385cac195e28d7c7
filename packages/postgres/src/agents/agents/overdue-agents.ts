import type { AgentStatus } from '@svc/contract/tables/vocabulary.ts';
import { sql } from 'kysely';
import type { Database } from '../../connection/connect.ts';
import type { TenantTransaction } from '../../connection/in-tenant.ts';

const OVERDUE = sql`a.expires_at <= now() and a.status in ('ACTIVE', 'PAUSED', 'SUSPENDED', 'ISOLATED')`;

/** Organizations with an agent whose end has come and was not written down; by the clock of the database. */
export const findOrganizationsWithOverdueAgents = async (identity: Database): Promise<string[]> => {
  const { rows } = await sql<{ organization_id: string }>`select distinct a.organization_id from agents a where ${OVERDUE}`.execute(
    identity,
  );
  return rows.map(({ organization_id }) => organization_id);
};

export type OverdueAgent = {
  readonly id: string;
  readonly status: AgentStatus;
  readonly expires_at: string;
  readonly workspace_id: string;
  readonly environment_id: string;
};

/** Locks one agent that is due to end; agents that are being changed are skipped. */
export const lockOverdueAgent = async (tx: TenantTransaction, organizationId: string): Promise<OverdueAgent | undefined> => {
  const { rows } = await sql<OverdueAgent>`
    select a.id, a.status, a.expires_at, a.workspace_id, a.environment_id from agents a
     where a.organization_id = ${organizationId} and ${OVERDUE} order by a.expires_at limit 1 for update skip locked`.execute(tx);
  return rows[0];
};
