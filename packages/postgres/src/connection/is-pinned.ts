import { sql } from 'kysely';
import type { Database } from './connect.ts';

/** True if the server has the settings that this connection asked for at its start. A pooler that drops them leaves those of the server. */
export const isPinned = async (database: Database): Promise<boolean> => {
  const { rows } = await sql<{ pinned: string | null }>`select current_setting('svc.pinned', true) as pinned`.execute(database);
  return rows[0]?.pinned === 'true';
};
