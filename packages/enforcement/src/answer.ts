import type { ApprovalHint, Decision } from '@svc/contract/decisions.ts';
import { ERRORS, type ErrorCode } from '@svc/contract/errors.ts';
import { type Course, isSimulated } from './action-status.ts';
import type { Command } from './command.ts';
import type { Verdict } from './decide.ts';
import { explain } from './explain.ts';
import type { Facts } from './facts.ts';

/** A decision as it is answered. `code` is null when the caller may go on. */
export type Answer = {
  readonly decision: Decision;
  readonly code: ErrorCode | null;
  readonly details: Readonly<Record<string, unknown>> | undefined;
};

export type Given = {
  readonly command: Command;
  readonly actionId: string | null;
  readonly course: Course;
  readonly approval?: ApprovalHint | undefined;
  /** What execution made of it. */
  readonly code?: ErrorCode | undefined;
};

const permittedReason = 'Allowed.';

export const answerOf = (facts: Facts, verdict: Verdict, given: Given): Answer => {
  const { course, command, approval } = given;
  const code = given.code ?? verdict.code;
  const decision: Decision = {
    action_id: given.actionId,
    decision: verdict.effect,
    status: course.status,
    mode: verdict.mode,
    code,
    reason:
      given.code && course.execution?.reason ? course.execution.reason : verdict.reason || (code ? ERRORS[code].message : permittedReason),
    explanation: explain(facts, verdict),
    ...(approval ? { approval } : {}),
    ...(course.execution ? { execution: course.execution } : {}),
    request_id: command.requestId,
  };
  const stops = given.code !== undefined || verdict.outcome !== 'allowed';
  const answersWithCode = stops && !isSimulated(verdict);
  return {
    decision,
    code: answersWithCode ? code : null,
    details: approval
      ? { approval_id: approval.approval_id, poll_after_seconds: approval.poll_after_seconds, expires_at: approval.expires_at }
      : verdict.details,
  };
};
