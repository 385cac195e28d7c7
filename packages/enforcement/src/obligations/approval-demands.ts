import type { PolicyObligations } from '@svc/contract/actions/obligations.ts';
import { listApproverGroups } from '@svc/domain/actions/approvals/quorum.ts';
import type { ApprovalFacts, Learned } from '../facts/facts.ts';

type Demand = PolicyObligations['approvals'][number];

const DEFAULT: Demand = {
  rule_id: '',
  policy_id: '',
  version_id: '',
  approver_role: 'approver',
  quorum: 1,
  expires_in_seconds: 3600,
  step_up: false,
};

/** Returns the approvals that matching rules require; none if the strictest of them does not hold the request. */
export const getApprovalDemands = ({ policy }: Learned): readonly Demand[] => {
  if (policy?.effect !== 'REQUIRE_APPROVAL') return [];
  const asked = policy.obligations.approvals;
  return asked.length > 0 ? asked : [DEFAULT];
};

/**
 * Returns what an approval must satisfy: the requirements of rules with it, and without it. Otherwise a rule that requires nothing if
 * `approval.present` is true would accept any approval, also one given under weaker terms.
 */
export const getUseRequirements = (learned: Learned): readonly Demand[] => {
  const demands = getApprovalDemands(learned);
  return learned.asked === undefined ? demands : [...demands, ...learned.asked];
};

/**
 * True if the approval satisfies at least the current requirements. Rules may have become stricter since, and the requester may differ from
 * the user of the approval: neither may lower the requirements.
 */
export const coversDemands = (approval: ApprovalFacts, demands: readonly Demand[]): boolean => {
  const groups = listApproverGroups(approval);
  return demands.every(({ approver_role, quorum, step_up, approvers = [], escalate_to_role }) => {
    // A group that the rules do not require now cannot have completed it.
    const isEnough = groups.some(
      ({ role, roles, people, quorum: asked }) =>
        role === approver_role &&
        asked >= quorum &&
        people.every((id) => approvers.includes(id)) &&
        roles.every((each) => each === role || each === escalate_to_role),
    );
    return isEnough && (approval.step_up || !step_up);
  });
};
