import type { MaybePromise } from '@svc/contract/rows/soon.ts';
import { RISK_LIMITS } from '@svc/contract/tables/limits/risk-limits.ts';
import { type Conduct, newConduct } from '@svc/domain/risk/conduct/conduct.ts';
import { decodeConduct } from '@svc/domain/risk/conduct/encode-conduct.ts';
import type { History } from '@svc/enforcement/facts/facts.ts';
import type { ActionRecord, Ports } from '@svc/enforcement/ports/ports.ts';
import { sql } from 'kysely';
import type { Database } from '../connection/connect.ts';
import { readInTenant } from '../connection/in-tenant.ts';
import { newRecentCalls } from './recent-calls.ts';

const { pollEveryMs, cachedAgentsMax, polledAgentsMax, staleAfterMs } = RISK_LIMITS;
/** Age at which a history is read again before a decision. */
const REREAD_AFTER_MS = 10_000;

type Entry = {
  readonly conduct: Conduct;
  readonly version: number;
  readonly lastFoldedAtMs: number;
  readonly mutes: History['mutes'];
  readAt: number;
};

type Row = {
  readonly agent_id: string;
  readonly version: string | null;
  readonly state: Uint8Array | null;
  readonly folded_through: string | null;
  readonly mutes: History['mutes'] | null;
};

const readRows = (database: Database, organizationId: string, agentIds: readonly string[]): Promise<readonly Row[]> =>
  readInTenant(database, { organization_id: organizationId }, async (tx) => {
    const { rows } = await sql<Row>`
      select a.agent_id, c.version::text as version, c.state, (select folded_through from conduct_progress) as folded_through,
             (select json_agg(json_build_object('signal', m.signal, 'subject', m.subject, 'until', m.muted_until)) from risk_mutes m
               where m.organization_id = ${organizationId} and m.agent_id = a.agent_id and m.muted_until > now()) as mutes
        from unnest(${agentIds}::text[]) a (agent_id)
        left join agent_conduct c on c.organization_id = ${organizationId} and c.agent_id = a.agent_id`.execute(tx);
    return rows;
  });

const getEntry = ({ version, state, folded_through, mutes }: Row, known: Entry | undefined, now: number): Entry => {
  const read = version === null ? 0 : Number(version);
  const conduct =
    known !== undefined && known.version === read ? known.conduct : state === null ? newConduct() : (decodeConduct(state) ?? newConduct());
  return {
    conduct,
    version: read,
    lastFoldedAtMs: folded_through === null ? 0 : Date.parse(folded_through),
    mutes: mutes ?? [],
    readAt: now,
  };
};

/**
 * Caches the risk histories of agents in memory. Refreshes a history in use once a second in the background, and reads an older one before
 * the decision. `conduct` is null if the worker has not updated it for a minute.
 */
export const openHistoryCache = (database: Database, clock: () => Date): Ports['histories'] => {
  const entries = new Map<string, Entry>();
  const recent = newRecentCalls(cachedAgentsMax);
  const refreshQueue = new Map<string, Set<string>>();
  let isPolling = false;

  const storeEntry = (agentId: string, entry: Entry): Entry => {
    entries.delete(agentId);
    if (entries.size >= cachedAgentsMax) entries.delete(entries.keys().next().value as string);
    entries.set(agentId, entry);
    return entry;
  };
  const read = async (organizationId: string, agentIds: readonly string[]): Promise<void> => {
    const now = clock().getTime();
    for (const row of await readRows(database, organizationId, agentIds))
      storeEntry(row.agent_id, getEntry(row, entries.get(row.agent_id), now));
  };
  const poll = async (): Promise<void> => {
    const batches = [...refreshQueue];
    refreshQueue.clear();
    for (const [organizationId, agentIds] of batches) await read(organizationId, [...agentIds].slice(0, polledAgentsMax));
  };
  const queueRefresh = (organizationId: string, agentId: string): void => {
    const agents = refreshQueue.get(organizationId) ?? new Set();
    refreshQueue.set(organizationId, agents.add(agentId));
    if (isPolling) return;
    isPolling = true;
    // A failed poll keeps the entries; a decision waits for a new read once they are too old.
    void Promise.allSettled([poll()]).then(() => {
      isPolling = false;
    });
  };
  const getHistory = (agentId: string, { conduct, lastFoldedAtMs, mutes }: Entry, now: number): History => ({
    conduct: now - lastFoldedAtMs > staleAfterMs ? null : conduct,
    recent: recent.of(agentId, now),
    mutes,
    lastFoldedAtMs,
  });
  const find = (organizationId: string, agentId: string): MaybePromise<History> => {
    const now = clock().getTime();
    const entry = entries.get(agentId);
    const age = entry === undefined ? Number.POSITIVE_INFINITY : now - entry.readAt;
    if (entry === undefined || age > REREAD_AFTER_MS)
      return read(organizationId, [agentId]).then(() => getHistory(agentId, entries.get(agentId) as Entry, now));
    if (age > pollEveryMs) {
      entry.readAt = now;
      queueRefresh(organizationId, agentId);
    }
    return getHistory(agentId, entry, now);
  };
  return { find, note: (decision: ActionRecord, context: string) => recent.note(decision, context, clock().getTime()) };
};
