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

/** The last line of an export. */
export const ExportManifest = closed({
  manifest: closed({
    format: oneOf([EXPORT_FORMAT, EXPORT_FORMATS_UNSEALED.CSV, EXPORT_FORMATS_UNSEALED.OCSF]),
    origin: Type.String({ description: 'What the log is called.' }),
    organization_id: Type.String(),
    from: place('First sequence that was asked for.'),
    to: place('Sequence before which it ends.'),
    tree_size: place('Leaves of the log that the checkpoint is of.'),
    events: place('Events in this file.'),
    filter: Type.Optional(
      nullable(Type.Record(Type.String(), Type.Unknown(), { description: 'What was asked for; null for everything.' })),
    ),
    sha256: Type.Optional(
      Type.String({ description: 'Hash of every byte before this line, hex; `audit.exported` in the record tells it too.' }),
    ),
    outside: Type.Array(closed({ from: place('First leaf.'), to: place('Leaf behind the last.'), hash: hashes('The root over them.') }), {
      maxItems: 128,
      description:
        'Whole subtrees of the log (RFC 6962) of whose leaves this file tells nothing: what lies before `from`, and from `to` on.',
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
