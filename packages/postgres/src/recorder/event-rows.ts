import { canonicalJson } from '@svc/domain/events/canonical-json.ts';
import type { ActionRecord, EventRecord } from '@svc/enforcement/ports/ports.ts';
import { resolveSeverity } from '../audit/event-severity.ts';
import { maskEventData, maskName } from '../audit/mask-event.ts';
import type { EventAuthenticator } from '../connection/event-authenticator.ts';

/** The members that an event takes from its action. */
export type EventAction = Pick<
  ActionRecord,
  | 'id'
  | 'organization_id'
  | 'workspace_id'
  | 'environment_id'
  | 'principal_type'
  | 'principal_id'
  | 'principal_name'
  | 'request_id'
  | 'trace_id'
>;

/** The fields of an event sent to a statement, in the order of `recorded_event`. */
export type SentEventRow = {
  readonly id: string;
  readonly type: string;
  readonly severity: string;
  readonly data: string;
  /** Both of the event as it is read back. */
  readonly leaf_hash: string;
  readonly mac: string;
};

/** A time as it is read back. */
const MILLISECONDS = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Returns a text as the database stores it: an unpaired surrogate is replaced. */
const quoted = (text: string | null): string => (text === null ? 'null' : JSON.stringify(text.toWellFormed()));

/** An event in canonical form has five parts that all events of an action share, and its own parts between them. */
type Alike = readonly [actor: string, environment: string, time: string, subject: string, workspace: string];

const alikeOf = (action: EventAction, occurred_at: string): Alike => [
  `{"actor":{"id":${quoted(action.principal_id)},"name":${quoted(action.principal_name && maskName(action.principal_name))},"type":${quoted(action.principal_type)}},"data":`,
  `,"environment_id":${quoted(action.environment_id)},"id":`,
  `,"occurred_at":${quoted(occurred_at)},"organization_id":${quoted(action.organization_id)},"request_id":${quoted(action.request_id)},"severity":`,
  `,"subject":{"id":${quoted(action.id)},"type":"action"},"trace_id":${quoted(action.trace_id)},"type":`,
  `,"workspace_id":${quoted(action.workspace_id)}}`,
];

/** Encodes events about an action at a time, ISO 8601. */
export const newEventRows =
  ({ leafHash, mac }: EventAuthenticator) =>
  (action: EventAction, occurred_at: string, events: readonly EventRecord[]): readonly SentEventRow[] => {
    const readBackAt = MILLISECONDS.test(occurred_at) ? occurred_at : new Date(occurred_at).toISOString();
    const [actor, environment, time, subject, workspace] = alikeOf(action, readBackAt);
    return events.map(({ id, type, data: given }) => {
      const severity = resolveSeverity(type);
      const data = canonicalJson(maskEventData(given));
      const text = `${actor}${data}${environment}${quoted(id)}${time}${quoted(severity)}${subject}${quoted(type)}${workspace}`;
      const leaf_hash = leafHash(text);
      return { id, type, severity, data, leaf_hash, mac: mac(action.organization_id, id, leaf_hash) };
    });
  };

export type EventRows = ReturnType<typeof newEventRows>;
