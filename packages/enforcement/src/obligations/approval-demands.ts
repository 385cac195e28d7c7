import type { PolicyObligations } from '@svc/contract/actions/obligations.ts';
import { groupsOf } from '@svc/domain/actions/approvals/quorum.ts';
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

/** What the matching rules ask of people; nothing when the strictest of them holds no request. */
export const approvalDemands = ({ policy }: Learned): readonly Demand[] => {
  if (policy?.effect !== 'REQUIRE_APPROVAL') return [];
  const asked = policy.obligations.approvals;
  return asked.length > 0 ? asked : [DEFAULT];
};

/**
 * What an approval has to be good for: what the rules ask beside it, and what they would ask if it was not there. Else a rule that asks
 * nothing where `approval.present` is true would take any approval for enough, one given under weaker terms too.
 */
export const demandsOnUse = (learned: Learned): readonly Demand[] => {
  const demands = approvalDemands(learned);
  return learned.asked === undefined ? demands : [...demands, ...learned.asked];
};

/**
 * Whether people were asked for at least what the rules ask for now. Between question and use the rules may have become stricter,
 * and somebody else may have asked than the one who uses it: neither gets by with less.
 */
export const coversDemands = (approval: ApprovalFacts, demands: readonly Demand[]): boolean => {
  const groups = groupsOf(approval);
  return demands.every(({ approver_role, quorum, step_up, approvers = [], escalate_to_role }) => {
    // Whom the rules do not ask now cannot have been what made it enough.
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
