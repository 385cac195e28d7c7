import type { AuditEvent } from '@svc/contract/events/audit-events.ts';
import type { Verification } from '@svc/contract/events/audit-log.ts';
import { eventLeafHash } from '@svc/keyring/log/audit-log.ts';
import type { SealedLeaf } from '@svc/postgres/audit/log/verified-stretch.ts';

export type LogFinding = Verification['findings'][number];

type Stretch = {
  readonly from: number;
  readonly to: number;
  readonly leaves: readonly SealedLeaf[];
  readonly events: ReadonlyMap<string, AuditEvent>;
  readonly redated: ReadonlySet<string>;
  /** True if the leaves are those that were signed. */
  readonly isSigned: boolean;
  /** Events of leaves before this one may be missing because of retention. */
  readonly removedBelow: number;
};

const cut = ({ from, to, leaves }: Stretch): LogFinding[] => {
  const there = new Set(leaves.map(({ leaf_index }) => leaf_index));
  return Array.from({ length: to - from }, (_, n) => from + n)
    .filter((sequence) => !there.has(sequence))
    .map((sequence) => ({ kind: 'CUT', sequence, event_id: null, says: `The leaf ${sequence} was removed from the log.` }));
};

/** Counts the events of a segment that retention has removed. */
export const countRemoved = ({ leaves, events, removedBelow }: Pick<Stretch, 'leaves' | 'events' | 'removedBelow'>): number =>
  leaves.filter(({ leaf_index, event_id }) => leaf_index < removedBelow && !events.has(event_id)).length;

/** Returns the findings about each event of a segment, by the leaf that it was sealed as. */
export const compareSegment = (stretch: Stretch): readonly LogFinding[] => {
  const { leaves, events, redated, isSigned, removedBelow } = stretch;
  const leafOf = new Map(leaves.map((leaf) => [leaf.leaf_hash.toString('hex'), leaf]));
  const wrong = leaves.flatMap(({ leaf_index: sequence, event_id, leaf_hash }): LogFinding[] => {
    const event = events.get(event_id);
    if (event === undefined && sequence < removedBelow) return [];
    if (event === undefined) return [{ kind: 'DELETED', sequence, event_id, says: `The event ${event_id} (${sequence}) was deleted.` }];
    const hash = eventLeafHash(event);
    if (hash.equals(leaf_hash)) {
      const says = `The time of the event ${event_id} (${sequence}) was changed below the millisecond after it was written.`;
      return redated.has(event_id) ? [{ kind: 'CHANGED', sequence, event_id, says }] : [];
    }
    const other = leafOf.get(hash.toString('hex'));
    if (other !== undefined)
      return [
        {
          kind: 'MOVED',
          sequence,
          event_id,
          says: `The event ${event_id} was sealed at position ${other.leaf_index} but is at ${sequence}.`,
        },
      ];
    const says = isSigned
      ? `The event ${event_id} (${sequence}) was changed after it was sealed.`
      : `The event ${event_id} (${sequence}) and its leaf differ, and the leaf is not the signed one.`;
    return [{ kind: 'CHANGED', sequence, event_id, says }];
  });
  return [...cut(stretch), ...wrong];
};
