import type { ApproverGroup } from '@svc/contract/actions/approval-shapes.ts';
import type { PipelineVerdict } from '../decision/decide.ts';
import type { Facts } from '../facts/facts.ts';
import { requestHash } from '../facts/request-hash.ts';
import { getApprovalDemands } from '../obligations/approval-demands.ts';
import type { ApprovalRecord } from '../ports/ports.ts';

type Demand = ReturnType<typeof getApprovalDemands>[number];

/** Key of demands that ask the same people, now and after escalation. */
const groupKey = ({ approver_role, approvers = [], escalate_to_role }: Demand): string =>
  JSON.stringify([approver_role, approvers.toSorted(), escalate_to_role ?? null]);

const grouped = (demands: readonly Demand[]): Demand[][] => {
  const groups = new Map<string, Demand[]>();
  for (const demand of demands) {
    const key = groupKey(demand);
    groups.set(key, [...(groups.get(key) ?? []), demand]);
  }
  return [...groups.values()];
};

/** Merges demands on the same people; the latest escalation applies. */
const getGroup = (demands: readonly Demand[], now: Date): ApproverGroup => {
  const [{ approvers = [], escalate_to_role } = {}] = demands as readonly Partial<Demand>[];
  const seconds = Math.max(...demands.map(({ escalate_after_seconds = 0 }) => escalate_after_seconds));
  const goesOn = escalate_to_role !== undefined;
  return {
    people: approvers,
    escalates_to: goesOn ? escalate_to_role : null,
    escalates_at: goesOn ? new Date(now.getTime() + seconds * 1000).toISOString() : null,
    escalated: false,
  };
};

/**
 * Merges the demands of every matching rule: for each group of people the largest number, the shortest time, and a step-up if any rule
 * requires one.
 */
export const mergeApprovalTerms = (facts: Facts, verdict: PipelineVerdict, id: string): ApprovalRecord => {
  const demands = getApprovalDemands(verdict.learned);
  const groups = grouped(demands);
  const besides = groups.map((group) => getGroup(group, facts.now));
  const seconds = Math.min(...demands.map((demand) => demand.expires_in_seconds));
  const isPlain = besides.every(({ people, escalates_to }) => people.length === 0 && escalates_to === null);
  return {
    id,
    request_hash: requestHash(facts, verdict.learned).keyed,
    approver_roles: groups.flatMap(([demand]) => demand?.approver_role ?? []),
    role_quorums: groups.map((group) => Math.max(...group.map(({ quorum }) => quorum))),
    approver_groups: isPlain ? null : besides,
    quorum: Math.max(...demands.map((demand) => demand.quorum)),
    step_up: demands.some((demand) => demand.step_up),
    asked_labels: verdict.learned.flow?.context.labels ?? [],
    expires_at: new Date(facts.now.getTime() + seconds * 1000).toISOString(),
  };
};
