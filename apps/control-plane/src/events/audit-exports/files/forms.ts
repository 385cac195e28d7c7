import type { AuditEvent } from '@svc/contract/events/audit-events.ts';
import { EXPORT_FORMAT, EXPORT_FORMATS_UNSEALED } from '@svc/contract/events/audit-export.ts';
import type { ExportFormat } from '@svc/contract/events/audit-exports.ts';
import { buildCsvLine, buildCsvManifest, CSV_HEADER } from '@svc/domain/events/audit-events/csv-line.ts';
import { buildOcsfEvent, buildOcsfManifest, type ExportOrigin } from '@svc/domain/events/audit-events/ocsf-event.ts';

/** Format of a file of events. */
export type FileForm = {
  readonly name: string;
  readonly type: string;
  readonly ending: string;
  readonly head: string;
  readonly line: (event: AuditEvent) => string;
  /** True if leaf hashes are written with their events, so that they can be compared. */
  readonly hasHashes: boolean;
  readonly manifest: (manifest: object, origin: ExportOrigin) => string;
};

const jsonLine = (value: object): string => `${JSON.stringify(value)}\n`;
const LINES_TYPE = 'application/x-ndjson; charset=utf-8';
const lines = { type: LINES_TYPE, head: '', manifest: (manifest: object) => jsonLine({ manifest }) };

export const FILE_FORMS: Readonly<Record<ExportFormat, FileForm>> = {
  JSONL: { ...lines, name: EXPORT_FORMAT, ending: 'jsonl', line: jsonLine, hasHashes: true },
  OCSF: {
    ...lines,
    name: EXPORT_FORMATS_UNSEALED.OCSF,
    ending: 'ocsf.jsonl',
    line: (event) => jsonLine(buildOcsfEvent(event)),
    manifest: (manifest, origin) => jsonLine(buildOcsfManifest(manifest, origin)),
    hasHashes: false,
  },
  CSV: {
    name: EXPORT_FORMATS_UNSEALED.CSV,
    type: 'text/csv; charset=utf-8',
    ending: 'csv',
    head: CSV_HEADER,
    line: buildCsvLine,
    hasHashes: false,
    manifest: buildCsvManifest,
  },
};
