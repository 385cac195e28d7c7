import { createHash } from 'node:crypto';
import type { JsonObject } from '@svc/contract/rows/json-object.ts';
import { maskToolResult } from '@svc/domain/peers/mcp/mask-tool-result.ts';
import type { Governance } from '@svc/sdk/governance.ts';
import { mayProceed } from '@svc/sdk/guard/may-proceed.ts';
import { getMaskedArguments } from '@svc/sdk/guard/obey-masks.ts';
import type { Decision } from '@svc/sdk/wire/answers.ts';
import { ApprovalExpired, GovernanceError, isGovernanceError } from '@svc/sdk/wire/errors.ts';
import { isObject } from '../../files/json-file.ts';
import type { ProxyRefusal } from './messages.ts';

/** Approvals that calls of this process wait for. */
const APPROVALS_MAX = 1_000;

export type PermittedCall = { readonly decision: Decision; readonly arguments: JsonObject };

export type ProxyCallRequest = {
  /** Name of the tool at the gateway. */
  readonly tool: string;
  readonly arguments: JsonObject;
  readonly delegationId: string | undefined;
  readonly holdMs: number;
  readonly signal: AbortSignal;
  readonly onWaiting: (approvalId: string) => void;
};

/** Decides calls. A call that repeats one that waits for an approval attaches to that approval. */
export type CallDecider = (request: ProxyCallRequest) => Promise<PermittedCall>;

const digest = ({ tool, arguments: given, delegationId }: ProxyCallRequest): string =>
  createHash('sha256')
    .update(JSON.stringify([tool, given, delegationId ?? null]))
    .digest('hex');

const isPending = (error: unknown): boolean => isGovernanceError(error, 'APPROVAL_PENDING', 'APPROVAL_REQUIRED');

export const newCallDecider = (governance: Governance): CallDecider => {
  const approvals = new Map<string, string>();
  const remember = (key: string, approvalId: string): void => {
    const [oldest] = approvals.keys();
    if (approvals.size >= APPROVALS_MAX && oldest !== undefined) approvals.delete(oldest);
    approvals.set(key, approvalId);
  };

  /** The approved request, once a person decided. Throws if no one did within the time that the call is held. */
  const attach = async (approvalId: string, { holdMs, signal, arguments: given, onWaiting }: ProxyCallRequest): Promise<JsonObject> => {
    onWaiting(approvalId);
    const approval = await governance.waitForApproval(approvalId, { timeoutMs: Math.max(holdMs, 1), signal });
    return approval.approved_request?.parameters ?? given;
  };

  const act = async (request: ProxyCallRequest, given: JsonObject, approvalId: string | undefined): Promise<PermittedCall> => {
    const { tool, delegationId, signal } = request;
    const decision = await governance.act(tool, {
      parameters: given,
      ...(delegationId === undefined ? {} : { delegationId }),
      ...(approvalId === undefined ? {} : { approvalId, idempotencyKey: `mcp-proxy-${approvalId}` }),
      signal,
      allowNotExecuted: true,
    });
    return { decision, arguments: given };
  };

  const hold = async (key: string, request: ProxyCallRequest, approvalId: string): Promise<PermittedCall> => {
    remember(key, approvalId);
    try {
      const approved = await attach(approvalId, request);
      approvals.delete(key);
      return await act(request, approved, approvalId);
    } catch (error) {
      if (!isPending(error)) approvals.delete(key);
      throw error;
    }
  };

  return async (request) => {
    const key = digest(request);
    const known = approvals.get(key);
    try {
      if (known !== undefined) return await hold(key, request, known);
    } catch (error) {
      // An approval that expired is requested again.
      if (!(error instanceof ApprovalExpired)) throw error;
    }
    try {
      return await act(request, request.arguments, undefined);
    } catch (error) {
      if (!(error instanceof GovernanceError) || error.code !== 'APPROVAL_REQUIRED') throw error;
      return hold(key, request, String(error.details.approval_id));
    }
  };
};

/** The reason why a permitted action is not made here: the environment simulates, or the service makes the call itself. */
export const explainNotRun = (decision: Decision): ProxyRefusal | undefined => {
  if (mayProceed(decision)) return undefined;
  const meta = { action_id: decision.action_id, mode: decision.mode };
  if (decision.mode === 'SIMULATE')
    return {
      code: 'SIMULATED',
      reason: `The environment is in SIMULATE mode, so the tool did not run. ${decision.reason}`,
      remedy: 'Nothing was changed. Do not repeat the call; continue without its effect.',
      meta,
    };
  return {
    code: 'NOT_FOR_THIS_PROCESS',
    reason: 'The tool is not of the kind SDK, or the action is closed, so the tool did not run here.',
    remedy: 'Do not repeat the call; report this to the person who registered the tool.',
    meta,
  };
};

/** The arguments that the server gets: rules may mask some. */
export const getArgumentsToSend = ({ decision, arguments: given }: PermittedCall): JsonObject => {
  const [masked] = getMaskedArguments(decision, {}, [given] as const);
  return isObject(masked) ? masked : given;
};

/** The result that the client gets: rules may mask parts, wherever they are repeated in it. */
export const getResultToShow = ({ mode, explanation }: Decision, result: JsonObject): JsonObject => {
  const paths = mode === 'ENFORCE' ? (explanation.obligations?.mask?.result ?? []) : [];
  if (paths.length === 0) return result;
  const { content, structuredContent, isError } = result;
  return maskToolResult(
    {
      content: (Array.isArray(content) ? content : []).filter(isObject),
      structuredContent: isObject(structuredContent) ? structuredContent : undefined,
      isError: typeof isError === 'boolean' ? isError : undefined,
    },
    paths,
  );
};
