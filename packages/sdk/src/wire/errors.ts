import type { ApprovedRequest, Decision } from './answers.ts';
import type { ClientErrorCode, ErrorCode, GatewayErrorCode } from './error-code.ts';
import { describeNextStep } from './next-step.ts';
import { isApprovedRequest, isDecision } from './read-answers.ts';

/** Facts about a failure when it is thrown. */
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

const getText = (value: unknown): string => (typeof value === 'string' ? value : '');

/**
 * Error of this client about a response, or a missing one. Branch on `code`, or on the class if the code has one. It never contains the
 * private key, a token, or the headers of a request.
 */
export class GovernanceError extends Error {
  /** Stable. `message` is for people and may change. */
  readonly code: ErrorCode;
  /** HTTP status of the response; undefined if there was none. */
  readonly status: number | undefined;
  /** Remedy for the code, in a sentence; undefined if the gateway stated none. */
  readonly remedy: string | undefined;
  /** Page that explains the code, at the gateway that responded; undefined if the gateway stated none. */
  readonly docsUrl: string | undefined;
  /** Id to state in a support request; undefined without a response. */
  readonly requestId: string | undefined;
  /** Details of the code, such as the approval to wait for. Empty if there are none. */
  readonly details: Readonly<Record<string, unknown>>;
  /** True if the same call may succeed later, with the same idempotency key and unchanged. */
  readonly retryable: boolean;
  /** Seconds that the gateway asked to wait, if it did. */
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

  /** The decision, if the request was decided. */
  get decision(): Decision | undefined {
    const { decision } = this.details;
    return isDecision(decision) ? decision : undefined;
  }

  /** The next step of a program or a language model, in one or two sentences; for example not to repeat a refused call. */
  get nextStep(): string {
    const { code, retryable, remedy } = this;
    return describeNextStep({ code, retryable, remedy, approvalId: getText(this.details.approval_id) });
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

/** APPROVAL_REQUIRED: a person must approve this request first. */
export class ApprovalRequired extends GovernanceError {
  get approvalId(): string {
    return getText(this.details.approval_id);
  }
  /** Seconds between polls. */
  get pollAfterSeconds(): number {
    const seconds = this.details.poll_after_seconds;
    return typeof seconds === 'number' ? seconds : 2;
  }
  /** ISO-8601 UTC. */
  get expiresAt(): string {
    return getText(this.details.expires_at);
  }
}

/** APPROVAL_NOT_GRANTED: denied, withdrawn, already used, or granted for another request. */
export class ApprovalNotGranted extends GovernanceError {}

/** APPROVAL_EXPIRED: not decided in time, or not used in time. */
export class ApprovalExpired extends GovernanceError {}

/** ACTION_BLOCKED: a rule forbids it; `decision.explanation` names the rule. */
export class ActionBlocked extends GovernanceError {}

/** AUTHORITY_EXCEEDED: outside the agent's delegated authority. */
export class AuthorityExceeded extends GovernanceError {}

/** DELEGATION_ESCALATION: requested more than is available; `fields` names each value with its limit. */
export class DelegationEscalation extends GovernanceError {
  get fields(): readonly { readonly field: string; readonly parent: unknown; readonly asked: unknown }[] {
    const { fields } = this.details;
    return Array.isArray(fields) ? fields : [];
  }
}

/** VELOCITY_LIMIT_EXCEEDED: more calls or amounts in a time window than policy permits. */
export class VelocityLimitExceeded extends GovernanceError {}

/** CAPABILITY_NOT_GRANTED or TOOL_NOT_AUTHORIZED: the agent is not authorized for this tool. */
export class NotAuthorized extends GovernanceError {}

/** ENVIRONMENT_PAUSED, AGENT_NOT_OPERATIONAL, AGENT_ISOLATED or TOOL_DISABLED: stopped on purpose by a person. */
export class StoppedByOperator extends GovernanceError {}

/** AGENT_AUTHENTICATION_FAILED: the gateway does not accept this key for this agent. */
export class AuthenticationFailed extends GovernanceError {}

/** AGENT_IDENTITY_REVOKED: permanent. */
export class IdentityRevoked extends GovernanceError {}

/** IDENTITY_GENERATION_STALE: the key was rotated; continue with the new private key and its `keyGeneration`. */
export class IdentityGenerationStale extends GovernanceError {}

/** RATE_LIMITED, also after waiting for the timeout of the call. */
export class RateLimited extends GovernanceError {}

/** A dependency of the decision does not respond, so the service refused; also after waiting for the timeout of the call. */
export class ServiceUnavailable extends GovernanceError {}

/** EXECUTION_FAILED: permitted, and rejected by the downstream system. */
export class ExecutionFailed extends GovernanceError {}

/** EXECUTION_TIMEOUT: it is unknown whether the downstream system acted. Check there before retrying. */
export class OutcomeUnknown extends GovernanceError {}

/** GATEWAY_UNREACHABLE: no response. `cause` is the system's error with its `code`, if there was one. */
export class GatewayUnreachable extends GovernanceError {
  /** Address of the gateway. */
  get address(): string {
    return getText(this.details.address);
  }
}

/** TIMED_OUT: no final response in time. */
export class TimedOut extends GovernanceError {}

/** ANSWER_UNREADABLE: a response that does not follow the contract. */
export class AnswerUnreadable extends GovernanceError {}

/**
 * NOT_EXECUTED: permitted and recorded, but the service did not make the call: `reason` states why, such as disabled calls to real
 * destinations. Nothing has happened downstream.
 */
export class NotExecuted extends GovernanceError {
  get reason(): string {
    return getText(this.decision?.execution?.reason);
  }
}

/** SIMULATED: the environment only simulates; `decision` states what would have happened. The guarded function did not run. */
export class Simulated extends GovernanceError {}

/** NOT_FOR_THIS_PROCESS: permitted, but there is nothing for the guarded function to execute. It did not run. */
export class NotForThisProcess extends GovernanceError {}

/** PARAMETERS_CHANGED: the guarded function did not run, because its arguments are no longer the judged ones. */
export class ParametersChanged extends GovernanceError {}

/** CANNOT_MASK: rules mask parameters, and `options.masked` does not state where they are among the arguments. The function did not run. */
export class CannotMask extends GovernanceError {}

/** RESULT_WITHHELD: the guarded function has run; its result is not JSON with members, so it cannot be masked. */
export class ResultWithheld extends GovernanceError {}

/** APPROVAL_PENDING: not decided within the waiting time. The approval is still pending and can be waited for again. */
export class ApprovalPending extends GovernanceError {}

/**
 * APPROVAL_NARROWED: an approver edited the request, and nothing was sent with the approval. `approved` is the edited request: only exactly
 * that, with `approvalId`, is accepted.
 */
export class ApprovalNarrowed extends GovernanceError {
  get approvalId(): string {
    return getText(this.details.approval_id);
  }
  get approved(): ApprovedRequest {
    const { approved_request: approved } = this.details;
    if (!isApprovedRequest(approved)) throw new TypeError('This error was not created from an approval.');
    return approved;
  }
}

/** Error classes by code; a code without a row here is a plain {@link GovernanceError}. */
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

/** Hints about the caller's side that the gateway cannot know, after its own sentence. */
const HINT_OF_CODE: Partial<Record<GatewayErrorCode, string>> = {
  AGENT_AUTHENTICATION_FAILED: 'If the key was rotated, pass the keyGeneration of the new key.',
  IDENTITY_GENERATION_STALE: 'Pass the new privateKey together with its keyGeneration.',
};

const own = <Value>(table: Partial<Record<string, Value>>, code: string): Value | undefined =>
  Object.hasOwn(table, code) ? table[code] : undefined;

/** Builds the error of a refusal, in the class of its code. */
export const createError = (failure: Failure): GovernanceError => {
  const hint = own(HINT_OF_CODE, failure.code);
  const ErrorClass = own(CLASS_OF_CODE, failure.code) ?? GovernanceError;
  return new ErrorClass({ ...failure, message: hint ? `${failure.message} ${hint}` : failure.message });
};

/** True for a {@link GovernanceError}, with one of the codes if any are given. */
export const isGovernanceError = (error: unknown, ...codes: readonly ErrorCode[]): error is GovernanceError =>
  error instanceof GovernanceError && (codes.length === 0 || codes.includes(error.code));
