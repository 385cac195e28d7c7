import type { DecisionRecord } from '@svc/enforcement/ports.ts';
import { writeArray, writeFields } from './composite.ts';
import { DECISION_FIELDS, EVENT_FIELDS } from './decision-fields.ts';
import type { WireBytes } from './wire-bytes.ts';

/** The numbers that the types of migration 0014 have in one database. */
export type RecordedTypes = { readonly decision: number; readonly event: number; readonly events: number };

const decisionFields = Object.values(DECISION_FIELDS);
const eventFields = Object.values(EVENT_FIELDS);

/** An array of `recorded_decision`. It stands in `bytes` until those are begun anew. */
export const encodeDecisions = (bytes: WireBytes, types: RecordedTypes, records: readonly DecisionRecord[]): Buffer => {
  bytes.begin();
  writeArray(bytes, types.decision, records, ({ action, events }) => {
    bytes.int32(decisionFields.length + 1);
    writeFields(bytes, decisionFields, action);
    bytes.int32(types.events);
    const opened = bytes.open();
    writeArray(bytes, types.event, events, (event) => {
      bytes.int32(eventFields.length);
      writeFields(bytes, eventFields, event);
    });
    bytes.close(opened);
  });
  return bytes.written();
};
