import type { AuditEvent } from '@svc/contract/events/audit-events.ts';
import { eventLeafHash, getLogOrigin } from '@svc/keyring/log/audit-log.ts';
import { openRemoval } from '@svc/keyring/log/removal-note.ts';
import { findLeaf } from '@svc/postgres/audit/log/read-log.ts';
import { readAnnouncement } from '@svc/postgres/audit/retention/remove-events.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { findAuditEvent } from '@svc/postgres/events/audit-events.ts';
import { readSegmentHashes } from './hashes-over.ts';
import type { AuditedLog } from './verify-log.ts';

const getNote = ({ data }: AuditEvent): string => String((data as { readonly note?: unknown }).note);

/** Number of removed leaves from the first on, and the note that announced them. */
export type RemovedLeaves = { readonly leaves: number; readonly note: string | null };

const NOTHING: RemovedLeaves = { leaves: 0, note: null };

/**
 * Returns up to which leaf events may be missing because of retention: as stated by the newest announcing event, if it is what was sealed
 * and the log has signed it. None if there is no such event, or a forged one.
 */
export const readRemoval = async (tx: TenantTransaction, { organizationId, installationId, keys }: AuditedLog): Promise<RemovedLeaves> => {
  const id = await readAnnouncement(tx, organizationId);
  const event = id === undefined ? undefined : await findAuditEvent(tx, organizationId, id);
  const leaf = event && (await findLeaf(tx, organizationId, event.id));
  if (event === undefined || !leaf?.leaf_hash.equals(eventLeafHash(event))) return NOTHING;
  const note = getNote(event);
  const said = openRemoval(note, getLogOrigin(installationId, organizationId), keys);
  if (said === undefined) return NOTHING;
  const [root] = await readSegmentHashes(tx, organizationId, [{ from: 0, to: said.size }]);
  return root?.equals(said.root) ? { leaves: said.leaves, note } : NOTHING;
};
