import { ERRORS, type ErrorCode } from '@svc/contract/tables/errors.ts';

const isCode = (code: string): code is ErrorCode => Object.hasOwn(ERRORS, code);

/** Statuses of an action that ended after its decision, for another reason than that of the decision. */
const ENDED_LATER: ReadonlySet<string> = new Set(['CANCELLED', 'EXPIRED']);

type Ended = { readonly status: string; readonly decision: string; readonly code: string | null; readonly reason: string };

/** The reason that belongs to the code of an action. The reason of a decision that an end replaced stays in its explanation. */
export const sanitizeReason = ({ status, decision, code, reason }: Ended): string => {
  const isDenied = status === 'BLOCKED' && decision === 'REQUIRE_APPROVAL' && code === 'APPROVAL_NOT_GRANTED';
  if (code === null || !isCode(code) || !(isDenied || ENDED_LATER.has(status))) return reason;
  return ERRORS[code].message;
};
