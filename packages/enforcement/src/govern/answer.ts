import type { ApprovalHint, Decision, Explanation } from '@svc/contract/actions/decisions.ts';
import { ERRORS } from '@svc/contract/tables/errors.ts';
import type { CompiledRule } from '@svc/policy/judge/compile-version.ts';
import type { PipelineVerdict } from '../decision/decide.ts';
import { explain } from '../explanation/explain.ts';
import type { Asking } from '../facts/decision-request.ts';
import type { Facts } from '../facts/facts.ts';
import type { PipelineCode } from '../pipeline.ts';
import type { ExecutionCode } from '../ports/executed.ts';
import type { LargeResult } from '../ports/execution-results.ts';
import { type Course, isSimulated } from './action-status.ts';
import { getHintDetails } from './approval-hint.ts';

/** A decision for the response. `code` is null if the caller may proceed. */
export type GovernAnswer = {
  readonly decision: Decision;
  readonly code: PipelineCode | ExecutionCode | null;
  /** Details of the code. */
  readonly details: Readonly<Record<string, unknown>> | undefined;
  /** The compiled rules of the explanation's `matched_rules`. */
  readonly rules: readonly CompiledRule[];
  /** The result of the execution, if it is too large for a member of the decision. */
  readonly large?: LargeResult;
};

export type AnswerInput = {
  readonly command: Asking;
  readonly actionId: string | null;
  readonly course: Course;
  /** Explanation of the verdict; built here unless the record contains it too. */
  readonly explanation?: Explanation | undefined;
  readonly approval?: ApprovalHint | undefined;
  /** Code after the execution. */
  readonly code?: ExecutionCode | undefined;
  readonly large?: LargeResult | undefined;
  /** Approval of a call that was never sent: it may be used again, unless it expired or was withdrawn meanwhile. */
  readonly usable?: string | undefined;
};

const NO_RULES: readonly CompiledRule[] = [];
const permittedReason = 'Allowed.';

export const buildResponse = (facts: Facts, verdict: PipelineVerdict, given: AnswerInput): GovernAnswer => {
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
    explanation: given.explanation ?? explain(facts, verdict),
    ...(approval ? { approval } : {}),
    ...(course.execution ? { execution: course.execution } : {}),
    request_id: command.requestId,
  };
  const stops = given.code !== undefined || verdict.outcome !== 'allowed';
  const answersWithCode = stops && !isSimulated(verdict);
  const held = approval ? getHintDetails(approval) : verdict.details;
  const details = given.usable ? { approval_id: given.usable } : held;
  return {
    decision: answersWithCode || details === undefined ? decision : { ...decision, details },
    code: answersWithCode ? code : null,
    details,
    rules: verdict.learned.consulted ?? NO_RULES,
    ...(given.large ? { large: given.large } : {}),
  };
};

/** Returns the decision as the response, also a refusal, with the details of its code. */
export const buildDecisionResponse = ({ decision, details }: GovernAnswer): Decision =>
  details === undefined || decision.details !== undefined ? decision : { ...decision, details };
