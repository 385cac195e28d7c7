import type { AuditSubject } from '@svc/contract/audit-subjects.ts';

/** Where in the organization something lies; null for each part that is wider. */
type Place = { readonly workspace_id: string | null; readonly environment_id: string | null };

/** The place of what no narrower one is known of. */
export const EVERYWHERE: Place = { workspace_id: null, environment_id: null };

declare const made: unique symbol;

/** What an event is about, and where that lies. Made here alone, so that no event is told of a noun there is not, or without its place. */
export type About = Place & {
  readonly subject: { readonly type: AuditSubject; readonly id: string };
  readonly [made]: true;
};

type Row = { readonly id: string };

const tell = (type: AuditSubject, { id }: Row, { workspace_id, environment_id }: Place): About =>
  ({ subject: { type, id }, workspace_id, environment_id }) as About;

/** Of what belongs to the organization as a whole. */
const inOrganization = (type: AuditSubject) => (row: Row) => tell(type, row, EVERYWHERE);
/** Of what its row places. */
const inPlace = (type: AuditSubject) => (row: Row & Place) => tell(type, row, row);
/** Of what lies where something else does. */
const inPlaceOf = (type: AuditSubject) => (row: Row, place: Place) => tell(type, row, place);

/** By noun: what an event about a row says of it. A caller limited to a place sees the events of that place and no others. */
export const about = {
  action: inPlace('action'),
  agent: inPlace('agent'),
  api_key: (row: Row & Pick<Place, 'workspace_id'>) => tell('api_key', row, { ...row, environment_id: null }),
  approval: inPlace('approval'),
  credential: inPlace('credential'),
  /** In the place of the agent it is given to. */
  delegation: inPlaceOf('delegation'),
  environment: (row: Row & { readonly workspace_id: string }) => tell('environment', row, { ...row, environment_id: row.id }),
  exchange_rate: inOrganization('exchange_rate'),
  invitation: inOrganization('invitation'),
  member: inOrganization('member'),
  notification: inPlace('notification'),
  organization: inOrganization('organization'),
  /** In the place of its agent. */
  passport: inPlaceOf('passport'),
  /** In the place it is bound to, where that is one. */
  policy: inPlaceOf('policy'),
  policy_invariant: inPlaceOf('policy_invariant'),
  role: inOrganization('role'),
  /** Of an agent, in its place. */
  session: inPlaceOf('session'),
  sso_connection: inOrganization('sso_connection'),
  tool: inPlace('tool'),
  user: inOrganization('user'),
  notification_channel: inPlace('notification_channel'),
  webhook_subscription: inPlace('webhook_subscription'),
  workspace: (row: Row) => tell('workspace', row, { workspace_id: row.id, environment_id: null }),
} as const satisfies Record<AuditSubject, (row: never, place: never) => About>;
