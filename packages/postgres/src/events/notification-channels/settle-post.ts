import { sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import type { LeasedChannel } from './lease-channels.ts';

/** The state of a channel after a post: failures, and the time of the next post. */
export type SettledPost = {
  /** True if it arrived; null if none was made. */
  readonly arrived: boolean | null;
  /** True if a failure counts: a request to wait does not. */
  readonly counts: boolean;
  readonly gone: boolean;
  readonly error: string | null;
  readonly waitMs: number;
  /** Messages that are posted, or dropped, each with its count at that time: a higher count now is posted later. */
  readonly done: readonly { readonly id: string; readonly gathered: number }[];
};

export type ChannelState = { readonly gone_answers: number; readonly failing_since: string | null };

/**
 * Deletes posted messages. Additions meanwhile are left as a count, without name and subject, which were those of the first, and with a new
 * time. Rows are deleted first, so that a concurrent addition waits.
 */
const forgetDone = async (tx: TenantTransaction, organizationId: string, done: SettledPost['done'], now: Date): Promise<void> => {
  if (done.length === 0) return;
  const asDone = sql`
    unnest(${done.map(({ id }) => id)}::text[], ${done.map(({ gathered }) => gathered)}::int[]) as d (id, gathered)`;
  await sql`
    delete from channel_messages m using ${asDone}
     where m.organization_id = ${organizationId} and m.id = d.id and m.gathered <= d.gathered`.execute(tx);
  await sql`
    update channel_messages m set gathered = m.gathered - d.gathered, subject_id = null, facts = '{}', created_at = ${now} from ${asDone}
     where m.organization_id = ${organizationId} and m.id = d.id`.execute(tx);
};

/** Records the result of a post and releases the channel. Undefined if its lease expired or it is disabled: then nothing is recorded. */
export const settlePost = async (
  tx: TenantTransaction,
  { organization_id, id, lease }: LeasedChannel,
  { arrived, counts, gone, error, waitMs, done }: SettledPost,
  now: Date,
): Promise<(ChannelState & { workspace_id: string | null; environment_id: string | null }) | undefined> => {
  const failed = arrived === false;
  const { rows } = await sql<ChannelState & { workspace_id: string | null; environment_id: string | null }>`
    update notification_channels set
           failures = case when ${arrived === true} then 0 else failures + ${failed && counts ? 1 : 0} end,
           gone_answers = case when ${gone} then gone_answers + 1 when ${arrived !== null} then 0 else gone_answers end,
           failing_since = case when ${arrived === true} then null when ${failed} then coalesce(failing_since, ${now}) else failing_since end,
           last_error = case when ${arrived === true} then null else coalesce(${error}, last_error) end,
           last_sent_at = case when ${arrived === true} then ${now} else last_sent_at end,
           due_at = statement_timestamp() + make_interval(secs => ${waitMs / 1000}::double precision),
           leased_by = null, leased_until = null
     where organization_id = ${organization_id} and id = ${id} and status = 'ACTIVE' and leased_by = ${lease}
    returning gone_answers, failing_since, workspace_id, environment_id`.execute(tx);
  if (rows[0] !== undefined) await forgetDone(tx, organization_id, done, now);
  return rows[0];
};
