import { LIMITS } from '@svc/contract/tables/limits.ts';
import { sql } from 'kysely';
import type { Database } from '../../connection/connect.ts';

type At = { readonly organization_id: string; readonly anchor: string };

export type Anchored = At & {
  readonly size: number;
  readonly root_hash: Buffer;
  readonly checkpoint: string;
  readonly cosignature: string | null;
  readonly everySeconds: number;
};

/** Records that an anchor accepted a checkpoint, with the checkpoint itself, and when the next one is due. */
export const settleAnchored = (reader: Database, anchored: Anchored): Promise<void> =>
  reader.transaction().execute(async (tx) => {
    const { organization_id, anchor, size, root_hash, checkpoint, cosignature, everySeconds } = anchored;
    await tx
      .insertInto('audit_checkpoints')
      .values({ organization_id, size, root_hash, note: checkpoint })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await tx
      .insertInto('audit_anchored')
      .values({ organization_id, size, anchor, cosignature })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await sql`
      update audit_anchorings set size = greatest(size, ${size}), anchored_at = clock_timestamp(), failures = 0, failing_since = null, reason = null,
             conflict_since = null, conflict_told_at = null, next_at = clock_timestamp() + make_interval(secs => ${everySeconds}::float8)
       where organization_id = ${organization_id} and anchor = ${anchor}`.execute(tx);
  });

export type Unanchored = At & { readonly reason: string; readonly isConflict: boolean };

/** Records why an attempt failed, with exponential backoff for the next one. */
export const settleUnanchored = async (reader: Database, { organization_id, anchor, reason, isConflict }: Unanchored): Promise<void> => {
  const { retryAfterSeconds, retryAfterSecondsMax } = LIMITS.anchors;
  await sql`
    update audit_anchorings set failures = failures + 1, failing_since = coalesce(failing_since, clock_timestamp()), reason = ${reason},
           conflict_since = case when ${isConflict} then coalesce(conflict_since, clock_timestamp()) else conflict_since end,
           next_at = clock_timestamp() + (0.75 + random() / 2) *
             make_interval(secs => least(${retryAfterSecondsMax}::float8, ${retryAfterSeconds}::float8 * 2 ^ least(failures, 30)))
     where organization_id = ${organization_id} and anchor = ${anchor}`.execute(reader);
};
