import { ServiceError } from '@svc/client/errors.ts';
import { Governance } from '@svc/sdk/governance.ts';
import { isGovernanceError } from '@svc/sdk/wire/errors.ts';
import type { ActionRequest } from '@svc/sdk/wire/options.ts';
import type { ApiAnswer } from '../../data/answer.ts';

/** The agent of the trial, with the private key that this page holds. */
export type TrialAgent = { readonly gatewayUrl: string; readonly agentId: string; readonly privateKey: string };

/** How the gateway decided: the action was permitted, or it waits for an approval. */
export type TrialDecision =
  | { readonly isHeld: false; readonly actionId: string; readonly status: string; readonly reason: string }
  | { readonly isHeld: true; readonly approvalId: string; readonly reason: string };

const WAIT_MS = 20_000;
const NO_ANSWER = ['GATEWAY_UNREACHABLE', 'TIMED_OUT', 'ANSWER_UNREADABLE'];

/** The SDK throws a TypeError where an option cannot be used, which here is the text of the key file. */
const isUnreadableKey = (error: unknown): boolean =>
  error instanceof TypeError || (error instanceof DOMException && error.name === 'DataError');

/** The error of the gateway in the form that the pages show. */
const describeFailure = (error: unknown, gatewayUrl: string): ServiceError => {
  if (!isGovernanceError(error))
    return new ServiceError({ code: 'KEY_UNREADABLE', message: 'This file is not the private key of the agent.' });
  const { code, message, status, requestId, remedy, details } = error;
  if (NO_ANSWER.includes(code))
    return new ServiceError({
      code: 'SERVICE_UNREACHABLE',
      message: `This browser cannot reach the gateway at ${gatewayUrl}. Send the request from a terminal instead.`,
    });
  return new ServiceError({
    code,
    message,
    details,
    ...(status === undefined ? {} : { status }),
    ...(requestId === undefined ? {} : { requestId }),
    ...(remedy === undefined ? {} : { remedy }),
  });
};

/** Requests an action at the gateway as the agent. This page signs with the private key; it is not sent. */
export const actAsAgent = async (agent: TrialAgent, tool: string, request: ActionRequest): Promise<ApiAnswer<TrialDecision>> => {
  try {
    const governance = new Governance({ ...agent, timeoutMs: WAIT_MS });
    const { action_id, status, reason } = await governance.act(tool, { ...request, allowNotExecuted: true });
    return { ok: true, body: { isHeld: false, actionId: action_id ?? '', status, reason } };
  } catch (error) {
    if (!isGovernanceError(error) && !isUnreadableKey(error)) throw error;
    if (isGovernanceError(error) && error.code === 'APPROVAL_REQUIRED') {
      const { approval_id: approvalId } = error.details;
      return { ok: true, body: { isHeld: true, approvalId: String(approvalId), reason: error.message } };
    }
    return { ok: false, error: describeFailure(error, agent.gatewayUrl) };
  }
};
