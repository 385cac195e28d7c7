import type { Action } from '@svc/contract/actions/actions.ts';
import type { ApprovalHint, Decision } from '@svc/contract/actions/decisions.ts';
import { ENDPOINTS, type Endpoints } from '@svc/contract/endpoints.ts';
import type { RefusedBy } from '@svc/contract/rows/endpoint.ts';
import { type Refusal, refusal } from '@svc/contract/rows/refusal.ts';
import { ERRORS } from '@svc/contract/tables/errors.ts';
import { approvalHint, hintDetails } from '@svc/enforcement/govern/approval-hint.ts';
import { EXECUTION_CODES } from '@svc/enforcement/ports/executed.ts';

type ActionCode = RefusedBy<Endpoints['act']>;

const isActionCode = (code: string): code is ActionCode => (ENDPOINTS.act.refuses as readonly string[]).includes(code);

/**
 * The code the first answer had. In SIMULATE and OBSERVE a decision stops nothing; a failed execution still shows. A code that no action
 * is ever refused with was not written by this service, and what it stands for is not taken for an allow.
 */
const codeOf = ({ status, code, execution }: Action): ActionCode | null => {
  const failed = execution?.state === 'FAILED' || execution?.state === 'UNKNOWN';
  if ((status === 'SIMULATED' || status === 'OBSERVED') && !failed) return null;
  if (code === null) return null;
  return isActionCode(code) ? code : 'AUDIT_SERVICE_UNAVAILABLE';
};

/** What is kept of an approval for saying again that a request waits for it. */
type Waiting = Parameters<typeof approvalHint>[0] & {
  readonly action_id: string;
  /** True when a call that used it was never sent. */
  readonly is_restored?: boolean;
};

const hintOf = (action: Action, approval: Waiting | null): ApprovalHint | undefined =>
  approval && action.code === 'APPROVAL_REQUIRED' ? approvalHint(approval) : undefined;

const isExecutionCode = (code: string | null): boolean => (EXECUTION_CODES as readonly (string | null)[]).includes(code);

/** The reason of the first response: of the call where it failed, otherwise of the decision. */
const reasonOf = ({ code, reason, execution }: Action): string => {
  const failed = execution?.state === 'FAILED' || execution?.state === 'UNKNOWN';
  return (failed && isExecutionCode(code) && execution.reason) || reason;
};

const decisionOf = (action: Action, approval: ApprovalHint | undefined): Decision => ({
  action_id: action.id,
  decision: action.decision,
  status: action.status,
  mode: action.mode,
  code: action.code,
  reason: reasonOf(action),
  explanation: action.explanation,
  ...(approval ? { approval } : {}),
  ...(action.execution ? { execution: action.execution } : {}),
  request_id: action.request_id,
});

/** The answer to a request that was decided before, built from what was recorded of it. */
const replayedDecision = (action: Action, approval: Waiting | null): { decision: Decision; code: ActionCode | null } => ({
  decision: decisionOf(action, hintOf(action, approval)),
  code: codeOf(action),
});

/** What the code had to say besides, as the stage that refused left it. */
const refusedDetails = ({ code, explanation }: Action): Readonly<Record<string, unknown>> | undefined =>
  code === null ? undefined : explanation.stages.findLast((stage) => stage.code === code)?.details;

/** As it is answered where the decision is the answer itself, whatever it is. */
export const replayedWhole = (action: Action, waiting: Waiting | null): Decision => {
  const { decision } = replayedDecision(action, waiting);
  const details = decision.approval ? hintDetails(decision.approval) : refusedDetails(action);
  return details === undefined ? decision : { ...decision, details };
};

/** How the approval ended that this request waited for; undefined for what was said at once. */
const endOf = (action: Action, code: ActionCode, waiting: Waiting | null): string | undefined => {
  if (waiting?.action_id !== action.id) return undefined;
  if (code === 'APPROVAL_EXPIRED') return ERRORS.APPROVAL_EXPIRED.message;
  if (code !== 'APPROVAL_NOT_GRANTED') return undefined;
  return waiting.status === 'DENIED'
    ? 'A person denied the approval. Read the approval for the reason.'
    : ERRORS.APPROVAL_NOT_GRANTED.message;
};

/** As an agent gets it: with its code unless it may go on. */
export const replayedAction = (action: Action, waiting: Waiting | null): Decision | Refusal<ActionCode> => {
  const { decision, code } = replayedDecision(action, waiting);
  if (code === null) return decision;
  const { approval } = decision;
  const hint = approval && hintDetails(approval);
  const end = endOf(action, code, waiting);
  const ended = end !== undefined && waiting ? { approval_id: waiting.id } : {};
  const refused = end === undefined ? refusedDetails(action) : undefined;
  const usable = waiting?.is_restored && isExecutionCode(code) ? { approval_id: waiting.id } : {};
  return refusal(code, end ?? decision.reason, { ...refused, ...hint, ...ended, ...usable, decision });
};
