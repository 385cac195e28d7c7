import { RISK_LIMITS } from '@svc/contract/tables/limits/risk-limits.ts';
import { sourceNetwork } from '@svc/domain/risk/risk-signals/source-network.ts';
import type { AgentHome } from '@svc/postgres/agents/identity/find-agent-home.ts';
import type { FailedSignIns } from '@svc/postgres/risk/report-failed-assertions.ts';
import { LRUCache } from 'lru-cache';
import type { AgentHomes } from './agent-homes.ts';

export type FailedAssertions = {
  /** Counts a failed sign-in that names an agent. The caller does not wait for a report of many. */
  readonly count: (agentId: string, address: string, nowMs: number) => void;
};

type Held = { count: number; since: number; reportedAt: number; readonly networks: Set<string> };

type Ports = {
  readonly homes: AgentHomes;
  readonly report: (home: AgentHome, failures: FailedSignIns) => Promise<void>;
  readonly onError: (error: unknown) => void;
};

const {
  assertionFailuresMin: min,
  assertionFailuresWithinMs: withinMs,
  assertionFailuresReportMs: reportMs,
  assertionFailuresAgentsMax: agentsMax,
} = RISK_LIMITS;
const NETWORKS_MAX = 16;

/**
 * Counts failed sign-ins by agent in memory and reports many of one agent, at most once a minute and one agent at a time. A flood of them
 * costs a bounded number of statements, and says nothing of the agent itself.
 */
export const newFailedAssertions = ({ homes, report, onError }: Ports): FailedAssertions => {
  const held = new LRUCache<string, Held>({ max: agentsMax });
  let isReporting = false;
  const send = async (agentId: string, { count, since, networks }: Held, nowMs: number): Promise<void> => {
    const home = await homes(agentId);
    // An id that no agent has belongs to no organization, so there is no one to report it to.
    if (home) await report(home, { agentId, count, networks: [...networks], firstMs: since, lastMs: nowMs });
  };
  return {
    count: (agentId, address, nowMs) => {
      const before = held.get(agentId);
      const isOver = before === undefined || nowMs - before.since > withinMs;
      const now: Held = isOver ? { count: 0, since: nowMs, reportedAt: before?.reportedAt ?? 0, networks: new Set() } : before;
      if (isOver) held.set(agentId, now);
      now.count += 1;
      const network = sourceNetwork(address);
      if (network !== null && now.networks.size < NETWORKS_MAX) now.networks.add(network);
      if (now.count < min || nowMs - now.reportedAt < reportMs || isReporting) return;
      isReporting = true;
      held.set(agentId, { count: 0, since: nowMs, reportedAt: nowMs, networks: new Set() });
      void send(agentId, now, nowMs)
        .then(() => undefined, onError)
        .finally(() => {
          isReporting = false;
        });
    },
  };
};
