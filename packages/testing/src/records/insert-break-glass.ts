import { buildId } from '@svc/contract/tables/ids.ts';
import type { FreshDatabase } from '../database/database.ts';
import { newUlid } from './new-ulid.ts';

type GivenGrant = {
  readonly status?: 'PENDING' | 'ACTIVE';
  readonly mode?: 'TWO_PEOPLE' | 'SELF_WITH_NOTICE';
  readonly isExpired?: boolean;
  readonly isDrill?: boolean;
};

/** Inserts a break-glass grant of another person. Its reason is `word`. */
export const insertBreakGlass = async (
  database: FreshDatabase,
  organizationId: string,
  word: string,
  { status = 'PENDING', mode = 'TWO_PEOPLE', isExpired = false, isDrill = false }: GivenGrant = {},
): Promise<{ breakGlassId: string }> => {
  const client = await database.client();
  const breakGlassId = buildId('break_glass_grant', newUlid());
  const userId = buildId('user', newUlid());
  await client.query(
    `insert into break_glass_grants (organization_id, id, user_id, session_id, mode, status, reason, minutes, requested_at, request_expires_at,
       decided_by, decided_at, expires_at, drill)
     select $1, $2, $3, case when $8 then '' else 'ses_none' end, $4, $5, $6, 30, now(), now() + interval '15 minutes', d.by, d.at,
            d.at + make_interval(mins => $7), $8
       from (select case when $5 = 'ACTIVE' then 'usr_someone_else' end as by, case when $5 = 'ACTIVE' then now() end as at) d`,
    [organizationId, breakGlassId, userId, mode, status, word, isExpired ? 0 : 30, isDrill],
  );
  await client.end();
  return { breakGlassId };
};
