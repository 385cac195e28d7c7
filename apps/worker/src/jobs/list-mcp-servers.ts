import { type DiscoveryDeps, discoverMcpServer } from '@svc/operations/peers/mcp/discover-mcp-server.ts';
import { findDueListings } from '@svc/postgres/peers/mcp/mcp-servers.ts';
import { SYSTEM } from '../system-context.ts';
import { changeByClock, runPart } from './job.ts';
import type { JobRound } from './start-jobs.ts';

const NAME = 'list-mcp-servers';
const EVERY_MS = 5_000;
/** A hanging server blocks its slot, so each organization has a limited number of slots per round. */
const MOST = { countMax: 40, ofOneMax: 4 };
const AT_ONCE = 8;

/** Lists MCP servers on schedule, so that changed definitions are found without a request. One of several replicas lists a server. */
export const listMcpServers = (listing: DiscoveryDeps): JobRound => ({
  name: NAME,
  everyMs: EVERY_MS,
  run: async (deps, isStopped) => {
    const due = await runPart(deps, NAME, undefined, () => findDueListings(deps.identity, deps.clock(), MOST));
    if (!Array.isArray(due)) return;
    const left = [...due];
    const work = async (): Promise<void> => {
      for (let next = left.shift(); next !== undefined && !isStopped(); next = left.shift()) {
        const { organization_id, id: serverId } = next;
        await runPart(deps, NAME, organization_id, (ids) =>
          discoverMcpServer(
            (change) => changeByClock({ ...deps, ids }, organization_id, deps.clock(), change) as ReturnType<typeof change>,
            { scope: { organization_id }, actor: SYSTEM, now: deps.clock(), serverId, isScheduled: true },
            listing,
          ),
        );
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  },
});
