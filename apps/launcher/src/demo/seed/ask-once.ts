import type { Governance } from '@svc/sdk/governance.ts';
import { isGovernanceError } from '@svc/sdk/wire/errors.ts';
import type { ActionRequest } from '@svc/sdk/wire/options.ts';

/** Result of a request: the decision, or the code of its refusal. */
export type SeedRequestResult = {
  readonly code: string | null;
  readonly actionId: string | undefined;
  readonly approvalId: string;
};

/** Requests an action once, however often it is called: a repetition with the same key returns the first response. */
export const askOnce = async (governance: Governance, tool: string, request: ActionRequest, key: string): Promise<SeedRequestResult> => {
  try {
    const { action_id } = await governance.act(tool, { ...request, idempotencyKey: `demo-${key}` });
    return { code: null, actionId: action_id ?? undefined, approvalId: '' };
  } catch (error) {
    if (!isGovernanceError(error)) throw error;
    return { code: error.code, actionId: undefined, approvalId: String(error.details.approval_id ?? '') };
  }
};
