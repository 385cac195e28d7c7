import type { KeyObject } from 'node:crypto';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { getLogOrigin } from '@svc/keyring/log/audit-log.ts';
import { signRemoval } from '@svc/keyring/log/removal-note.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { findTree } from '@svc/postgres/audit/log/read-log.ts';
import type { RetentionRow } from '@svc/postgres/audit/retention/audit-retention.ts';
import { announceRemoval, findRemovable } from '@svc/postgres/audit/retention/remove-events.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { readRemoval } from '../audit-log/read-removal.ts';

/** The installation that signs the log, its current key, and keys that may have signed before. */
export type RetentionSigner = { readonly installationId: string; readonly signingKey: KeyObject; readonly keys: readonly KeyObject[] };

/**
 * Announces in the record, signed, up to which leaf events may be missing from now on. Nothing is removed before the announcement is
 * sealed: so anyone with the key of the log can distinguish retention from deletion.
 */
export const announceMore = async (
  { tx, emit }: Change<'audit.retention_updated'>,
  signer: RetentionSigner,
  organizationId: string,
  { announced_leaves: announced, keep_days }: RetentionRow,
  isSaidAgain: boolean,
): Promise<boolean> => {
  // The announced number in the table counts only as far as the log has signed it: otherwise write access to the table could get it signed.
  const { leaves: signed } = await readRemoval(tx, { organizationId, ...signer });
  const from = Math.min(announced, signed);
  const found = await findRemovable(tx, organizationId, { from, leavesMax: LIMITS.retention.announcedLeavesMax });
  const tree = await findTree(tx, organizationId);
  if (found === undefined || tree === undefined) return false;
  const leaves = Math.max(from, found);
  if (leaves === 0 || (leaves === announced && !isSaidAgain)) return false;
  const origin = getLogOrigin(signer.installationId, organizationId);
  const note = signRemoval(origin, { leaves, size: tree.size, root: tree.root_hash }, signer.signingKey);
  await announceRemoval(tx, organizationId, leaves);
  emit('audit.retention_updated', {
    ...about.organization({ id: organizationId }),
    data: { before: { removed_leaves: from }, after: { removed_leaves: leaves }, keep_days, note },
  });
  return true;
};
