import { callGateway, type GatewayConnection } from '../exchange/call-gateway.ts';
import type { Approval, Decision } from '../wire/answers.ts';
import { ApprovalRequired, createError, type GovernanceError, isGovernanceError } from '../wire/errors.ts';
import type { ActionRequest, ActOptions } from '../wire/options.ts';
import { isDecision } from '../wire/read-answers.ts';
import { HEADER_NAMES, PATHS } from '../wire/wire-format.ts';
import { deriveApprovalKey, getIdempotencyKey } from './idempotency-key.ts';
import { findNonJson } from './non-json.ts';
import { waitForApproval } from './wait-for-approval.ts';

/** Returns the wire form of a request. The same request always has the same text. Throws TypeError for values that JSON would lose. */
export const requestBody = (tool: string, request: ActionRequest & { readonly dryRun?: boolean }): string => {
  const lost = request.parameters === undefined ? undefined : findNonJson(request.parameters);
  if (lost !== undefined)
    throw new TypeError(`parameters contain a value at "${lost}" that JSON cannot represent, so rules cannot evaluate it.`);
  return JSON.stringify({
    tool,
    parameters: request.parameters,
    amount: request.amount,
    currency: request.currency,
    destination: request.destination,
    delegation_id: request.delegationId,
    approval_id: request.approvalId,
    dry_run: request.dryRun,
  });
};

/** Throws what the decision states against the request, regardless of the HTTP status. Only OBSERVE lets it pass. */
const upheld = (decision: Decision): Decision => {
  const isRefused = decision.code !== null || decision.decision === 'BLOCK';
  if (decision.mode !== 'ENFORCE' || !isRefused) return decision;
  const { code, reason, request_id } = decision;
  throw createError({ code: code ?? 'ACTION_BLOCKED', message: reason, requestId: request_id, details: { ...decision.details, decision } });
};

const NOT_EXECUTED_REMEDY =
  'The operator of the service can allow outgoing calls (GATEWAY_ALLOW_REAL_EGRESS); allowNotExecuted accepts the decision without the call.';

/** Throws for a permission without an execution, which must not look like success. */
const carriedOut = (decision: Decision, options: ActOptions): Decision => {
  const { execution, mode, request_id } = decision;
  const isDone = execution?.state !== 'NOT_EXECUTED' || mode === 'SIMULATE' || options.dryRun || options.allowNotExecuted;
  if (isDone) return decision;
  const message = `The action was permitted but not executed. ${execution.reason ?? ''}`.trim();
  throw createError({ code: 'NOT_EXECUTED', message, remedy: NOT_EXECUTED_REMEDY, requestId: request_id, details: { decision } });
};

const IN_DOUBT = ['GATEWAY_UNREACHABLE', 'TIMED_OUT', 'ANSWER_UNREADABLE'] as const;

/** Adds the idempotency key to the error, so that the caller can retry without acting twice. */
const withKey = (error: GovernanceError, idempotencyKey: string): GovernanceError => {
  const { code, message, status, requestId, retryAfterSeconds, details, cause } = error;
  const doubt = 'The outcome of the request is unknown. It is safe to retry with the same idempotencyKey.';
  return createError({
    code,
    message: `${message} ${doubt}`,
    status,
    requestId,
    retryAfterSeconds,
    details: { ...details, idempotency_key: idempotencyKey },
    cause,
  });
};

const ask = async (connection: GatewayConnection, tool: string, options: ActOptions, key: string): Promise<Decision> => {
  const body = requestBody(tool, options);
  const request = { method: 'POST', path: PATHS.actions, body, headers: { [HEADER_NAMES.idempotencyKey]: key } } as const;
  try {
    return carriedOut(upheld(await callGateway(connection, request, isDecision, options)), options);
  } catch (error) {
    throw isGovernanceError(error, ...IN_DOUBT) ? withKey(error, key) : error;
  }
};

/** Returns what to send with an approval: the original request, or the edited one if the caller accepts it. */
const approvedPart = async (approval: Approval, options: ActOptions): Promise<ActionRequest> => {
  const approved = approval.approved_request ?? null;
  if (approved === null) return { approvalId: approval.id };
  if ((await options.onNarrowed?.(approved)) !== true) {
    const message = 'An approver narrowed the request. Nothing was sent; `approved` contains the approved request.';
    throw createError({ code: 'APPROVAL_NARROWED', message, details: { approval_id: approval.id, approved_request: approved } });
  }
  // If the tool takes the amount from the parameters it was not sent, and is not now.
  const amount = options.amount === undefined || approved.amount === null ? {} : { amount: approved.amount };
  return { parameters: approved.parameters, ...amount, approvalId: approval.id };
};

/**
 * Requests one action. If a person must approve and the caller waits, the request is sent again with the approval. That is a separate
 * request with its own key, derived from the approval and the approved content: a process that resumes after a crash sends the same one.
 */
export const act = async (connection: GatewayConnection, tool: string, options: ActOptions): Promise<Decision> => {
  const key = getIdempotencyKey(options.idempotencyKey);
  try {
    return await ask(connection, tool, options, key);
  } catch (error) {
    if (!(error instanceof ApprovalRequired) || !options.waitForApproval || options.dryRun) throw error;
    const given = options.waitForApproval === true ? {} : options.waitForApproval;
    const wait = options.signal && !given.signal ? { ...given, signal: options.signal } : given;
    const approval = await waitForApproval(connection, error.approvalId, wait);
    const approved = { ...options, ...(await approvedPart(approval, options)) };
    return ask(connection, tool, approved, await deriveApprovalKey(approval.id, requestBody(tool, approved)));
  }
};
