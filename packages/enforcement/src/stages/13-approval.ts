import type { ApprovalFacts, Facts, Learned } from '../facts/facts.ts';
import { matchesHash, requestHash } from '../facts/request-hash.ts';
import { defineStage, PASSED, refuseStage, requireKnown, type StageAnswer } from '../facts/stage.ts';
import { coversDemands, getUseRequirements } from '../obligations/approval-demands.ts';

const REFUSES = ['APPROVAL_NOT_GRANTED', 'APPROVAL_EXPIRED'] as const;
type Answer = StageAnswer<(typeof REFUSES)[number]>;

const notGranted = (reason: string, approval?: ApprovalFacts): Answer =>
  refuseStage('APPROVAL_NOT_GRANTED', reason, approval ? { approval_id: approval.id, status: approval.status } : undefined);

const NONE = 'There is no such approval for this agent.';

const OTHER_AUTHORITY =
  'The authority of the request has changed since the approval was requested, and its new source may be one of the approvers. Send the request again without this approval.';

const getRoot = ({ authority }: Learned): string | null => authority?.chain?.root_principal.id ?? null;

const UNSEPARATED =
  'The approval depends on a vote of someone who registered the agent, created its key or authorized it, which the environment does not accept. Send the request again without it.';

const NEW_LABELS = 'The agent has received data with other labels since the approval was requested. Send the request again without it.';

/** Returns labels added since the approval was opened, which covers only what the agent could carry then. */
const addedLabels = ({ flow }: Learned, { asked_labels }: ApprovalFacts): string[] =>
  asked_labels == null ? [] : (flow?.context.labels ?? []).filter((label) => !asked_labels.includes(label));

/** Compared again at use: the environment may require a stricter separation than when the approval was given. */
const satisfiesSeparation = ({ environment }: Facts, { tool }: Learned, { separation }: ApprovalFacts): boolean =>
  separation === 'STRICT' || environment.separation !== 'STRICT' || (tool?.risk_rating !== 'HIGH' && tool?.risk_rating !== 'CRITICAL');

/** Checks that an approval is used for exactly its request, once, before it expires, and under the same root authority. */
const useApproval = (facts: Facts, learned: Learned, approval: ApprovalFacts): Answer => {
  if (approval.agent_id !== facts.agent.agent_id) return notGranted(NONE);
  if (!matchesHash(approval.request_hash, requestHash(facts, learned)))
    return notGranted('The approval was given for a different request.');
  const isOver = Date.parse(approval.expires_at) <= facts.now.getTime();
  if (approval.status === 'EXPIRED' || (isOver && (approval.status === 'PENDING' || approval.status === 'APPROVED'))) {
    return refuseStage('APPROVAL_EXPIRED', undefined, { approval_id: approval.id });
  }
  const isOpen = approval.status === 'PENDING' || approval.status === 'APPROVED';
  if (isOpen && !coversDemands(approval, getUseRequirements(learned))) {
    return notGranted('The rules now require more than this approval covers. Send the request again without it.', approval);
  }
  if (isOpen && approval.root_principal_id !== getRoot(learned)) return notGranted(OTHER_AUTHORITY, approval);
  if (approval.status === 'PENDING') {
    return { outcome: 'held', reason: 'The approval has not been decided yet.', waitsFor: approval.id };
  }
  if (approval.status === 'CONSUMED') return notGranted('The approval has already been used.', approval);
  if (approval.status !== 'APPROVED') return notGranted('The approval was not granted.', approval);
  const labels_added = addedLabels(learned, approval);
  if (labels_added.length > 0) return refuseStage('APPROVAL_NOT_GRANTED', NEW_LABELS, { approval_id: approval.id, labels_added });
  if (!satisfiesSeparation(facts, learned, approval)) return notGranted(UNSEPARATED, approval);
  return { outcome: 'passed', learned: { consumes: approval } };
};

const checkApproval = (facts: Facts, learned: Learned): Answer => {
  if (facts.approval === null) return notGranted(NONE);
  if (facts.approval) return useApproval(facts, learned, facts.approval);
  const policy = requireKnown(learned.policy, 'policy decision');
  return policy.effect === 'REQUIRE_APPROVAL' ? { outcome: 'held', reason: policy.reason } : PASSED;
};

export const approval = defineStage({ name: 'approval', relaxedByObserve: true, refuses: REFUSES, check: checkApproval });
