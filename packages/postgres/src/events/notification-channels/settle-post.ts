import { sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import type { LeasedChannel } from './lease-channels.ts';

/** How a channel stands after a post: what it is to hold, and when the next post may be made. */
export type SettledPost = {
  /** Whether it arrived; null where none was made. */
  readonly arrived: boolean | null;
  /** Whether a failure counts: that it asked to be left alone does not. */
  readonly counts: boolean;
  readonly gone: boolean;
  readonly error: string | null;
  readonly waitMs: number;
  /** Messages that are told, or to be told to nobody, each with how many it stood for then: of one that stands for more by now the rest is told. */
  readonly done: readonly { readonly id: string; readonly gathered: number }[];
};

export type Standing = { readonly gone_answers: number; readonly failing_since: string | null };

/**
 * Drops what is told. What came in meanwhile on one of these is left: how many that is and no more, for its name and its subject were those of
 * the first, and its time begins now. The rows are dropped first, so that whoever adds to one of them is waited for.
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

/** Records what came of a post and lets the channel go. Undefined where its lease is over or it is disabled: then nothing is recorded. */
export const settlePost = async (
  tx: TenantTransaction,
  { organization_id, id, lease }: LeasedChannel,
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
     where organization_id = ${organization_id} and id = ${id} and status = 'ACTIVE' and leased_by = ${lease}
    returning gone_answers, failing_since, workspace_id, environment_id`.execute(tx);
  if (rows[0] !== undefined) await forgetDone(tx, organization_id, done, now);
  return rows[0];
};
