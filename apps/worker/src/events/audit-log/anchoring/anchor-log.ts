import type { KeyObject } from 'node:crypto';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { runOrRefuse } from '@svc/http/answers/error-to-wire.ts';
import { getLogOrigin } from '@svc/keyring/log/audit-log.ts';
import { type Leaves, listConsistencyProof } from '@svc/keyring/log/merkle.ts';
import { openCheckpoint } from '@svc/keyring/log/signed-note.ts';
import { readSegmentHashes } from '@svc/operations/events/audit-log/hashes-over.ts';
import type { ClaimedLog } from '@svc/postgres/audit/anchors/claim-logs.ts';
import { settleAnchored, settleUnanchored } from '@svc/postgres/audit/anchors/settle-anchoring.ts';
import type { Database } from '@svc/postgres/connection/connect.ts';
import type { Logger } from 'pino';
import { type Anchor, type AnchoredCheckpoint, conflictAnchor, failAnchor, type SignedLog } from './anchor.ts';

export type AnchoringDeps = {
  readonly reader: Database;
  readonly log: Logger;
  readonly installationId: string;
  /** Returns the keys that it may have signed with, as currently known. */
  readonly keys: () => readonly KeyObject[];
  readonly everySeconds: number;
  /** Poll interval for logs to anchor. */
  readonly lookEveryMs: number;
};

/** Returns what is anchored of a log; undefined if the stored tree is not what the log signed, which is never published. */
const signedLog = ({ reader, installationId, keys }: AnchoringDeps, claimed: ClaimedLog): SignedLog | undefined => {
  const { organization_id, size, checkpoint, anchored } = claimed;
  const origin = getLogOrigin(installationId, organization_id);
  const said = openCheckpoint(checkpoint, keys());
  if (said === undefined || said.origin !== origin || said.size !== size || !said.root.equals(claimed.root_hash)) return undefined;
  const hashes = (over: readonly Leaves[]) => reader.transaction().execute((tx) => readSegmentHashes(tx, organization_id, over));
  return {
    organizationId: organization_id,
    ...{ origin, size, anchored, root: said.root, note: checkpoint },
    rootAt: async (earlier) => (await hashes([{ from: 0, to: earlier }]))[0],
    prove: (earlier) => hashes(listConsistencyProof(earlier, { from: 0, to: size })),
  };
};

const attempt = async (deps: AnchoringDeps, anchor: Anchor, claimed: ClaimedLog): Promise<AnchoredCheckpoint> => {
  if (claimed.anchored > claimed.size)
    return conflictAnchor(
      `The anchor has a checkpoint of ${claimed.anchored} leaves, but the log has ${claimed.size}: it was rolled back.`,
    );
  const log = signedLog(deps, claimed);
  if (log === undefined) return failAnchor('The stored checkpoint was not signed by the log. Nothing was sent.');
  const fails = (err: unknown): void =>
    deps.log.error({ err, anchor: anchor.name, organization_id: claimed.organization_id }, 'anchoring an audit log failed');
  const placed = await runOrRefuse(() => anchor.place(log), fails);
  return isRefusal(placed) ? failAnchor('The attempt failed. See the log of the service for the reason.') : placed;
};

/** Makes one attempt to anchor a log, stores its result and returns it. */
export const anchorLog = async (deps: AnchoringDeps, anchor: Anchor, claimed: ClaimedLog): Promise<AnchoredCheckpoint> => {
  const { reader, log, everySeconds } = deps;
  const { organization_id, size, root_hash, checkpoint } = claimed;
  const at = { organization_id, anchor: anchor.name };
  const placed = await attempt(deps, anchor, claimed);
  if (placed.kind === 'placed') {
    await settleAnchored(reader, { ...at, size, root_hash, checkpoint, cosignature: placed.cosignature ?? null, everySeconds });
    return placed;
  }
  const isConflict = placed.kind === 'conflict';
  if (isConflict && !claimed.is_in_conflict)
    log.error({ ...at, size, reason: placed.reason }, 'the audit log differs from its external anchor');
  else log.warn({ ...at, size, reason: placed.reason }, 'an audit log could not be anchored and will be retried');
  await settleUnanchored(reader, { ...at, reason: placed.reason, isConflict });
  return placed;
};
