import type { Verdict } from '../decision/decide.ts';
import type { Facts } from '../facts/facts.ts';
import { requestHash } from '../facts/request-hash.ts';
import { approvalDemands } from '../obligations/approval-demands.ts';
import type { ApprovalRecord } from '../ports/ports.ts';

/** Every matching rule's demand at once: of each role as many as any rule asks, the shortest time, a step-up if any asks for one. */
export const approvalTerms = (facts: Facts, verdict: Verdict, id: string): ApprovalRecord => {
  const demands = approvalDemands(verdict.learned);
  const roles = [...new Set(demands.map((demand) => demand.approver_role))];
  const seconds = Math.min(...demands.map((demand) => demand.expires_in_seconds));
  return {
    id,
    request_hash: requestHash(facts, verdict.learned).keyed,
    approver_roles: roles,
    role_quorums: roles.map((role) => Math.max(...demands.flatMap(({ approver_role, quorum }) => (approver_role === role ? quorum : [])))),
    quorum: Math.max(...demands.map((demand) => demand.quorum)),
    step_up: demands.some((demand) => demand.step_up),
    expires_at: new Date(facts.now.getTime() + seconds * 1000).toISOString(),
  };
};
