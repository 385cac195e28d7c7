import { sql } from 'kysely';
import type { Database } from '../connection/connect.ts';
import { readInTenant } from '../connection/in-tenant.ts';

type Row = { readonly epoch: number };

export const readEnvironmentEpoch = async (database: Database, organizationId: string, id: string): Promise<number | undefined> => {
  const { rows } = await readInTenant(database, { organization_id: organizationId }, (tx) =>
    sql<Row>`select epoch from environment_epochs where organization_id = ${organizationId} and environment_id = ${id}`.execute(tx),
  );
  return rows[0]?.epoch;
};

export const readAgentEpoch = async (database: Database, organizationId: string, id: string): Promise<number | undefined> => {
  const { rows } = await readInTenant(database, { organization_id: organizationId }, (tx) =>
    sql<Row>`select epoch from agent_epochs where organization_id = ${organizationId} and agent_id = ${id}`.execute(tx),
  );
  return rows[0]?.epoch;
};
