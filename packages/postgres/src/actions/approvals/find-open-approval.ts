import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { RequestHash } from '@svc/enforcement/facts/request-hash.ts';
import { sql } from 'kysely';
import type { Database } from '../../connection/connect.ts';
import { readInTenant } from '../../connection/in-tenant.ts';

/** Returns the newest approval of an agent for a request of this hash that is open, or was denied recently; null if there is none. */
export const findOpenApproval = (
  database: Database,
  organizationId: string,
  agentId: string,
  { keyed, unkeyed }: RequestHash,
): Promise<string | null> =>
  readInTenant(database, { organization_id: organizationId }, async (tx) => {
    const { rows } = await sql<{ readonly id: string }>`
      select id from approvals
       where organization_id = ${organizationId} and agent_id = ${agentId} and request_hash in (decode(${keyed}, 'hex'), decode(${unkeyed}, 'hex'))
         and ((status in ('PENDING', 'APPROVED') and expires_at > now())
              or (status = 'DENIED' and decided_at > now() - interval '1 millisecond' * ${LIMITS.mcpServers.deniedForMs}))
       order by requested_at desc, id desc limit 1`.execute(tx);
    return rows[0]?.id ?? null;
  });
