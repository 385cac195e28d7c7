import { type Static, Type } from 'typebox';
import { closedObject, enumSchema, nullable } from '../rows/schema.ts';

/** Format of an export that can be verified offline; another format has another number. */
export const EXPORT_FORMAT = 'svc-audit-export/1';
/** Formats whose events cannot be compared with their leaves: the record only confirms what the file is. */
export const EXPORT_FORMATS_UNSEALED = { CSV: 'svc-audit-export-csv/1', OCSF: 'svc-audit-export-ocsf/1' } as const;

const place = (description: string) => Type.Integer({ minimum: 0, description });
const hashes = (description: string) => Type.String({ description: `${description} Base64.` });

/**
 * A line of an export (JSON Lines) that follows the events it is about. Each event has a line of its own, written by `JSON.stringify`, in
 * the order of `sequence`: all requested events that are sealed before `tree_size`.
 */
export const ExportTile = closedObject({
  tile: closedObject({
    from: place('Sequence of the first leaf.'),
    hashes: hashes('Concatenated leaf hashes of 32 bytes each, including those of omitted events.'),
  }),
});

/** Input of a record's digest: SHA-256 of this object as canonical JSON (RFC 8785), hex. */
export const RecordDocument = closedObject({
  columns: Type.Record(Type.String(), nullable(Type.String()), {
    description: 'Covered columns of the row as text: JSON as stored, numbers in decimal, bytes in hex, times with microseconds.',
  }),
  digest: Type.String({ description: 'Member of the event that holds the digest.' }),
  digest_version: Type.Integer({ description: 'Version of the set of covered columns.' }),
  organization_id: Type.String(),
  record_id: Type.String(),
  record_type: Type.String(),
  salt: nullable(Type.String({ description: 'Hex.' })),
});

/** States of a record line that has no documents. */
export const RECORD_LINE_STATES = ['DELETED', 'ERASED', 'NEWER'] as const;

/** A line of an export with records: one record as its row is, after an event that covers it. */
export const ExportRecord = closedObject({
  record: closedObject({
    type: Type.String({ description: 'Kind of the record.' }),
    id: Type.String(),
    event_id: Type.String({ description: 'Event in this file that covers the record.' }),
    documents: Type.Array(RecordDocument),
    state: Type.Optional(
      enumSchema(
        RECORD_LINE_STATES,
        'DELETED: the row does not exist. ERASED: retention removed it. NEWER: the row is covered by an event after this export.',
      ),
    ),
  }),
});
export type ExportRecord = Static<typeof ExportRecord>['record'];

/** The last line of an export. */
export const ExportManifest = closedObject({
  manifest: closedObject({
    format: enumSchema([EXPORT_FORMAT, EXPORT_FORMATS_UNSEALED.CSV, EXPORT_FORMATS_UNSEALED.OCSF]),
    origin: Type.String({ description: 'Origin of the log.' }),
    organization_id: Type.String(),
    from: place('First requested sequence.'),
    to: place('End of the requested sequences, exclusive.'),
    tree_size: place('Number of leaves in the log at the checkpoint.'),
    events: place('Number of events in this file.'),
    filter: Type.Optional(nullable(Type.Record(Type.String(), Type.Unknown(), { description: 'Requested filter; null for all events.' }))),
    records: Type.Optional(Type.Boolean({ description: 'True if this file contains records.' })),
    record_types: Type.Optional(
      Type.Array(Type.String(), { maxItems: 64, description: 'Kinds of the records in this file: those that the caller may read.' }),
    ),
    bytes: Type.Optional(Type.Integer({ minimum: 0, description: 'Number of bytes before this line.' })),
    sha256: Type.Optional(
      Type.String({ description: 'SHA-256 of all bytes before this line, hex; the event `audit.exported` contains it too.' }),
    ),
    outside: Type.Array(
      closedObject({ from: place('First leaf.'), to: place('End, exclusive.'), hash: hashes('Root hash of the subtree.') }),
      {
        maxItems: 128,
        description: 'Complete subtrees of the log (RFC 6962) without leaves in this file: before `from`, and from `to` on.',
      },
    ),
    checkpoint: Type.String({ description: 'Signed note of the log at `tree_size`.' }),
    retention: Type.Optional(
      nullable(
        Type.String({
          description:
            'Signed note that states how many events, counted from the first, retention may have removed; its name ends in the number. Null if none.',
        }),
      ),
    ),
  }),
});
export type ExportManifest = Static<typeof ExportManifest>;
