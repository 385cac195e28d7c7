import { classifyOutcome } from '@svc/domain/risk/conduct/classify-outcome.ts';
import { computeSlot } from '@svc/domain/risk/conduct/conduct.ts';
import type { RecentCalls } from '@svc/domain/risk/risk-signals/signal.ts';
import type { ActionRecord } from '@svc/enforcement/ports/ports.ts';

const WINDOW_MS = 600_000;
const NAMES_MAX = 16;
/** Beyond it the oldest is forgotten, and counts as begun when it is used again. */
const CONTEXTS_MAX = 64;

type Seen = { slot: number; calls: number; refusedInRow: number; readonly names: Map<string, number>; readonly contexts: Set<string> };

const NONE: RecentCalls = { calls: 0, refusedInRow: 0, refusedNames: 0, contexts: new Set() };

/** Recent decisions of this process, so that a burst is visible before it is aggregated. Bounded in agents and in names per agent. */
export const newRecentCalls = (agentsMax: number) => {
  const seen = new Map<string, Seen>();
  const getEntry = (agentId: string): Seen => {
    const known = seen.get(agentId);
    if (known !== undefined) return known;
    if (seen.size >= agentsMax) seen.delete(seen.keys().next().value as string);
    const added: Seen = { slot: 0, calls: 0, refusedInRow: 0, names: new Map(), contexts: new Set() };
    seen.set(agentId, added);
    return added;
  };
  const noteContext = ({ contexts }: Seen, context: string): void => {
    if (contexts.has(context)) return;
    if (contexts.size >= CONTEXTS_MAX) contexts.delete(contexts.values().next().value as string);
    contexts.add(context);
  };
  return {
    of: (agentId: string, now: number): RecentCalls => {
      const one = seen.get(agentId);
      if (one === undefined) return NONE;
      let refusedNames = 0;
      for (const at of one.names.values()) if (at > now - WINDOW_MS) refusedNames += 1;
      return { calls: one.slot === computeSlot(now) ? one.calls : 0, refusedInRow: one.refusedInRow, refusedNames, contexts: one.contexts };
    },
    note: ({ agent_id, tool, status, code }: ActionRecord, context: string, now: number): void => {
      noteContext(getEntry(agent_id), context);
      const outcome = classifyOutcome({ status, code });
      if (outcome === 'none') return;
      const one = getEntry(agent_id);
      const slot = computeSlot(now);
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
