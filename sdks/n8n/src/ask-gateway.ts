import { requestBody } from '@svc/sdk/act/act.ts';
import { deriveApprovalKey } from '@svc/sdk/act/idempotency-key.ts';
import type { Governance } from '@svc/sdk/governance.ts';
import { mayProceed } from '@svc/sdk/guard/may-proceed.ts';
import type { Decision } from '@svc/sdk/wire/answers.ts';
import { ApprovalPending, ApprovalRequired, GovernanceError } from '@svc/sdk/wire/errors.ts';

/**
 * Outputs of the node by index. n8n itself sends items to the first one: of a disabled node, of one that continues after an error, and the input of
 * a node that waited. So the first one is that of refusals.
 */
export const OUTPUTS = ['refused', 'waiting', 'permitted'] as const;
export type Output = (typeof OUTPUTS)[number];

export type Asked = {
  readonly tool: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly amount?: number;
  readonly currency?: string;
  readonly delegationId?: string;
};
export type Answer = {
  readonly output: Output;
  readonly json: Readonly<Record<string, unknown>>;
  /** The approval that is waited for. */
  readonly approvalId?: string;
};

/** Codes of this side that mean no, beside refusals of the gateway. Everything else is a failure. */
const REFUSALS: ReadonlySet<string> = new Set(['APPROVAL_NOT_GRANTED', 'APPROVAL_EXPIRED', 'APPROVAL_NARROWED', 'NOT_EXECUTED']);

const isRefusal = ({ code, status }: GovernanceError): boolean =>
  REFUSALS.has(code) || status === 400 || status === 403 || status === 404 || status === 409 || status === 422;

const actionId = ({ details }: GovernanceError): unknown => {
  const { decision, action_id } = details as { readonly decision?: Decision; readonly action_id?: unknown };
  return action_id ?? decision?.action_id ?? null;
};

const refused = (code: string, reason: string, more: Readonly<Record<string, unknown>> = {}): Answer => ({
  output: 'refused',
  json: { svc: { decision: 'REFUSED', code, reason, ...more } },
});

const waiting = (approvalId: string): Answer => ({
  output: 'waiting',
  json: { svc: { decision: 'WAITING', approval_id: approvalId } },
  approvalId,
});

const readAnswer = (decision: Decision): Answer => {
  const { action_id, mode, execution, code, reason } = decision;
  const isDone = execution?.state === 'EXECUTED' && mode !== 'SIMULATE';
  if (!isDone && !mayProceed(decision)) return refused(code ?? 'NOT_PERMITTED', reason, { action_id, mode });
  const result = execution !== undefined && 'result' in execution ? { result: execution.result } : {};
  return { output: 'permitted', json: { svc: { decision: 'PERMITTED', action_id, mode, executed: isDone, ...result } } };
};

const answerOfError = (error: unknown): Answer => {
  if (error instanceof ApprovalRequired) return waiting(error.approvalId);
  if (error instanceof ApprovalPending) return waiting(String(error.details.approval_id));
  if (error instanceof GovernanceError && isRefusal(error)) return refused(error.code, error.message, { action_id: actionId(error) });
  throw error;
};

/** Asks for an action, and waits for an approval as long as the caller allows. Throws for what is neither a yes nor a no. */
export const askForAction = async (
  governance: Governance,
  { tool, ...request }: Asked,
  { idempotencyKey, waitMs }: { readonly idempotencyKey: string; readonly waitMs: number },
): Promise<Answer> => {
  try {
    const waitForApproval = waitMs > 0 ? { timeoutMs: waitMs } : false;
    return readAnswer(await governance.act(tool, { ...request, idempotencyKey, waitForApproval }));
  } catch (error) {
    return answerOfError(error);
  }
};

/** Asks for the state of an approval, and for the action once it is given. The passing of time gives nothing. */
export const collectApproval = async (governance: Governance, { tool, ...request }: Asked, approvalId: string): Promise<Answer> => {
  try {
    const { status, denial_reason, approved_request } = await governance.approval(approvalId);
    if (status === 'PENDING') return waiting(approvalId);
    if (status !== 'APPROVED' && status !== 'CONSUMED')
      return refused('APPROVAL_NOT_GRANTED', denial_reason ?? `The approval is ${status.toLowerCase()}.`, { approval_id: approvalId });
    if (approved_request !== null && approved_request !== undefined)
      return refused('APPROVAL_NARROWED', 'An approver edited the request.', { approval_id: approvalId, approved_request });
    const approved = { ...request, approvalId };
    const idempotencyKey = await deriveApprovalKey(approvalId, requestBody(tool, approved));
    return readAnswer(await governance.act(tool, { ...approved, idempotencyKey }));
  } catch (error) {
    return answerOfError(error);
  }
};
