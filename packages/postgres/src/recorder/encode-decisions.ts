import type { DecisionRecord } from '@svc/enforcement/ports/ports.ts';
import { OWN_TYPE, writeArray, writeFields } from './composite.ts';
import { DECISION_FIELDS, EVENT_FIELDS } from './decision-fields.ts';
import type { EventRows, SentEventRow } from './event-rows.ts';
import type { WireBytes } from './wire-bytes.ts';

const decisionFields = Object.values(DECISION_FIELDS);
const eventFields = Object.values(EVENT_FIELDS);

/** The last field of what has events: an array of `recorded_event`. */
export const writeEvents = (bytes: WireBytes, events: readonly SentEventRow[]): void => {
  bytes.int32(OWN_TYPE);
  const opened = bytes.open();
  writeArray(bytes, events, (event) => {
    bytes.int32(eventFields.length);
    writeFields(bytes, eventFields, event);
  });
  bytes.close(opened);
};

/** Encodes an array of `recorded_action`. It is valid in `bytes` until those are reused. */
export const encodeDecisions = (bytes: WireBytes, records: readonly DecisionRecord[], eventRows: EventRows): Buffer => {
  bytes.begin();
  writeArray(bytes, records, ({ action, events }) => {
    bytes.int32(decisionFields.length + 1);
    writeFields(bytes, decisionFields, action);
    writeEvents(bytes, eventRows(action, action.created_at, events));
  });
  return bytes.written();
};
