import type { AuditEvent } from '@svc/contract/events/audit-events.ts';
import type { ExportRecord } from '@svc/contract/events/audit-export.ts';
import type { Permission } from '@svc/contract/tables/permissions.ts';
import type { RecordKind } from '@svc/domain/events/audit-log/record-kinds/record-kind.ts';
import { RECORD_KINDS, RECORD_TYPES, type RecordType } from '@svc/domain/events/audit-log/record-kinds.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { type CheckedPart, checkRecords, listLastClaims } from './check-records.ts';

/** The leaves of an export, and the leaf below which retention may have removed events. */
export type ExportedRange = { readonly size: number; readonly removedBelow: number };

/** Returns the types of records that a caller with these permissions may export. */
export const listExportedTypes = (mayRead: (permission: Permission) => boolean): readonly RecordType[] =>
  RECORD_TYPES.filter((type) => {
    const { noted }: RecordKind = RECORD_KINDS[type];
    return mayRead(noted?.permission ?? 'action:read');
  });

const getLine = (checked: CheckedPart, { size }: ExportedRange): ExportRecord | undefined => {
  const { claim, status, document, isMissing, replacedBy } = checked;
  const line = { type: claim.type, id: claim.record_id, event_id: claim.event_id };
  if (status === 'ERASED') return { ...line, documents: [], state: 'ERASED' };
  if (status === 'CHANGED' && isMissing) return { ...line, documents: [], state: 'DELETED' };
  if (status === 'REPLACED') {
    // A later event of this export has the record.
    const isInside = replacedBy?.sequence != null && replacedBy.sequence < size;
    return isInside ? undefined : { ...line, documents: [], state: 'NEWER' };
  }
  return document === undefined ? undefined : { ...line, documents: [document] };
};

/** Returns one line per record and event, with the documents of all parts that the event covers. */
const merged = (lines: readonly ExportRecord[]): readonly ExportRecord[] => {
  const byRecord = Map.groupBy(lines, ({ type, id, event_id, state }) => JSON.stringify([type, id, event_id, state]));
  return [...byRecord.values()].flatMap((same) => {
    const [first] = same;
    return first === undefined ? [] : [{ ...first, documents: same.flatMap(({ documents }) => documents) }];
  });
};

/**
 * Reads the records that events of an export cover, for its lines. A record that a later event of the export covers is left to that event.
 */
export const exportRecords = async (
  tx: TenantTransaction,
  organizationId: string,
  events: readonly AuditEvent[],
  range: ExportedRange & { readonly types: readonly RecordType[] },
): Promise<readonly ExportRecord[]> => {
  const claims = listLastClaims(events).filter(({ type }) => range.types.includes(type));
  const checked = await checkRecords(tx, organizationId, claims, range.removedBelow);
  return merged(checked.flatMap((each) => getLine(each, range) ?? []));
};
