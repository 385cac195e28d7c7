import type { Action } from '@svc/contract/actions.ts';
import type { Decision } from '@svc/contract/decisions.ts';
import { ERRORS, type ErrorCode } from '@svc/contract/errors.ts';
import { type Refusal, refusal } from '@svc/contract/refusal.ts';

const isCode = (code: string | null): code is ErrorCode => code !== null && Object.hasOwn(ERRORS, code);

/** The code the first answer had. In SIMULATE and OBSERVE a decision stops nothing; a failed execution still shows. */
const codeOf = ({ status, code, execution }: Action): ErrorCode | null => {
  const failed = execution?.state === 'FAILED' || execution?.state === 'UNKNOWN';
  if ((status === 'SIMULATED' || status === 'OBSERVED') && !failed) return null;
  return isCode(code) ? code : null;
};

const decisionOf = (action: Action): Decision => ({
  action_id: action.id,
  decision: action.decision,
  status: action.status,
  mode: action.mode,
  code: action.code,
  reason: action.reason,
  explanation: action.explanation,
  ...(action.execution ? { execution: action.execution } : {}),
  request_id: action.request_id,
});

/** The answer to a request that was decided before, built from what was recorded of it. */
export const replayedDecision = <Code extends ErrorCode>(
  action: Action,
  approval: { expires_at: string } | undefined,
): Decision | Refusal<Code> => {
  const code = codeOf(action);
  const decision = decisionOf(action);
  if (code === null) return decision;
  const waits =
    action.approval_id && approval ? { approval_id: action.approval_id, poll_after_seconds: 2, expires_at: approval.expires_at } : {};
  return refusal(code as Code, action.reason, { ...waits, ...decision });
};
