import { type Static, Type } from 'typebox';
import { closed, nullable, oneOf } from '../rows/schema.ts';

/** The form of an export that can be verified offline; another form has another number. */
export const EXPORT_FORMAT = 'svc-audit-export/1';
/** Of the forms whose events cannot be compared with their leaves: only what the record says of the file is. */
export const EXPORT_FORMATS_UNSEALED = { CSV: 'svc-audit-export-csv/1', OCSF: 'svc-audit-export-ocsf/1' } as const;

const place = (description: string) => Type.Integer({ minimum: 0, description });
const hashes = (description: string) => Type.String({ description: `${description} Base64.` });

/**
 * A line of an export (JSON Lines) that follows the events it is about. An event stands on a line of its own, as it is told and written by
 * `JSON.stringify`, in the order of `sequence`; all that are sealed before `tree_size` and were asked for.
 */
export const ExportTile = closed({
  tile: closed({
    from: place('Sequence of the first leaf.'),
    hashes: hashes('Hashes of leaves, 32 bytes each, side by side; of events that were left out too.'),
  }),
});

/** What a digest of a record is taken of: SHA-256 of this object as canonical JSON (RFC 8785), hex. */
export const RecordDocument = closed({
  columns: Type.Record(Type.String(), nullable(Type.String()), {
    description:
      'The covered columns of the row as text: JSON as it is stored, numbers in decimal, bytes in hex, times to the microsecond.',
  }),
  digest: Type.String({ description: 'Member of the event that holds the digest.' }),
  digest_version: Type.Integer({ description: 'Which columns are covered.' }),
  organization_id: Type.String(),
  record_id: Type.String(),
  record_type: Type.String(),
  salt: nullable(Type.String({ description: 'Hex.' })),
});

/** States of a record line that has no documents. */
export const RECORD_LINE_STATES = ['DELETED', 'ERASED', 'NEWER'] as const;

/** A line of an export with records: one record as its row is, after an event that covers it. */
export const ExportRecord = closed({
  record: closed({
    type: Type.String({ description: 'Kind of the record.' }),
    id: Type.String(),
    event_id: Type.String({ description: 'The event that covers it, in this file.' }),
    documents: Type.Array(RecordDocument),
    state: Type.Optional(
      oneOf(
        RECORD_LINE_STATES,
        'DELETED: there is no such row. ERASED: retention removed it. NEWER: its row is covered by an event after this export.',
      ),
    ),
  }),
});
export type ExportRecord = Static<typeof ExportRecord>['record'];

/** The last line of an export. */
export const ExportManifest = closed({
  manifest: closed({
    format: oneOf([EXPORT_FORMAT, EXPORT_FORMATS_UNSEALED.CSV, EXPORT_FORMATS_UNSEALED.OCSF]),
    origin: Type.String({ description: 'Origin of the log.' }),
    organization_id: Type.String(),
    from: place('First sequence that was asked for.'),
    to: place('Sequence before which it ends.'),
    tree_size: place('Leaves of the log that the checkpoint is of.'),
    events: place('Events in this file.'),
    filter: Type.Optional(nullable(Type.Record(Type.String(), Type.Unknown(), { description: 'Requested filter; null for all events.' }))),
    records: Type.Optional(Type.Boolean({ description: 'True where records are in this file.' })),
    record_types: Type.Optional(
      Type.Array(Type.String(), { maxItems: 64, description: 'Kinds of the records in this file: those that the caller may read.' }),
    ),
    sha256: Type.Optional(
      Type.String({ description: 'SHA-256 of all bytes before this line, hex; the event `audit.exported` contains it too.' }),
    ),
    outside: Type.Array(closed({ from: place('First leaf.'), to: place('Leaf behind the last.'), hash: hashes('The root over them.') }), {
      maxItems: 128,
      description: 'Complete subtrees of the log (RFC 6962) without leaves in this file: before `from`, and from `to` on.',
    }),
    checkpoint: Type.String({ description: 'Signed note of the log at `tree_size`.' }),
    retention: Type.Optional(
      nullable(
        Type.String({
          description:
            'Signed note of how many events, from the first on, may be missing because their time was over; its name ends in the number. Null for none.',
        }),
      ),
    ),
  }),
});
export type ExportManifest = Static<typeof ExportManifest>;
