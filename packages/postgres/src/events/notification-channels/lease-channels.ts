import { LIMITS } from '@svc/contract/tables/limits.ts';
import { sql } from 'kysely';
import type { Database } from '../../connection/connect.ts';

/** A channel that a worker posts to, for as long as its lease: a word that no other lease of this channel has had. */
export type LeasedChannel = { readonly id: string; readonly organization_id: string; readonly lease: string };

const { concurrentSendsPerOrganizationMax, leaseMs } = LIMITS.channels;
const now = sql`statement_timestamp()`;
const IS_FREE = sql`c.status = 'ACTIVE' and c.due_at <= ${now} and (c.leased_until is null or c.leased_until < ${now})`;

/**
 * Leases due channels with waiting messages, all with one new lease: a bounded number per organization over all
 * workers, round-robin by organization.
 */
export const leaseChannels = async (reader: Database, lease: string, limit: number): Promise<LeasedChannel[]> => {
  const { rows } = await sql<LeasedChannel>`
    with recursive waiting as (
      (select channel_id from channel_messages order by channel_id limit 1)
       union all
      select (select m.channel_id from channel_messages m where m.channel_id > w.channel_id order by m.channel_id limit 1)
        from waiting w where w.channel_id is not null),
    held as (
      select organization_id, count(*) as channels from notification_channels where leased_until >= ${now} group by organization_id),
    ready as (
      select c.id, c.due_at, coalesce(h.channels, 0) + row_number() over (partition by c.organization_id order by c.due_at, c.id) as place
        from waiting w join notification_channels c on c.id = w.channel_id left join held h on h.organization_id = c.organization_id
       where ${IS_FREE}),
    next as materialized (select id from ready where place <= ${concurrentSendsPerOrganizationMax} order by place, due_at limit ${limit})
    update notification_channels c set leased_by = ${lease}, leased_until = ${now} + make_interval(secs => ${leaseMs / 1000}::double precision)
      from next where c.id = next.id and ${IS_FREE}
    returning c.id, c.organization_id, c.leased_by as lease`.execute(reader);
  return rows;
};

/** Releases the unused leases of a stopping worker. */
export const leaveChannels = async (reader: Database, leases: readonly string[]): Promise<void> => {
  if (leases.length === 0) return;
  await sql`update notification_channels set leased_by = null, leased_until = null where leased_by = any(${leases}::text[])`.execute(
    reader,
  );
};
