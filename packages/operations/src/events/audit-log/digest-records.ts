import { buildRecordDocument } from '@svc/domain/events/audit-log/record-document.ts';
import type { RecordKind } from '@svc/domain/events/audit-log/record-kinds/record-kind.ts';
import { RECORD_KINDS, type RecordType } from '@svc/domain/events/audit-log/record-kinds.ts';
import { recordDigest } from '@svc/keyring/log/record-digest.ts';
import { reviseRecords } from '@svc/postgres/audit/records/read-records.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';

/** Members of event data that cover a record. */
export type RecordDigests = Readonly<Record<string, string | number>>;

const NONE: RecordDigests = {};

/**
 * Digests records as this transaction leaves them and returns, by id, the members that the events of the change carry. Called once for each
 * change of a record, after its last statement. `parts` names the digests of what was changed; no event vouches for the rest of a row.
 */
export const digestRecords = async (
  tx: TenantTransaction,
  organizationId: string,
  type: RecordType,
  ids: readonly string[],
  parts: readonly string[],
): Promise<(id: string) => RecordDigests> => {
  const kind: RecordKind = RECORD_KINDS[type];
  const rows = await reviseRecords(tx, organizationId, kind, ids);
  return (id) => {
    const row = rows.get(id);
    if (row === undefined) return NONE;
    const digests: Record<string, string | number> = { digest_revision: Number(row.columns.digest_revision) };
    for (const part of kind.parts.filter(({ digest }) => parts.includes(digest))) {
      const document = buildRecordDocument(kind, part, part.version, row);
      if (document === undefined) continue;
      digests[part.digest] = recordDigest(document);
      digests.digest_version = part.version;
    }
    return digests;
  };
};
