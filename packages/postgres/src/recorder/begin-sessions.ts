import type { PreparedConnection, PreparedStatement } from './prepared-connection.ts';

export type NewAgentSession = {
  readonly organization_id: string;
  readonly id: string;
  readonly agent_id: string;
  /** Hex SHA-256. */
  readonly nonce_hash: string;
  readonly generation: number;
  readonly series: number;
  readonly agent_epoch: number;
  readonly environment_id: string;
  readonly environment_epoch: number;
  readonly sdk: { readonly name: string; readonly version: string; readonly runtime: string };
  readonly created_at: string;
  readonly expires_at: string;
};

export type SessionOutcome = 'begun' | 'replayed' | 'moved';

/** The row that begins a session is the row that uses up the nonce: of parallel replays, on any gateway, one row goes in. */
const BEGIN_SESSIONS: PreparedStatement = {
  name: 'begin_sessions',
  text: `with fenced as materialized (
    select i.* from json_to_recordset($1::json) as i (organization_id text, id text, agent_id text, nonce_hash text, generation integer,
      series bigint, agent_epoch bigint, environment_id text, environment_epoch bigint, sdk json, created_at timestamptz, expires_at timestamptz)
    cross join lateral (select from agent_epochs a where a.organization_id = i.organization_id and a.agent_id = i.agent_id
      and a.epoch = i.agent_epoch limit 1) as its
    cross join lateral (select from environment_epochs e where e.organization_id = i.organization_id and e.environment_id = i.environment_id
      and e.epoch = i.environment_epoch limit 1) as around
  ), begun as (
    insert into agent_sessions (organization_id, id, agent_id, nonce_hash, generation, series, sdk, created_at, expires_at)
    select organization_id, id, agent_id, decode(nonce_hash, 'hex'), generation, series, sdk, created_at, expires_at from fenced
    on conflict (organization_id, agent_id, nonce_hash) do nothing
    returning id
  )
  select f.id, (b.id is not null) as begun from fenced f left join begun b on b.id = f.id`,
};

export const beginSessions = async (connection: PreparedConnection, sessions: readonly NewAgentSession[]): Promise<SessionOutcome[]> => {
  const rows = await connection.run<{ id: string; begun: boolean }>(BEGIN_SESSIONS, [JSON.stringify(sessions)]);
  const outcomes = new Map<string, SessionOutcome>(rows.map((row) => [row.id, row.begun ? 'begun' : 'replayed']));
  return sessions.map((session) => outcomes.get(session.id) ?? 'moved');
};
