import type { HeldTools } from '@svc/domain/tools/declaration/environment-capacity.ts';
import { sql } from 'kysely';
import type { TenantTransaction } from '../connection/in-tenant.ts';

/** Bytes of a declaration as JSON, of a row of tools. */
export const DECLARED_BYTES = sql<number>`octet_length(parameters_schema::text) + coalesce(octet_length(execution::text), 0)`;

/** Returns the total size of an environment's tools. */
export const measureTools = async (tx: TenantTransaction, organizationId: string, environmentId: string): Promise<HeldTools> => {
  const { rows } = await sql<HeldTools>`
    select count(*)::integer as tools, coalesce(sum(${DECLARED_BYTES}), 0)::bigint::float8 as bytes
      from tools where organization_id = ${organizationId} and environment_id = ${environmentId}`.execute(tx);
  return rows[0] ?? { tools: 0, bytes: 0 };
};
