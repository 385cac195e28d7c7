import type pg from 'pg';

export type Generated = {
  readonly organizationId: string;
  readonly workspaceId: string;
  readonly environmentId: string;
  readonly events: number;
};

const AT_ONCE = 250_000;
const DAYS = 30;

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** Ten characters of a time, and sixteen of a text's hash: inlined, since it is computed for millions of rows. */
const ulid = (ms: string, seed: string): string => {
  const chars = Array.from({ length: 10 }, (_, n) => `substr('${ALPHABET}', 1 + (((${ms}) >> ${5 * (9 - n)}) & 31)::int, 1)`);
  return `${chars.join(' || ')} || upper(substr(md5(${seed}), 1, 16))`;
};

/** Rare values are as rare as their names: of five million events, some hundreds, some tens, and some. */
const EVENTS = `
  with made as materialized (
    select n, ms, ${ulid('ms - ms % 7', "'s' || n / 2")} as cause,
           'agt_01JXRT7K00' || upper(substr(md5('a' || n / 2 % 200), 1, 16)) as agent
      from (select n, $4::bigint + ($5::bigint * n / $6::bigint) as ms from generate_series($7::bigint, $8::bigint) n) as timed
  )
  insert into audit_events (organization_id, id, type, occurred_at, workspace_id, environment_id, actor_type, actor_id, actor_name, subject_type,
    subject_id, severity, request_id, trace_id, data)
  select $1, 'evt_' || ${ulid('ms', "'e' || n")},
         case when n % 10007 = 5 then 'policy.activated' when n % 1000003 = 7 then 'organization.updated' when n % 2 = 0 then 'action.requested'
              when n % 50 = 1 then 'action.blocked' else 'action.allowed' end,
         to_timestamp(ms / 1000.0), $2, $3, case when n % 10007 = 5 then 'USER' else 'AGENT' end,
         case when n % 500009 = 11 then 'agt_000000000000000000000RARE' else agent end, 'Agent',
         'action', 'act_' || cause, case when n % 50021 = 13 then 'critical' when n % 50 = 1 then 'warning' else 'info' end,
         'req_' || cause, md5('t' || n / 2),
         ('{"agent_id":"' || agent || '","tool":"payments.' || (array['refund', 'charge', 'payout', 'list'])[1 + n % 4]
           || '","decision":"ALLOW","status":"EXECUTED","mode":"ENFORCE","code":null,"invoice":"inv-' || n || '","note":"'
           || case when n % 100003 = 17 then 'quarterly reconciliation' else 'ordinary' end || '"}')::json
    from made`;

/** Generates so many events of one organization, spread over the last days, and sealed without hashes. */
export const generateEvents = async (owner: pg.Client, made: Generated): Promise<void> => {
  const spanMs = DAYS * 86_400_000;
  const first = Date.now() - 120_000 - spanMs;
  await owner.query('set synchronous_commit = off');
  for (let from = 0; from < made.events; from += AT_ONCE) {
    const to = Math.min(made.events, from + AT_ONCE) - 1;
    await owner.query(EVENTS, [made.organizationId, made.workspaceId, made.environmentId, first, spanMs, made.events, from, to]);
  }
  await owner.query('reset synchronous_commit');
  await owner.query('vacuum analyze audit_events');
};

const SEALED = `
  insert into audit_leaves (organization_id, leaf_index, event_id, leaf_hash)
  select organization_id, row_number() over (order by id) - 1, id, '\\x00' from audit_events where organization_id = $1`;

/**
 * Marks everything as sealed and read by every consumer: positions without hashes, which suffice for a search. So many events of one
 * transaction, which no operation writes, would be sorted again for each of their pages.
 */
export const sealAll = async (owner: pg.Client, organizationId: string): Promise<void> => {
  await owner.query('delete from audit_leaves where organization_id = $1', [organizationId]);
  await owner.query(SEALED, [organizationId]);
  await owner.query(
    `insert into audit_trees (organization_id, size, root_hash, edge, checkpoint)
     select $1, (select count(*) from audit_leaves where organization_id = $1), '\\x', '\\x', ''
     on conflict (organization_id) do update set size = excluded.size`,
    [organizationId],
  );
  await owner.query(
    `insert into feed_positions (consumer, transaction_id, id)
     select consumer, pg_snapshot_xmin(pg_current_snapshot()), '' from unnest('{seal-events,notices,webhooks}'::text[]) as consumer
     on conflict (consumer) do update set transaction_id = excluded.transaction_id, id = ''`,
  );
  await owner.query('vacuum analyze audit_leaves');
};
