import { slotOf } from '@svc/domain/risk/conduct/conduct.ts';
import { outcomeOf } from '@svc/domain/risk/conduct/outcome-of.ts';
import type { RecentCalls } from '@svc/domain/risk/risk-signals/signal.ts';
import type { ActionRecord } from '@svc/enforcement/ports/ports.ts';

const WINDOW_MS = 600_000;
const NAMES_MAX = 16;

type Seen = { slot: number; calls: number; refusedInRow: number; readonly names: Map<string, number> };

const NONE: RecentCalls = { calls: 0, refusedInRow: 0, refusedNames: 0 };

/** Recent decisions of this process, so that a burst is visible before it is aggregated. Bounded in agents and in names per agent. */
export const newRecentCalls = (agentsMax: number) => {
  const seen = new Map<string, Seen>();
  const entryOf = (agentId: string): Seen => {
    const known = seen.get(agentId);
    if (known !== undefined) return known;
    if (seen.size >= agentsMax) seen.delete(seen.keys().next().value as string);
    const added: Seen = { slot: 0, calls: 0, refusedInRow: 0, names: new Map() };
    seen.set(agentId, added);
    return added;
  };
  return {
    of: (agentId: string, now: number): RecentCalls => {
      const one = seen.get(agentId);
      if (one === undefined) return NONE;
      let refusedNames = 0;
      for (const at of one.names.values()) if (at > now - WINDOW_MS) refusedNames += 1;
      return { calls: one.slot === slotOf(now) ? one.calls : 0, refusedInRow: one.refusedInRow, refusedNames };
    },
    note: ({ agent_id, tool, status, code }: ActionRecord, now: number): void => {
      const outcome = outcomeOf({ status, code });
      if (outcome === 'none') return;
      const one = entryOf(agent_id);
      const slot = slotOf(now);
      one.calls = one.slot === slot ? one.calls + 1 : 1;
      one.slot = slot;
      one.refusedInRow = outcome === 'permitted' ? 0 : one.refusedInRow + 1;
      if (outcome !== 'probing') return;
      one.names.delete(tool);
      if (one.names.size >= NAMES_MAX) one.names.delete(one.names.keys().next().value as string);
      one.names.set(tool, now);
    },
  };
};
