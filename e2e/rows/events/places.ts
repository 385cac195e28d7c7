import type { AuditSubject } from '@svc/contract/audit-subjects.ts';
import type pg from 'pg';

type Place = { readonly organization_id: string; readonly workspace_id: string | null; readonly environment_id: string | null };
type Event = Place & {
  readonly actor_type: string;
  readonly actor_id: string;
  readonly subject_type: AuditSubject;
  readonly subject_id: string;
};

const NAMES: Readonly<Record<string, string>> = { USER: 'users', API_KEY: 'api_keys', AGENT: 'agents' };

const first = async <Row extends pg.QueryResultRow>(database: pg.Client, text: string, id: string): Promise<Row | undefined> =>
  (await database.query<Row>(text, [id])).rows[0];

/** What whoever did it is called; null for what has no name. A person who changes theirs did so under the one before. */
export const nameOf = async (
  database: pg.Client,
  { actor_type, actor_id, subject_id, data }: Event & { readonly data: { readonly before?: { readonly name?: string } } },
): Promise<string | null> => {
  if (actor_id === subject_id && data.before?.name !== undefined) return data.before.name;
  if (actor_id === 'scim') return 'Directory';
  const table = NAMES[actor_type];
  return table === undefined
    ? null
    : ((await first<{ name: string }>(database, `select name from ${table} where id = $1`, actor_id))?.name ?? null);
};

export const placeOf = ({ organization_id, workspace_id, environment_id }: Place): Place => ({
  organization_id,
  workspace_id,
  environment_id,
});

const own = (table: string) => `select organization_id, workspace_id, environment_id from ${table} where id = $1`;
const ofAgent = (table: string, column: string) =>
  `select t.organization_id, a.workspace_id, a.environment_id from ${table} t join agents a on a.id = t.${column} where t.id = $1`;
const wide = (table: string) => `select organization_id, null as workspace_id, null as environment_id from ${table} where id = $1`;

/**
 * Where a subject lies, by the rows that say it; what lies nowhere narrower is of the organization as a whole. Null where no row says it: a
 * person is of many organizations, a policy lies where it is bound, a session where its agent does, a notification where what it tells of does.
 */
const PLACES: Readonly<Record<AuditSubject, string | null>> = {
  action: own('actions'),
  agent: own('agents'),
  api_key: `select organization_id, case when cardinality(workspace_ids) = 1 then workspace_ids[1] end as workspace_id, null as environment_id
    from api_keys where id = $1`,
  approval: own('approvals'),
  credential: own('credentials'),
  delegation: ofAgent('delegations', 'delegate_agent_id'),
  environment: 'select organization_id, workspace_id, id as environment_id from environments where id = $1',
  exchange_rate: wide('exchange_rates'),
  invitation: wide('invitations'),
  member: wide('members'),
  notification: null,
  notification_channel: own('notification_channels'),
  organization: 'select id as organization_id, null as workspace_id, null as environment_id from organizations where id = $1',
  passport: ofAgent('passports', 'agent_id'),
  policy: null,
  policy_invariant: null,
  role: wide('roles'),
  session: null,
  sso_connection: wide('sso_connections'),
  tool: own('tools'),
  user: null,
  webhook_subscription: own('webhook_subscriptions'),
  workspace: 'select organization_id, id as workspace_id, null as environment_id from workspaces where id = $1',
};

/** Undefined where no row says it, and where what it was about is gone. */
export const placeOfSubject = async (database: pg.Client, { subject_type, subject_id }: Event): Promise<Place | undefined> => {
  const text = PLACES[subject_type];
  return text === null ? undefined : await first<Place>(database, text, subject_id);
};
