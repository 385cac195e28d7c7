import { ANCHOR_KINDS } from '@svc/contract/events/audit-log.ts';
import type { AnchoredRow } from '@svc/postgres/audit/anchors/read-anchors.ts';

/** Formats a checkpoint with the signatures of its witnesses below the log's own. */
export const formatCosignedCheckpoint = (note: string, anchored: readonly AnchoredRow[]): string =>
  `${note}${anchored.map(({ cosignature }) => cosignature ?? '').join('')}`;

/** Lists the anchors of a checkpoint for callers, without addresses. */
export const formatAnchors = (anchored: readonly AnchoredRow[]) =>
  anchored.flatMap(({ anchor, anchored_at }) => {
    const at = anchor.indexOf(':');
    const kind = ANCHOR_KINDS.find((each) => each.toLowerCase() === anchor.slice(0, at));
    return kind === undefined ? [] : [{ kind, witness: kind === 'WITNESS' ? anchor.slice(at + 1) : null, anchored_at }];
  });
