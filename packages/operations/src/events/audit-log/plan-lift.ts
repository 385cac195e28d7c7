import { LIMITS } from '@svc/contract/tables/limits.ts';
import { getLogOrigin } from '@svc/keyring/log/audit-log.ts';
import { computeRoot, type Leaves } from '@svc/keyring/log/merkle.ts';
import { openCheckpoint } from '@svc/keyring/log/signed-note.ts';
import { type BesideTree, readBesideTree } from '@svc/postgres/audit/log/lift-tree.ts';
import { findTree, type KeptTreeRow, readCheckpoints } from '@svc/postgres/audit/log/read-log.ts';
import { readSegmentHashes } from './hashes-over.ts';
import { type AuditedLog, type LogReader, verifyLog } from './verify-log.ts';

/** The tree from which a held log may continue; otherwise why it may not, and what to restore, one sentence each. */
export type LiftPlan =
  | { readonly seen: KeptTreeRow; readonly tree: KeptTreeRow; readonly unsealed: number }
  | { readonly faults: readonly string[] };

/** Lists the complete subtrees of a tree of this size, the largest first. */
const listSubtrees = (size: number): readonly Leaves[] => {
  const digits = size.toString(2);
  let from = 0;
  return [...digits].flatMap((digit, n) => {
    if (digit === '0') return [];
    const to = from + 2 ** (digits.length - 1 - n);
    const leaves = { from, to };
    from = to;
    return [leaves];
  });
};

/** Returns the largest tree whose checkpoint still exists and was signed by the log. */
const largestSigned = async (read: LogReader, log: AuditedLog, seen: KeptTreeRow) => {
  const past = await read((tx) =>
    readCheckpoints(tx, log.organizationId, { below: Number.MAX_SAFE_INTEGER, limit: LIMITS.audit.findingsMax }),
  );
  const origin = getLogOrigin(log.installationId, log.organizationId);
  return [seen.checkpoint, ...past.map(({ note }) => note)]
    .flatMap((note) => {
      const said = openCheckpoint(note, log.keys);
      return said?.origin === origin ? [{ ...said, note }] : [];
    })
    .toSorted((a, b) => b.size - a.size)[0];
};

const faultBeside = (size: number, { leaves, anchored }: BesideTree): string | undefined => {
  if (anchored > size)
    return `A checkpoint of ${anchored} leaves is anchored externally, but the largest local one has ${size}. Restore audit_trees, audit_checkpoints, audit_leaves and audit_tiles from a backup that contains it.`;
  if (leaves > size)
    return `There are ${leaves} leaves, but the largest remaining checkpoint has ${size}. Restore audit_trees and audit_checkpoints from a backup that contains the checkpoint of all of them.`;
  return leaves < size
    ? `The log has ${size} signed leaves, but only ${leaves} remain. Restore audit_leaves and audit_tiles from a backup.`
    : undefined;
};

/** Returns all findings of a full comparison if the log continued from this tree. */
const readFindings = async (read: LogReader, log: AuditedLog, tree: KeptTreeRow): Promise<readonly string[]> => {
  const says: string[] = [];
  for (let from: number | null = 0; from !== null && says.length === 0; ) {
    const told = await verifyLog(read, log, from, { asIf: tree });
    says.push(...told.findings.map((finding) => finding.says));
    from = told.next_sequence;
  }
  return says;
};

/**
 * Decides whether a held log may continue: from the largest tree that it has signed, if everything stored matches exactly that tree, leaf
 * by leaf and event by event. Nothing is ever signed on top of an altered log.
 */
export const planLift = async (read: LogReader, log: AuditedLog): Promise<LiftPlan> => {
  const seen = await read((tx) => findTree(tx, log.organizationId));
  if (seen?.held_since == null) return { faults: ['The log is not held.'] };
  const signed = await largestSigned(read, log, seen);
  if (signed === undefined)
    return { faults: ['No signed checkpoint of the log remains. Restore audit_trees and audit_checkpoints from a backup.'] };
  const beside = await read((tx) => readBesideTree(tx, log.organizationId));
  const fault = faultBeside(signed.size, beside);
  if (fault !== undefined) return { faults: [fault] };
  const edge = await read((tx) => readSegmentHashes(tx, log.organizationId, listSubtrees(signed.size)));
  if (!computeRoot({ size: signed.size, edge }).equals(signed.root))
    return {
      faults: [
        `The leaves and tiles do not match the signed root of ${signed.size} leaves. Restore audit_leaves and audit_tiles from a backup.`,
      ],
    };
  const tree = { ...seen, size: signed.size, root_hash: signed.root, edge: Buffer.concat(edge), checkpoint: signed.note };
  const findings = await readFindings(read, log, tree);
  return findings.length === 0
    ? { seen, tree, unsealed: beside.unsealed }
    : { faults: [...findings, 'Restore the affected rows from a backup, and try again.'] };
};
