import { sql } from 'kysely';
import type { Database } from '../../connection/connect.ts';
import type { TenantTransaction } from '../../connection/in-tenant.ts';

export type AnchoredRow = {
  readonly size: number;
  readonly anchor: string;
  readonly cosignature: string | null;
  readonly anchored_at: string;
};

/** Returns the anchors of checkpoints of these sizes, the earliest first. */
export const readAnchored = (tx: TenantTransaction, organizationId: string, sizes: readonly number[]): Promise<readonly AnchoredRow[]> =>
  sizes.length === 0
    ? Promise.resolve([])
    : tx
        .selectFrom('audit_anchored')
        .select(['size', 'anchor', 'cosignature', 'anchored_at'])
        .where('organization_id', '=', organizationId)
        .where('size', 'in', sizes)
        .orderBy('anchored_at')
        .orderBy('anchor')
        .execute();

export type AnchorState = {
  readonly anchor: string;
  /** Since when the longest waiting log could not be anchored; null if none waits. */
  readonly failing_since: string | null;
  readonly conflicts: number;
};

/** Returns the state of each anchor, over all organizations. */
export const readAnchorStates = async (reader: Database, anchors: readonly string[]): Promise<readonly AnchorState[]> => {
  const { rows } = await sql<AnchorState>`
    select anchor, min(failing_since) as failing_since, count(conflict_since)::int as conflicts
      from audit_anchorings where anchor = any (${anchors}::text[]) and failing_since is not null group by anchor`.execute(reader);
  return rows;
};
