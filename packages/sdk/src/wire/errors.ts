import type { ApprovedRequest, Decision } from './answers.ts';
import type { ClientErrorCode, ErrorCode, GatewayErrorCode } from './error-code.ts';
import { describeNextStep } from './next-step.ts';
import { isApprovedRequest, isDecision } from './read-answers.ts';

/** What is known of a failure when it is thrown. */
export type Failure = {
  readonly code: ErrorCode;
  readonly message: string;
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
  readonly remedy?: string | undefined;
  readonly docsUrl?: string | undefined;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
  readonly retryAfterSeconds?: number | undefined;
  readonly cause?: unknown;
};

const RETRYABLE_STATUSES: ReadonlySet<number> = new Set([429, 500, 503]);
const RETRYABLE_CODES: ReadonlySet<string> = new Set(['GATEWAY_UNREACHABLE', 'TIMED_OUT', 'APPROVAL_PENDING']);

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/**
 * Everything that this client throws about an answer, or about the lack of one. Branch on `code`, or on the class for those that have
 * one. It never holds the private key, a token, or the headers of a request.
 */
export class GovernanceError extends Error {
  /** Stable. `message` is for people and may change. */
  readonly code: ErrorCode;
  /** HTTP status of the answer; undefined when there was none. */
  readonly status: number | undefined;
  /** What to do about the code, in a sentence; undefined when the gateway did not say. */
  readonly remedy: string | undefined;
  /** Page that explains the code, at the gateway that answered; undefined when the gateway did not say. */
  readonly docsUrl: string | undefined;
  /** To be named when asking somebody about it; undefined when no answer came. */
  readonly requestId: string | undefined;
  /** What the code needs besides, such as the approval to wait for. Empty when there is nothing. */
  readonly details: Readonly<Record<string, unknown>>;
  /** The same call may go better later, with the same idempotency key and nothing changed. */
  readonly retryable: boolean;
  /** Seconds the gateway asked to wait, when it did. */
  readonly retryAfterSeconds: number | undefined;

  constructor({ code, message, status, requestId, remedy, docsUrl, details, retryAfterSeconds, cause }: Failure) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = new.target.name;
    this.code = code;
    this.status = status;
    this.requestId = requestId;
    this.remedy = remedy;
    this.docsUrl = docsUrl;
    this.details = details ?? {};
    this.retryAfterSeconds = retryAfterSeconds;
    this.retryable = status === undefined ? RETRYABLE_CODES.has(code) : RETRYABLE_STATUSES.has(status);
  }

  /** The decision, when the request got as far as being decided. */
  get decision(): Decision | undefined {
    const { decision } = this.details;
    return isDecision(decision) ? decision : undefined;
  }

  /** The next step of a program or a language model, in one or two sentences; for example not to repeat a refused call. */
  get nextStep(): string {
    const { code, retryable, remedy } = this;
    return describeNextStep({ code, retryable, remedy, approvalId: textOf(this.details.approval_id) });
  }

  /** Code, message and next step, for a language model. Guarded tools return this text. */
  get forModel(): string {
    return `Refused (${this.code}): ${this.message.replace(/[.!?]?$/, '.')} ${this.nextStep}`;
  }

  /** Name, message and next step. Frameworks for agents show this text to the model when a tool throws. */
  override toString(): string {
    return `${this.name}: ${this.message.replace(/[.!?]?$/, '.')} ${this.nextStep}`;
  }
}

/** APPROVAL_REQUIRED: a person has to approve this request first. */
export class ApprovalRequired extends GovernanceError {
  get approvalId(): string {
    return textOf(this.details.approval_id);
  }
  /** Seconds to wait between two looks. */
  get pollAfterSeconds(): number {
    const seconds = this.details.poll_after_seconds;
    return typeof seconds === 'number' ? seconds : 2;
  }
  /** ISO-8601 UTC. */
  get expiresAt(): string {
    return textOf(this.details.expires_at);
  }
}

/** APPROVAL_NOT_GRANTED: denied, withdrawn, used already, or given for another request. */
export class ApprovalNotGranted extends GovernanceError {}

/** APPROVAL_EXPIRED: nobody decided in time, or the approval was not used in time. */
export class ApprovalExpired extends GovernanceError {}

/** ACTION_BLOCKED: a rule forbids it; `decision.explanation` names the rule. */
export class ActionBlocked extends GovernanceError {}

/** AUTHORITY_EXCEEDED: outside what was delegated to the agent. */
export class AuthorityExceeded extends GovernanceError {}

/** DELEGATION_ESCALATION: asked to hand on more than there is; `fields` names each value with the one that bounds it. */
export class DelegationEscalation extends GovernanceError {
  get fields(): readonly { readonly field: string; readonly parent: unknown; readonly asked: unknown }[] {
    const { fields } = this.details;
    return Array.isArray(fields) ? fields : [];
  }
}

/** VELOCITY_LIMIT_EXCEEDED: more calls or amounts in a time than policy permits. */
export class VelocityLimitExceeded extends GovernanceError {}

/** CAPABILITY_NOT_GRANTED or TOOL_NOT_AUTHORIZED: nobody has given the agent this tool. */
export class NotAuthorized extends GovernanceError {}

/** ENVIRONMENT_PAUSED, AGENT_NOT_OPERATIONAL, AGENT_ISOLATED or TOOL_DISABLED: a person stopped it on purpose. */
export class StoppedByOperator extends GovernanceError {}

/** AGENT_AUTHENTICATION_FAILED: the gateway does not know this agent by this key. */
export class AuthenticationFailed extends GovernanceError {}

/** AGENT_IDENTITY_REVOKED: for good. */
export class IdentityRevoked extends GovernanceError {}

/** IDENTITY_GENERATION_STALE: the key was rotated; go on with the new private key and its `keyGeneration`. */
export class IdentityGenerationStale extends GovernanceError {}

/** RATE_LIMITED, still after waiting as long as the call may take. */
export class RateLimited extends GovernanceError {}

/** A part the decision rests on does not answer, so the service refused; still so after waiting as long as the call may take. */
export class ServiceUnavailable extends GovernanceError {}

/** EXECUTION_FAILED: permitted, and rejected by the downstream system. */
export class ExecutionFailed extends GovernanceError {}

/** EXECUTION_TIMEOUT: whether the downstream system acted is unknown. Look there before trying again. */
export class OutcomeUnknown extends GovernanceError {}

/** GATEWAY_UNREACHABLE: no answer came back. `cause` is what the system said, with its `code`, where it said anything. */
export class GatewayUnreachable extends GovernanceError {
  /** The gateway that was asked. */
  get address(): string {
    return textOf(this.details.address);
  }
}

/** TIMED_OUT: no final answer within the time given. */
export class TimedOut extends GovernanceError {}

/** ANSWER_UNREADABLE: something answered that does not follow the contract. */
export class AnswerUnreadable extends GovernanceError {}

/**
 * NOT_EXECUTED: permitted and on record, and the service did not make the call: `reason` says why, such as calls to real destinations being
 * switched off. Nothing has happened downstream.
 */
export class NotExecuted extends GovernanceError {
  get reason(): string {
    return textOf(this.decision?.execution?.reason);
  }
}

/** SIMULATED: the environment only simulates; `decision` says what would have happened. The guarded function was not run. */
export class Simulated extends GovernanceError {}

/** NOT_FOR_THIS_PROCESS: permitted, but there is nothing for the guarded function to carry out. It was not run. */
export class NotForThisProcess extends GovernanceError {}

/** PARAMETERS_CHANGED: the guarded function was not run, because what it was called with is no longer what was judged. */
export class ParametersChanged extends GovernanceError {}

/** CANNOT_MASK: rules mask parameters, and `options.masked` does not say where they are among the arguments. The function was not run. */
export class CannotMask extends GovernanceError {}

/** RESULT_WITHHELD: the guarded function has run; its result is not JSON with members, so what rules mask in it cannot be hidden. */
export class ResultWithheld extends GovernanceError {}

/** APPROVAL_PENDING: nobody decided within the time to wait. The approval still stands and can be waited for again. */
export class ApprovalPending extends GovernanceError {}

/**
 * APPROVAL_NARROWED: an approver agreed to less than was asked, and nothing was sent with the approval. `approved` is what it is given for:
 * only exactly that, with `approvalId`, goes ahead.
 */
export class ApprovalNarrowed extends GovernanceError {
  get approvalId(): string {
    return textOf(this.details.approval_id);
  }
  get approved(): ApprovedRequest {
    const { approved_request: approved } = this.details;
    if (!isApprovedRequest(approved)) throw new TypeError('This error was not created from an approval.');
    return approved;
  }
}

/** The class of each code that callers tell apart; a code without a row here is a plain {@link GovernanceError}. */
const CLASS_OF_CODE: Partial<Record<GatewayErrorCode, typeof GovernanceError>> & Record<ClientErrorCode, typeof GovernanceError> = {
  APPROVAL_REQUIRED: ApprovalRequired,
  APPROVAL_NOT_GRANTED: ApprovalNotGranted,
  APPROVAL_EXPIRED: ApprovalExpired,
  ACTION_BLOCKED: ActionBlocked,
  AUTHORITY_EXCEEDED: AuthorityExceeded,
  DELEGATION_ESCALATION: DelegationEscalation,
  VELOCITY_LIMIT_EXCEEDED: VelocityLimitExceeded,
  CAPABILITY_NOT_GRANTED: NotAuthorized,
  TOOL_NOT_AUTHORIZED: NotAuthorized,
  ENVIRONMENT_PAUSED: StoppedByOperator,
  AGENT_NOT_OPERATIONAL: StoppedByOperator,
  AGENT_ISOLATED: StoppedByOperator,
  TOOL_DISABLED: StoppedByOperator,
  AGENT_AUTHENTICATION_FAILED: AuthenticationFailed,
  AGENT_IDENTITY_REVOKED: IdentityRevoked,
  IDENTITY_GENERATION_STALE: IdentityGenerationStale,
  RATE_LIMITED: RateLimited,
  DEPENDENCY_UNAVAILABLE: ServiceUnavailable,
  IDENTITY_SERVICE_UNAVAILABLE: ServiceUnavailable,
  POLICY_SERVICE_UNAVAILABLE: ServiceUnavailable,
  APPROVAL_SERVICE_UNAVAILABLE: ServiceUnavailable,
  CREDENTIAL_SERVICE_UNAVAILABLE: ServiceUnavailable,
  AUDIT_SERVICE_UNAVAILABLE: ServiceUnavailable,
  EXECUTION_FAILED: ExecutionFailed,
  EXECUTION_TIMEOUT: OutcomeUnknown,
  NOT_EXECUTED: NotExecuted,
  GATEWAY_UNREACHABLE: GatewayUnreachable,
  TIMED_OUT: TimedOut,
  ANSWER_UNREADABLE: AnswerUnreadable,
  SIMULATED: Simulated,
  NOT_FOR_THIS_PROCESS: NotForThisProcess,
  PARAMETERS_CHANGED: ParametersChanged,
  CANNOT_MASK: CannotMask,
  RESULT_WITHHELD: ResultWithheld,
  APPROVAL_PENDING: ApprovalPending,
  APPROVAL_NARROWED: ApprovalNarrowed,
};

/** What the gateway cannot know of the caller's side, said after its own sentence. */
const HINT_OF_CODE: Partial<Record<GatewayErrorCode, string>> = {
  AGENT_AUTHENTICATION_FAILED: 'If the key was rotated, pass the keyGeneration of the new key.',
  IDENTITY_GENERATION_STALE: 'Pass the new privateKey together with its keyGeneration.',
};

const own = <Value>(table: Partial<Record<string, Value>>, code: string): Value | undefined =>
  Object.hasOwn(table, code) ? table[code] : undefined;

/** The error of a refusal, in the class of its code. */
export const errorOf = (failure: Failure): GovernanceError => {
  const hint = own(HINT_OF_CODE, failure.code);
  const ErrorClass = own(CLASS_OF_CODE, failure.code) ?? GovernanceError;
  return new ErrorClass({ ...failure, message: hint ? `${failure.message} ${hint}` : failure.message });
};

/** Whether something thrown is a {@link GovernanceError}, and of one of the codes when any are given. */
export const isGovernanceError = (error: unknown, ...codes: readonly ErrorCode[]): error is GovernanceError =>
  error instanceof GovernanceError && (codes.length === 0 || codes.includes(error.code));
