import { TEST_AUTHENTICATOR } from '@svc/testing/database/master-key.ts';
import type pg from 'pg';

/** Actions that the gateway records together. */
const TOGETHER = 32;

/** Computes the MACs of the written rows, for their stated leaf hashes. */
const authenticate = async (owner: pg.Client): Promise<void> => {
  const { rows } = await owner.query<{ organization_id: string; id: string; hash: string }>(
    "select organization_id, id, encode(leaf_hash, 'hex') as hash from audit_events where mac is null",
  );
  await owner.query(
    `update audit_events e set mac = decode(made.mac, 'hex') from unnest($1::text[], $2::text[], $3::text[]) as made (organization_id, id, mac)
      where e.organization_id = made.organization_id and e.id = made.id`,
    [
      rows.map(({ organization_id }) => organization_id),
      rows.map(({ id }) => id),
      rows.map(({ organization_id, id, hash }) => TEST_AUTHENTICATOR.mac(organization_id, id, hash)),
    ],
  );
};

/**
 * Writes the two events of each action like the gateway: some actions per transaction, rotating between organizations. Each states a leaf
 * hash, here an arbitrary one: the sealer uses it as it is.
 */
export const writeActions = async (
  owner: pg.Client,
  { actions, organizations }: { actions: number; organizations: number },
): Promise<void> => {
  const round = String(Date.now());
  await owner.query('set synchronous_commit = off');
  for (let from = 0; from < actions; from += TOGETHER)
    await owner.query(
      `insert into audit_events (organization_id, id, type, occurred_at, workspace_id, environment_id, actor_type, actor_id, actor_name,
          subject_type, subject_id, severity, request_id, trace_id, data, leaf_hash)
       select 'org_' || lpad((n % $3)::text, 26, '0'), 'evt_' || $1 || lpad((n * 2 + k)::text, 13, '0'), t, date_trunc('milliseconds', now()),
          'wsp_01KAN3Z2M8Q4V6X9T1B5C7D0EF', 'env_01KAN3Z2M8Q4V6X9T1B5C7D0EG', 'AGENT', 'agt_01KAN3Z2M8Q4V6X9T1B5C7D0EH', 'refunds',
          'action', 'act_01KAN3Z2M8' || lpad(n::text, 16, '0'), 'info', 'req_01KAN3Z2M8' || lpad(n::text, 16, '0'), md5(n::text),
          jsonb_build_object('agent_id', 'agt_01KAN3Z2M8Q4V6X9T1B5C7D0EH', 'tool', 'stripe.refund')
            || case k when 0 then '{}' else '{"decision":"ALLOW","status":"AUTHORIZED","mode":"ENFORCE","code":null}'::jsonb end,
          sha256(convert_to($1 || n || t, 'UTF8'))
         from generate_series($2::int, $2::int + ${TOGETHER - 1}) n, (values (0, 'action.requested'), (1, 'action.allowed')) kinds (k, t)`,
      [round, from, organizations],
    );
  await authenticate(owner);
  await owner.query('vacuum analyze audit_events');
};
