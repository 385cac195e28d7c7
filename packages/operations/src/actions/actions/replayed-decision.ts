import type { Action } from '@svc/contract/actions/actions.ts';
import type { ApprovalHint, Decision } from '@svc/contract/actions/decisions.ts';
import { ENDPOINTS, type Endpoints } from '@svc/contract/endpoints.ts';
import type { RefusedBy } from '@svc/contract/rows/endpoint.ts';
import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { ERRORS } from '@svc/contract/tables/errors.ts';
import { getApprovalHint, getHintDetails } from '@svc/enforcement/govern/approval-hint.ts';
import { EXECUTION_CODES } from '@svc/enforcement/ports/executed.ts';

type ActionCode = RefusedBy<Endpoints['act']>;

const isActionCode = (code: string): code is ActionCode => (ENDPOINTS.act.refuses as readonly string[]).includes(code);

/**
 * Returns the code of the first response. In SIMULATE and OBSERVE a decision stops nothing; a failed execution still shows. A code that no
 * action is refused with was not written by this service, and is not taken for an allow.
 */
const getCode = ({ status, code, execution }: Action): ActionCode | null => {
  const failed = execution?.state === 'FAILED' || execution?.state === 'UNKNOWN';
  if ((status === 'SIMULATED' || status === 'OBSERVED') && !failed) return null;
  if (code === null) return null;
  return isActionCode(code) ? code : 'AUDIT_SERVICE_UNAVAILABLE';
};

/** Columns of an approval that a repeated pending response needs. */
type Waiting = Parameters<typeof getApprovalHint>[0] & {
  readonly action_id: string;
  /** True if the call that used it was never sent. */
  readonly is_restored?: boolean;
};

const getHint = (action: Action, approval: Waiting | null): ApprovalHint | undefined =>
  approval && action.code === 'APPROVAL_REQUIRED' ? getApprovalHint(approval) : undefined;

const isExecutionCode = (code: string | null): boolean => (EXECUTION_CODES as readonly (string | null)[]).includes(code);

/** Returns the reason of the first response: of the call if it failed, otherwise of the decision. */
const getReason = ({ code, reason, execution }: Action): string => {
  const failed = execution?.state === 'FAILED' || execution?.state === 'UNKNOWN';
  return (failed && isExecutionCode(code) && execution.reason) || reason;
};

const getDecision = (action: Action, approval: ApprovalHint | undefined): Decision => ({
  action_id: action.id,
  decision: action.decision,
  status: action.status,
  mode: action.mode,
  code: action.code,
  reason: getReason(action),
  explanation: action.explanation,
  ...(approval ? { approval } : {}),
  ...(action.execution ? { execution: action.execution } : {}),
  request_id: action.request_id,
});

/** Builds the response to a repeated request from the recorded action. */
const replayedDecision = (action: Action, approval: Waiting | null): { decision: Decision; code: ActionCode | null } => ({
  decision: getDecision(action, getHint(action, approval)),
  code: getCode(action),
});

/** Returns the details of the code as the refusing stage left them. */
const refusedDetails = ({ code, explanation }: Action): Readonly<Record<string, unknown>> | undefined =>
  code === null ? undefined : explanation.stages.findLast((stage) => stage.code === code)?.details;

/** Returns the decision as the response, also if it is a refusal. */
export const formatReplayedDecision = (action: Action, waiting: Waiting | null): Decision => {
  const { decision } = replayedDecision(action, waiting);
  const details = decision.approval ? getHintDetails(decision.approval) : refusedDetails(action);
  return details === undefined ? decision : { ...decision, details };
};

/** Returns how the approval ended that this request waited for; undefined if the first response was immediate. */
const endOf = (action: Action, code: ActionCode, waiting: Waiting | null): string | undefined => {
  if (waiting?.action_id !== action.id) return undefined;
  if (code === 'APPROVAL_EXPIRED') return ERRORS.APPROVAL_EXPIRED.message;
  if (code !== 'APPROVAL_NOT_GRANTED') return undefined;
  return waiting.status === 'DENIED'
    ? 'A person denied the approval. Read the approval for the reason.'
    : ERRORS.APPROVAL_NOT_GRANTED.message;
};

/** Returns the response for an agent: a refusal with its code unless the agent may proceed. */
export const formatReplayedAction = (action: Action, waiting: Waiting | null): Decision | Refusal<ActionCode> => {
  const { decision, code } = replayedDecision(action, waiting);
  if (code === null) return decision;
  const { approval } = decision;
  const hint = approval && getHintDetails(approval);
  const end = endOf(action, code, waiting);
  const ended = end !== undefined && waiting ? { approval_id: waiting.id } : {};
  const refused = end === undefined ? refusedDetails(action) : undefined;
  const usable = waiting?.is_restored && isExecutionCode(code) ? { approval_id: waiting.id } : {};
  return buildRefusal(code, end ?? decision.reason, { ...refused, ...hint, ...ended, ...usable, decision });
};
