import { LIMITS } from '@svc/contract/tables/limits.ts';
import { openTree, originOf } from '@svc/keyring/log/audit-log.ts';
import { EMPTY_TREE, type TreeEdge } from '@svc/keyring/log/merkle.ts';
import { growTrees, holdTree, sealedAmong, type TreeRow, takeTrees } from '@svc/postgres/audit/log/sealing.ts';
import type { Logger } from 'pino';
import { growLog, type Sealer } from '../sealing/grow.ts';
import type { FeedConsumer } from './consumer.ts';

/** What a tree grows from; undefined where it is not what was signed, and nothing more may be signed on top of it. */
const treeOf = (sealer: Sealer, organizationId: string, row: TreeRow | undefined): TreeEdge | undefined => {
  if (row === undefined) return EMPTY_TREE;
  return row.held_since === null ? openTree(row, originOf(sealer.installationId, organizationId), sealer.acceptedKeys) : undefined;
};

/** Makes each event a leaf of the tree of its organization, and signs a checkpoint of every tree that has grown. */
export const newSealing = (sealer: Sealer, log: Logger): FeedConsumer => ({
  name: 'seal-events',
  begins: 'first',
  take: async (tx, fed) => {
    const all = fed.map(({ event }) => event);
    const sealed = await sealedAmong(tx, all);
    const byOrganization = Object.groupBy(
      all.filter(({ id }) => !sealed.has(id)),
      (event) => event.organization_id,
    );
    const organizationIds = Object.keys(byOrganization);
    if (organizationIds.length === 0) return;
    const rows = new Map((await takeTrees(tx, organizationIds)).map((row) => [row.organization_id, row]));
    const grown = [];
    for (const [organizationId, events = []] of Object.entries(byOrganization)) {
      const row = rows.get(organizationId);
      const tree = treeOf(sealer, organizationId, row);
      if (tree !== undefined) grown.push(growLog(sealer, organizationId, tree, events));
      else if (row?.held_since === null) {
        log.error(
          { organization_id: organizationId, size: row.size },
          'the audit log is not what was signed: nothing is sealed on top of it',
        );
        await holdTree(tx, organizationId);
      }
    }
    await growTrees(tx, grown, LIMITS.audit.checkpointEverySeconds);
  },
});
