import { LIMITS } from '@svc/contract/tables/limits.ts';
import { getLogOrigin, openTree } from '@svc/keyring/log/audit-log.ts';
import { nextHistory } from '@svc/keyring/log/checkpoint-chain.ts';
import { EMPTY_TREE, type TreeEdge } from '@svc/keyring/log/merkle.ts';
import { isAfter } from '@svc/postgres/audit/feed-horizon.ts';
import type { FeedLeaf } from '@svc/postgres/audit/feed-leaves.ts';
import { noteRejected } from '@svc/postgres/audit/log/rejections.ts';
import { type GrownTree, growTrees, holdTree, sealedAmong, type TreeRow, takeTrees } from '@svc/postgres/audit/log/sealing.ts';
import { FEED_START, type FeedPosition } from '@svc/postgres/audit/read-feed.ts';
import { readDatabaseTime } from '@svc/postgres/connection/read-database-time.ts';
import type { Logger } from 'pino';
import { appendToLog, type Sealer } from '../sealing/grow.ts';
import { hashLeaves } from '../sealing/hash-leaves.ts';
import { lookBack } from '../sealing/look-back.ts';
import type { LeafConsumer } from './consumer.ts';

/** Maximum of rejected events that one log line names. */
const NAMED_MAX = 10;

/** Checkpoints that this process signed, the newest per organization, so that it need not verify its own signature immediately. */
type Signed = Map<string, string>;

const remember = (signed: Signed, grown: readonly GrownTree[]): void => {
  for (const { organization_id, checkpoint } of grown) {
    signed.delete(organization_id);
    signed.set(organization_id, checkpoint);
  }
  for (const oldest of signed.keys()) {
    if (signed.size <= LIMITS.audit.rememberedTreesMax) return;
    signed.delete(oldest);
  }
};

/** Returns the tree to grow; undefined if it is not what was signed, since nothing may be signed on top of that. */
const buildTree = (sealer: Sealer, signed: Signed, organizationId: string, row: TreeRow | undefined): TreeEdge | undefined => {
  if (row === undefined) return EMPTY_TREE;
  const origin = getLogOrigin(sealer.installationId, organizationId);
  return row.held_since === null ? openTree(row, origin, sealer.acceptedKeys, signed.get(organizationId)) : undefined;
};

/** Like `buildTree`, but reads the keys again first: no tree is held because of a key that was created after this process read them. */
const openKnown = async (...given: Parameters<typeof buildTree>): Promise<TreeEdge | undefined> => {
  const [sealer, , , row] = given;
  const tree = buildTree(...given);
  return tree === undefined && row?.held_since === null && (await sealer.renewKeys()) ? buildTree(...given) : tree;
};

const historyAt = (note: string | undefined, now: number) => nextHistory(note, now, LIMITS.audit.checkpointEverySeconds);

/**
 * Returns events that the feed may return again although they are leaves: those from before transaction ids were recorded, and those after
 * a look back.
 */
const retoldAmong = (fed: readonly FeedLeaf[], upTo: FeedPosition) =>
  fed.flatMap(({ position, organization_id }) =>
    position.transaction_id === FEED_START.transaction_id || isAfter(upTo, position) ? [{ organization_id, id: position.id }] : [],
  );

/**
 * Makes each event a leaf of its organization's tree, and signs a checkpoint of every tree that has grown. `retold.upTo` is the position up
 * to which the feed may return leaves again.
 */
export const newSealing = (
  sealer: Sealer,
  log: Logger,
  signed: Signed = new Map(),
  retold: { upTo: FeedPosition } = { upTo: FEED_START },
): LeafConsumer => ({
  name: 'seal-events',
  begins: 'first',
  reads: 'leaves',
  most: LIMITS.feed.readAtOnceMax,
  lookBack: async (tx, held, known) => {
    const { position, retoldUpTo } = await lookBack(tx, log, held, known);
    if (isAfter(retoldUpTo, retold.upTo)) retold.upTo = retoldUpTo;
    return position;
  },
  take: async (tx, fed) => {
    const sealed = await sealedAmong(tx, retoldAmong(fed, retold.upTo));
    const { leaves, rejected } = await hashLeaves(tx, sealed.size === 0 ? fed : fed.filter(({ position }) => !sealed.has(position.id)));
    const added = await noteRejected(tx, rejected);
    if (added > 0)
      log.error(
        { count: added, events: rejected.slice(0, NAMED_MAX) },
        'found audit events that were not written by the service and were not sealed: they were inserted into the database directly',
      );
    const byOrganization = Object.groupBy(leaves, ({ organization_id }) => organization_id);
    const organizationIds = Object.keys(byOrganization);
    if (organizationIds.length === 0) return;
    const rows = new Map((await takeTrees(tx, organizationIds)).map((row) => [row.organization_id, row]));
    const now = await readDatabaseTime(tx);
    const grown: GrownTree[] = [];
    for (const [organizationId, own = []] of Object.entries(byOrganization)) {
      const row = rows.get(organizationId);
      const tree = await openKnown(sealer, signed, organizationId, row);
      if (tree !== undefined) grown.push(appendToLog(sealer, organizationId, tree, own, historyAt(row?.checkpoint, now)));
      else if (row?.held_since === null) {
        log.error({ organization_id: organizationId, size: row.size }, 'the audit log does not match the signed log: sealing has stopped');
        await holdTree(tx, organizationId);
      }
    }
    await growTrees(tx, grown);
    remember(signed, grown);
  },
  // Unsealed leaves block it. An organization without a tree is held at an empty one.
  leaveOut: async (tx, { organizationId }) => {
    const [row] = await takeTrees(tx, [organizationId]);
    if (row === undefined)
      await growTrees(tx, [appendToLog(sealer, organizationId, EMPTY_TREE, [], historyAt(undefined, await readDatabaseTime(tx)))]);
    await holdTree(tx, organizationId);
  },
});
