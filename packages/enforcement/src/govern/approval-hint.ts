import type { ApprovalHint } from '@svc/contract/actions/decisions.ts';

const POLL_AFTER_SECONDS = 2;

type Waiting = { readonly id: string; readonly status: string; readonly expires_at: string; readonly remedy?: string | null | undefined };

/** Returns the approval that a request is held for, for the response. */
export const getApprovalHint = ({ id, status, expires_at, remedy }: Waiting): ApprovalHint => ({
  approval_id: id,
  status,
  poll_after_seconds: POLL_AFTER_SECONDS,
  expires_at,
  ...(remedy ? { no_approver: true, remedy } : {}),
});

/** Returns the same as details of APPROVAL_REQUIRED, without the status. */
export const getHintDetails = ({ status: _, ...details }: ApprovalHint): Omit<ApprovalHint, 'status'> => details;
