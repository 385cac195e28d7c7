import type { AuditEvent } from '@svc/contract/events/audit-events.ts';
import type { RecordDocument } from '@svc/domain/events/audit-log/record-document.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { checkRecords, listLastClaims, type PartStatus } from './check-records.ts';

/** From the best to the worst: a record has the status of its worst part, and REPLACED if later events cover all of them. */
const BY_SEVERITY = ['REPLACED', 'INTACT', 'NOT_COVERED', 'ERASED', 'CHANGED'] as const satisfies readonly PartStatus[];

export type ReceiptRecord = { readonly status: PartStatus; readonly documents: readonly RecordDocument[] };

/** Compares the record that an event covers with it, for a receipt of the event. */
export const compareReceiptRecord = async (tx: TenantTransaction, organizationId: string, event: AuditEvent): Promise<ReceiptRecord> => {
  const claims = listLastClaims([event]).filter(({ record_id }) => record_id === event.subject.id);
  const checked = await checkRecords(tx, organizationId, claims, 0);
  const statuses = checked.map(({ status }) => status);
  return {
    status: BY_SEVERITY.findLast((status) => statuses.includes(status)) ?? 'NOT_COVERED',
    documents: checked.flatMap(({ status, document }) => (status === 'INTACT' && document !== undefined ? [document] : [])),
  };
};
