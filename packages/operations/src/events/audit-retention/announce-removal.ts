import type { KeyObject } from 'node:crypto';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { originOf } from '@svc/keyring/log/audit-log.ts';
import { signRemoval } from '@svc/keyring/log/removal-note.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { findTree } from '@svc/postgres/audit/log/read-log.ts';
import type { RetentionRow } from '@svc/postgres/audit/retention/audit-retention.ts';
import { announceRemoval, findRemovable } from '@svc/postgres/audit/retention/remove-events.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { readRemoval } from '../audit-log/read-removal.ts';

/** Whose log it is, by which key it signs, and by which it may have signed before. */
export type RetentionSigner = { readonly installationId: string; readonly signingKey: KeyObject; readonly keys: readonly KeyObject[] };

/**
 * Says in the record, signed, up to which leaf events may be missing from now on. Nothing is removed before that is sealed: so what retention
 * took is told from what somebody deleted, by whoever has the key of the log and nothing else.
 */
export const announceMore = async (
  { tx, emit }: Change<'audit.retention_updated'>,
  signer: RetentionSigner,
  organizationId: string,
  { announced_leaves: announced, keep_days }: RetentionRow,
  isSaidAgain: boolean,
): Promise<boolean> => {
  // What the table says was announced counts as far as the log has signed it: else whoever writes there has it signed unseen.
  const { leaves: signed } = await readRemoval(tx, { organizationId, ...signer });
  const from = Math.min(announced, signed);
  const found = await findRemovable(tx, organizationId, { from, leavesMax: LIMITS.retention.announcedLeavesMax });
  const tree = await findTree(tx, organizationId);
  if (found === undefined || tree === undefined) return false;
  const leaves = Math.max(from, found);
  if (leaves === 0 || (leaves === announced && !isSaidAgain)) return false;
  const origin = originOf(signer.installationId, organizationId);
  const note = signRemoval(origin, { leaves, size: tree.size, root: tree.root_hash }, signer.signingKey);
  await announceRemoval(tx, organizationId, leaves);
  emit('audit.retention_updated', {
    ...about.organization({ id: organizationId }),
    data: { before: { removed_leaves: from }, after: { removed_leaves: leaves }, keep_days, note },
  });
  return true;
};
