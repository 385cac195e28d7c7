import { sql } from 'kysely';
import type { Database } from '../../connection/connect.ts';

/** True if a mail waits for another attempt, and none was sent since it was created. An attempt that is under way clears the failure. */
export const isMailFailing = async (identity: Database): Promise<boolean> => {
  const { rows } = await sql<{ failing: boolean }>`
    select exists (
      select from mails where state = 'WAITING' and attempts > 0 and (failure is not null or attempts > 1)
         and created_at > coalesce((select max(s.ended_at) from mails s where s.state = 'SENT'), '-infinity')) as failing`.execute(
    identity,
  );
  return rows[0]?.failing ?? false;
};
