import type { Database } from '../../connection/connect.ts';

/** Whether a session was opened by a single sign-on connection of its organization. */
export const isSsoSession = async (identity: Database, organizationId: string, sessionId: string): Promise<boolean> =>
  (await identity
    .selectFrom('sso_sessions')
    .select('session_id')
    .where('organization_id', '=', organizationId)
    .where('session_id', '=', sessionId)
    .executeTakeFirst()) !== undefined;
