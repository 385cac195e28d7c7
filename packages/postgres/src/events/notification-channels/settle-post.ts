import { sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';

type Key = { readonly organization_id: string; readonly id: string };

/** How a channel stands after a post: what it is to hold, and when the next post may be made. */
export type SettledPost = {
  /** Whether it arrived; null where none was made. */
  readonly arrived: boolean | null;
  /** Whether a failure counts: that it asked to be left alone does not. */
  readonly counts: boolean;
  readonly gone: boolean;
  readonly error: string | null;
  readonly waitMs: number;
  /** Messages that are told, or to be told to nobody, each with how many it stood for then: one that stands for more by now is told again. */
  readonly done: readonly { readonly id: string; readonly gathered: number }[];
};

export type Standing = { readonly gone_answers: number; readonly failing_since: string | null };

/** Records what came of a post and lets the channel go. Undefined where this worker has it no more: then nothing is recorded. */
export const settlePost = async (
  tx: TenantTransaction,
  { organization_id, id, worker }: Key & { readonly worker: string },
  { arrived, counts, gone, error, waitMs, done }: SettledPost,
  now: Date,
): Promise<(Standing & { workspace_id: string | null; environment_id: string | null }) | undefined> => {
  const failed = arrived === false;
  const { rows } = await sql<Standing & { workspace_id: string | null; environment_id: string | null }>`
    update notification_channels set
           failures = case when ${arrived === true} then 0 else failures + ${failed && counts ? 1 : 0} end,
           gone_answers = case when ${gone} then gone_answers + 1 when ${arrived !== null} then 0 else gone_answers end,
           failing_since = case when ${arrived === true} then null when ${failed} then coalesce(failing_since, ${now}) else failing_since end,
           last_error = case when ${arrived === true} then null else coalesce(${error}, last_error) end,
           last_sent_at = case when ${arrived === true} then ${now} else last_sent_at end,
           due_at = statement_timestamp() + make_interval(secs => ${waitMs / 1000}::double precision),
           leased_by = null, leased_until = null
     where organization_id = ${organization_id} and id = ${id} and leased_by = ${worker}
    returning gone_answers, failing_since, workspace_id, environment_id`.execute(tx);
  if (rows[0] === undefined || done.length === 0) return rows[0];
  await sql`
    delete from channel_messages m using unnest(${done.map((each) => each.id)}::text[], ${done.map(({ gathered }) => gathered)}::int[]) as d (id, gathered)
     where m.organization_id = ${organization_id} and m.id = d.id and m.gathered <= d.gathered`.execute(tx);
  return rows[0];
};
