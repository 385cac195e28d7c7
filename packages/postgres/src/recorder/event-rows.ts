import type { AuditEvent } from '@svc/contract/events/audit-events.ts';
import { canonicalJson } from '@svc/domain/events/canonical-json.ts';
import type { ActionRecord, EventRecord } from '@svc/enforcement/ports/ports.ts';
import { maskName, toldData } from '../audit/mask-told.ts';
import { severityOf } from '../audit/severity-of.ts';

/** The hash of the leaf whose text this is, as hex digits: SHA-256 of a zero byte and the text [RFC 6962, section 2.1]. */
export type LeafHash = (text: string) => string;

/** What an event has of the action that it is about. */
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

/** What a statement is sent of an event, in the order of `recorded_event`. */
export type EventRow = {
  readonly id: string;
  readonly type: string;
  readonly severity: string;
  readonly data: string;
  /** Null where it may be read back otherwise than it is told here: then whoever seals hashes what was read. */
  readonly leaf_hash: string | null;
};

/** As the database answers a time of whole milliseconds. */
const MILLISECONDS = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
/** Half of a surrogate pair, which the database keeps as another letter, as JSON writes it. Two letters that look like it are taken for it. */
const HALF_LETTER = '\\ud';

type Told = Omit<AuditEvent, 'sequence'>;

const leafOf = (told: Told, leafHash: LeafHash): string | null => {
  if (!MILLISECONDS.test(told.occurred_at)) return null;
  const text = canonicalJson(told);
  return text.includes(HALF_LETTER) ? null : leafHash(text);
};

/** Of events that are about an action and told at a time, ISO 8601: each as it is sent. */
export const newEventRows =
  (leafHash: LeafHash) =>
  (action: EventAction, occurred_at: string, events: readonly EventRecord[]): readonly EventRow[] =>
    events.map(({ id, type, data }) => {
      const severity = severityOf(type);
      const shown = toldData(data);
      // In the order of their names, so that nothing has to be put in order.
      const told: Told = {
        actor: { id: action.principal_id, name: action.principal_name && maskName(action.principal_name), type: action.principal_type },
        data: shown,
        environment_id: action.environment_id,
        id,
        occurred_at,
        organization_id: action.organization_id,
        request_id: action.request_id,
        severity,
        subject: { id: action.id, type: 'action' },
        trace_id: action.trace_id,
        type,
        workspace_id: action.workspace_id,
      };
      return { id, type, severity, data: JSON.stringify(shown), leaf_hash: leafOf(told, leafHash) };
    });

export type EventRows = ReturnType<typeof newEventRows>;
