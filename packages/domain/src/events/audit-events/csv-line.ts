import type { AuditEvent } from '@svc/contract/events/audit-events.ts';

/** Behind a semicolon, by which spreadsheets of many countries part fields, what would begin a formula. */
const FORMULA_BEHIND = /;(?=[\s\0"\\]*[=+\-@|%\uff1d\uff0b\uff0d\uff20])/g;

/** Equivalent JSON: a semicolon occurs only in its texts, and is escaped there if necessary. */
const getJson = (value: unknown): string => JSON.stringify(value).replaceAll(FORMULA_BEHIND, '\\u003b');

/** A member of the data with a column of its own, so that a spreadsheet can sort and filter by it. */
const member =
  (name: string) =>
  ({ data }: AuditEvent): string | number | null => {
    const value = (data as Readonly<Record<string, unknown>>)[name];
    return typeof value === 'string' || typeof value === 'number' ? value : null;
  };

const COLUMNS: Readonly<Record<string, (event: AuditEvent) => string | number | null>> = {
  sequence: (event) => event.sequence,
  id: (event) => event.id,
  type: (event) => event.type,
  occurred_at: (event) => event.occurred_at,
  organization_id: (event) => event.organization_id,
  workspace_id: (event) => event.workspace_id,
  environment_id: (event) => event.environment_id,
  actor_type: ({ actor }) => actor.type,
  actor_id: ({ actor }) => actor.id,
  actor_name: ({ actor }) => actor.name,
  subject_type: ({ subject }) => subject.type,
  subject_id: ({ subject }) => subject.id,
  severity: (event) => event.severity,
  request_id: (event) => event.request_id,
  trace_id: (event) => event.trace_id,
  data: (event) => getJson(event.data),
  decision_code: member('code'),
  reason: member('reason'),
  amount: member('amount'),
  currency: member('currency'),
  rule_id: member('rule_id'),
  policy_id: member('policy_id'),
  policy_version: member('policy_version'),
};

/** The beginning of a spreadsheet formula, also after space and in East Asian width. */
const FORMULA = /^[\s\0]*[=+\-@|%\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/;

/** Writes a field of RFC 4180, always quoted: with a leading apostrophe if a spreadsheet would evaluate it (CSV injection). */
const getField = (value: string | number | null): string => {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  return `"${FORMULA.test(value) ? "'" : ''}${value.replaceAll(FORMULA_BEHIND, ";'").replaceAll('"', '""')}"`;
};

const getLine = (fields: readonly (string | number | null)[]): string => `${fields.map(getField).join(',')}\r\n`;

const columns = Object.values(COLUMNS);

export const CSV_HEADER = getLine(Object.keys(COLUMNS));

export const buildCsvLine = (event: AuditEvent): string => getLine(columns.map((read) => read(event)));

/** The last record of a file: as long as the others, `manifest` as its type and the manifest as its data. */
export const buildCsvManifest = (manifest: object): string =>
  getLine(Object.keys(COLUMNS).map((name) => (name === 'type' ? 'manifest' : name === 'data' ? getJson(manifest) : null)));
