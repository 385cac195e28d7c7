import { PERSONAL_PERMISSIONS } from '@svc/contract/automation.ts';
import type pg from 'pg';

type Key = {
  readonly id: string;
  readonly maker: string;
  readonly ends: number;
  readonly permissions: readonly string[];
  readonly places: readonly string[] | null;
};
type Member = {
  readonly user_id: string;
  readonly role: string;
  readonly permissions: readonly string[];
  readonly places: readonly string[] | null;
};
type Tool = {
  readonly risk_rating: string;
  readonly dangerous: boolean;
  readonly destination_allowlist: readonly string[];
  readonly id: string;
  readonly agents: readonly string[];
  readonly is_production: boolean;
};

/** Facts that no API key may widen, read by the owner of the database. */
export type HumanAccess = {
  /** Facts that may not change at all, by name: each row as text. */
  readonly fixed: Readonly<Record<string, string>>;
  readonly members: readonly Member[];
  readonly invitations: readonly { readonly id: string; readonly permissions: readonly string[] }[];
  readonly keys: readonly Key[];
  readonly sessions: readonly { readonly id: string; readonly expires: number; readonly stepped_up: number }[];
  readonly agents: readonly { readonly id: string; readonly status: string }[];
  readonly tools: readonly Tool[];
  /** Stops by people that are in effect. */
  readonly stopped: readonly { readonly id: string }[];
  readonly environments: readonly { readonly id: string; readonly mode: string; readonly requires_delegation: boolean }[];
};

/**
 * Queries of unchangeable facts: identities, sign-in settings, manual rates, and the rules in force. `$1` is the organization, `$2` its
 * people.
 */
const FIXED = {
  people: "select id, email, name, password_hash, email_verified_at, session_epoch from users where id = any ($2) and $1 <> ''",
  factors: "select * from second_factors where user_id = any ($2) and $1 <> ''",
  organization:
    'select require_mfa, allowed_networks, base_currency, time_zone, deletes_at from organizations where id = $1 and $2::text[] is not null',
  connections: 'select * from sso_connections where organization_id = $1 and $2::text[] is not null',
  domains: 'select * from sso_domains where organization_id = $1 and $2::text[] is not null',
  identities: 'select * from sso_identities where organization_id = $1 and $2::text[] is not null',
  directory: 'select * from scim_settings where organization_id = $1 and $2::text[] is not null',
  'manual rates':
    "select id, rate, deleted_at from exchange_rates where organization_id = $1 and source = 'MANUAL' and $2::text[] is not null",
  'versions in force': "select id from policy_versions where organization_id = $1 and status = 'ACTIVE' and $2::text[] is not null",
  'bindings in force':
    "select b.* from policy_bindings b where b.organization_id = $1 and $2::text[] is not null and exists (select from policy_versions v where v.organization_id = b.organization_id and v.policy_id = b.policy_id and v.status = 'ACTIVE')",
} as const;

const PERMISSIONS_OF = "coalesce((select r.permissions from roles r where r.id = x.role_id), '{}') as permissions";

const READ = {
  members: `select x.user_id, x.role_id as role, ${PERMISSIONS_OF}, case when x.is_limited then
      array(select w.workspace_id from member_workspaces w where w.organization_id = x.organization_id and w.member_id = x.id) end as places
      from members x where x.organization_id = $1`,
  invitations: `select x.id, ${PERMISSIONS_OF} from invitations x where x.organization_id = $1 and x.ended_at is null and not x.awaits_confirmation`,
  keys: `select x.id, x.created_by as maker, extract(epoch from x.expires_at)::float8 as ends, ${PERMISSIONS_OF}, x.workspace_ids as places
      from api_keys x where x.organization_id = $1`,
  sessions: `select id, extract(epoch from expires_at)::float8 as expires, coalesce(extract(epoch from stepped_up_until), 0)::float8 as stepped_up
      from sessions where organization_id = $1`,
  agents: 'select id, status from agents where organization_id = $1',
  tools: `select t.id, t.risk_rating, t.dangerous, t.destination_allowlist, e.type = 'PRODUCTION' as is_production,
      array(select a.agent_id from tool_agents a where a.organization_id = t.organization_id and a.tool_id = t.id) as agents
      from tools t join environments e on e.organization_id = t.organization_id and e.id = t.environment_id where t.organization_id = $1`,
  stopped: `select s.subject_id as id from stops_by_people s where s.organization_id = $1 and s.stop = 'STATUS' and (
      exists (select from agents a where a.organization_id = s.organization_id and a.id = s.subject_id and a.status <> 'ACTIVE')
      or exists (select from tools t where t.organization_id = s.organization_id and t.id = s.subject_id and t.status = 'DISABLED'))`,
  environments: 'select id, mode, requires_delegation from environments where organization_id = $1',
} as const;

const fixedOf = Object.entries(FIXED).map(
  ([name, query]) =>
    `'${name}', (select coalesce(string_agg(row, chr(10)), '') from (select to_jsonb(t)::text as row from (${query}) t order by 1) s)`,
);
const readOf = Object.entries(READ).map(([name, query]) => `(select coalesce(json_agg(t), '[]') from (${query}) t) as ${name}`);
const QUERY = `select json_build_object(${fixedOf.join(', ')}) as fixed, ${readOf.join(', ')}`;

export const readHumanAccess = async (db: pg.Client, organizationId: string, people: readonly string[]): Promise<HumanAccess> =>
  (await db.query(QUERY, [organizationId, people])).rows[0];

const RATINGS = ['LOW', 'MEDIUM', 'HIGH', 'CRITICAL'];

const isLoosened = (before: Tool, after: Tool): boolean =>
  RATINGS.indexOf(after.risk_rating) < RATINGS.indexOf(before.risk_rating) ||
  (before.dangerous && !after.dangerous) ||
  (after.destination_allowlist.length === 0 && before.destination_allowlist.length > 0) ||
  after.destination_allowlist.some((entry) => !before.destination_allowlist.includes(entry));

const MODES = ['OBSERVE', 'SIMULATE', 'ENFORCE'];

const by = <Item extends { readonly id: string }>(items: readonly Item[]): ReadonlyMap<string, Item> =>
  new Map(items.map((item) => [item.id, item]));

const isPersonal = (permission: string): boolean => PERSONAL_PERMISSIONS.has(permission);

/** True if everything in `inner` is in `outer`; null means all. */
const isWithin = (inner: readonly string[] | null, outer: readonly string[] | null): boolean =>
  outer === null || (inner?.every((each) => outer.includes(each)) ?? false);

const ofPeople = (before: HumanAccess, after: HumanAccess): string[] => {
  const found = Object.keys(FIXED).flatMap((name) => (before.fixed[name] === after.fixed[name] ? [] : [`${name} changed`]));
  const was = new Map(before.members.map((member) => [member.user_id, member]));
  const is = new Set(after.members.map(({ user_id }) => user_id));
  const owner = before.members.filter(({ permissions }) => permissions.includes('organization:delete'));
  found.push(...owner.flatMap(({ user_id }) => (is.has(user_id) ? [] : [`the owner ${user_id} was removed`])));
  for (const { user_id, role, permissions, places } of after.members) {
    const known = was.get(user_id);
    if (known === undefined) found.push(`${user_id} became a member`);
    else if (known.permissions.includes('organization:delete') && known.role !== role) found.push(`the owner ${user_id} was demoted`);
    else if (permissions.some((each) => isPersonal(each) && !known.permissions.includes(each))) found.push(`${user_id} may do more`);
    else if (permissions.some(isPersonal) && !isWithin(places, known.places)) found.push(`${user_id} may do more elsewhere`);
  }
  const open = by(before.invitations);
  for (const { id, permissions } of after.invitations)
    if (permissions.some(isPersonal) && !open.has(id)) found.push(`the invitation ${id} gives what only people give`);
  return found;
};

const ofCredentials = (before: HumanAccess, after: HumanAccess): string[] => {
  const found: string[] = [];
  const [keys, made, sessions] = [by(before.keys), by(after.keys), by(before.sessions)];
  for (const { id, maker, ends, permissions, places } of after.keys) {
    const [known, above] = [keys.get(id), made.get(maker)];
    if (known && ends > known.ends) found.push(`the key ${id} lives longer`);
    if (known) continue;
    if (above === undefined) found.push(`the key ${id} was made by no key`);
    else if (ends > above.ends || !isWithin(permissions, above.permissions) || !isWithin(places, above.places))
      found.push(`the key ${id} is more than its maker`);
  }
  for (const { id, expires, stepped_up } of after.sessions) {
    const known = sessions.get(id);
    if (!known || expires > known.expires || stepped_up > known.stepped_up) found.push(`the session ${id} is new, or more than it was`);
  }
  return found;
};

const ofRules = (before: HumanAccess, after: HumanAccess): string[] => {
  const found: string[] = [];
  const [agents, tools, environments] = [by(before.agents), by(after.tools), by(after.environments)];
  for (const { id, status } of after.agents)
    if ((agents.get(id)?.status === 'ISOLATED') !== (status === 'ISOLATED')) found.push(`the agent ${id} became ${status}`);
  const stopped = by(after.stopped);
  for (const { id } of before.stopped) if (!stopped.has(id)) found.push(`the stop of ${id} by a person was lifted`);
  for (const tool of before.tools) {
    const now = tools.get(tool.id);
    if (now && isLoosened(tool, now)) found.push(`the tool ${tool.id} was loosened`);
    if (now && (now.dangerous || now.risk_rating === 'CRITICAL') && now.is_production && !isWithin(now.agents, tool.agents))
      found.push(`an agent may use ${tool.id}`);
  }
  for (const { id, mode, requires_delegation } of before.environments) {
    const now = environments.get(id);
    if (now && (MODES.indexOf(now.mode) < MODES.indexOf(mode) || (requires_delegation && !now.requires_delegation)))
      found.push(`the environment ${id} enforces less`);
  }
  return found;
};

/**
 * Returns what was widened between two readings: identities, permissions, sign-in settings, lifetimes of keys, and what rules depend on.
 */
export const listWidenedAccess = (before: HumanAccess, after: HumanAccess): string[] => [
  ...ofPeople(before, after),
  ...ofCredentials(before, after),
  ...ofRules(before, after),
];
