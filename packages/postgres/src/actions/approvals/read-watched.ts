import { sql } from 'kysely';
import type { Database } from '../../connection/connect.ts';

/** The columns of an approval that show a change. */
export type WatchedApproval = {
  readonly id: string;
  readonly status: string;
  readonly wording: number;
  readonly open_question: number | null;
  readonly is_over: boolean;
};

/**
 * Reads the status of approvals of any tenant, in one statement for all waiting requests; by the role with access to these columns of all.
 */
export const readWatched = async (
  recorder: Database,
  ids: readonly string[],
  organizationIds: readonly string[],
): Promise<readonly WatchedApproval[]> => {
  const { rows } = await sql<WatchedApproval>`
    select p.id, p.status, p.wording, p.open_question, p.expires_at <= now() as is_over
      from unnest(${[...organizationIds]}::text[], ${[...ids]}::text[]) as w (organization_id, id)
      join approvals p on p.organization_id = w.organization_id and p.id = w.id`.execute(recorder);
  return rows;
};
