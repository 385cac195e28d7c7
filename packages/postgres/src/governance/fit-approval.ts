import { APPROVAL_STATUSES, SEPARATIONS } from '@svc/contract/tables/vocabulary.ts';
import type { ApprovalFacts } from '@svc/enforcement/facts/facts.ts';
import { type Fits, isFlag, isText, isTextList, isTime, isWhole, matchWords, mustFit, orNull, UnfitRow } from './unfit-row.ts';

const isCounts: Fits = (value) => Array.isArray(value) && value.every(isWhole(1));

const isGroups: Fits = (value) =>
  Array.isArray(value) &&
  value.every(
    (group) =>
      typeof group === 'object' &&
      group !== null &&
      isTextList(group.people) &&
      orNull(isText)(group.escalates_to) &&
      orNull(isTime)(group.escalates_at) &&
      isFlag(group.escalated),
  );

/** Returns the approval for decisions; throws if the service did not write it that way. */
export const fitApproval = (approval: ApprovalFacts): ApprovalFacts => {
  mustFit('approvals', approval.id, approval, {
    action_id: isText,
    agent_id: isText,
    status: matchWords(APPROVAL_STATUSES),
    expires_at: isTime,
    approver_roles: isTextList,
    role_quorums: orNull(isCounts),
    approver_groups: orNull(isGroups),
    quorum: isWhole(1),
    step_up: isFlag,
    is_restored: isFlag,
    root_principal_id: orNull(isText),
    approved_by: orNull(isTextList),
    asked_labels: orNull(isTextList),
    separation: orNull(matchWords(SEPARATIONS)),
  });
  const { approver_roles, role_quorums, approver_groups = null } = approval;
  if (role_quorums !== null && role_quorums.length !== approver_roles.length) throw new UnfitRow('approvals', approval.id, 'role_quorums');
  if (approver_groups !== null && approver_groups.length !== approver_roles.length)
    throw new UnfitRow('approvals', approval.id, 'approver_groups');
  return approval;
};
