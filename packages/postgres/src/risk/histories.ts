import type { Soon } from '@svc/contract/rows/soon.ts';
import { RISK_LIMITS } from '@svc/contract/tables/limits/risk-limits.ts';
import { type Conduct, newConduct } from '@svc/domain/risk/conduct/conduct.ts';
import { decodeConduct } from '@svc/domain/risk/conduct/encode-conduct.ts';
import type { History } from '@svc/enforcement/facts/facts.ts';
import type { ActionRecord, Ports } from '@svc/enforcement/ports/ports.ts';
import { sql } from 'kysely';
import type { Database } from '../connection/connect.ts';
import { readInTenant } from '../connection/in-tenant.ts';
import { newRecentCalls } from './recent-calls.ts';

const { pollEveryMs, heldAgentsMax, polledAgentsMax, staleAfterMs } = RISK_LIMITS;
/** A history that was not read for this long is read again before a decision. */
const REREAD_AFTER_MS = 10_000;

type Entry = {
  readonly conduct: Conduct;
  readonly version: number;
  readonly foldedThrough: number;
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
    foldedThrough: folded_through === null ? 0 : Date.parse(folded_through),
    mutes: mutes ?? [],
    readAt: now,
  };
};

/**
 * Histories of agents, held in memory. A history in use is read again once a second in the background, one that was not in use before the decision.
 * A history that the worker did not fold for a minute is unknown, and so is what is compared with it.
 */
export const openHistories = (database: Database, clock: () => Date): Ports['histories'] => {
  const entries = new Map<string, Entry>();
  const recent = newRecentCalls(heldAgentsMax);
  const wanted = new Map<string, Set<string>>();
  let isPolling = false;

  const hold = (agentId: string, entry: Entry): Entry => {
    entries.delete(agentId);
    if (entries.size >= heldAgentsMax) entries.delete(entries.keys().next().value as string);
    entries.set(agentId, entry);
    return entry;
  };
  const read = async (organizationId: string, agentIds: readonly string[]): Promise<void> => {
    const now = clock().getTime();
    for (const row of await readRows(database, organizationId, agentIds)) hold(row.agent_id, getEntry(row, entries.get(row.agent_id), now));
  };
  const poll = async (): Promise<void> => {
    const batches = [...wanted];
    wanted.clear();
    for (const [organizationId, agentIds] of batches) await read(organizationId, [...agentIds].slice(0, polledAgentsMax));
  };
  const want = (organizationId: string, agentId: string): void => {
    const agents = wanted.get(organizationId) ?? new Set();
    wanted.set(organizationId, agents.add(agentId));
    if (isPolling) return;
    isPolling = true;
    // A round that fails leaves the histories as they are: they are read again, and waited for, once they are too old.
    void Promise.allSettled([poll()]).then(() => {
      isPolling = false;
    });
  };
  const getHistory = (agentId: string, { conduct, foldedThrough, mutes }: Entry, now: number): History => ({
    conduct: now - foldedThrough > staleAfterMs ? null : conduct,
    recent: recent.of(agentId, now),
    mutes,
    foldedThrough,
  });
  const find = (organizationId: string, agentId: string): Soon<History> => {
    const now = clock().getTime();
    const entry = entries.get(agentId);
    const age = entry === undefined ? Number.POSITIVE_INFINITY : now - entry.readAt;
    if (entry === undefined || age > REREAD_AFTER_MS)
      return read(organizationId, [agentId]).then(() => getHistory(agentId, entries.get(agentId) as Entry, now));
    if (age > pollEveryMs) {
      entry.readAt = now;
      want(organizationId, agentId);
    }
    return getHistory(agentId, entry, now);
  };
  return { find, note: (decision: ActionRecord, context: string) => recent.note(decision, context, clock().getTime()) };
};
