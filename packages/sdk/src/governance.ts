import { act } from './act/act.ts';
import { delegate } from './act/delegate.ts';
import { readAction, reportOutcome } from './act/report-outcome.ts';
import { readApproval, waitForApproval } from './act/wait-for-approval.ts';
import { guard } from './guard/guard.ts';
import { connect, type Session } from './identity/connect.ts';
import type { Action, Approval, Decision, Handshake, NewDelegation } from './wire/answers.ts';
import type { ActOptions, CallOptions, DelegateOptions, GovernanceOptions, GuardOptions, Outcome, WaitOptions } from './wire/options.ts';

/**
 * An agent's client to its gateway: proves who the agent is, asks before each protected action, and reports how it went.
 *
 * Whatever goes wrong is thrown as a `GovernanceError` (see `@svc/sdk/errors`), so code after `await` runs only when there is an answer.
 * One instance serves any number of calls at once and needs no closing.
 */
export class Governance {
  readonly agentId: string;
  readonly gatewayUrl: string;
  readonly #session: Session;

  /** Throws TypeError for an option that cannot be used; it never repeats the private key. Nothing is sent until the first call. */
  constructor(options: GovernanceOptions) {
    this.#session = connect(options);
    this.agentId = this.#session.agentId;
    this.gatewayUrl = this.#session.transport.url;
  }

  /**
   * Asks for one action of a tool; a tool of the kind HTTP or MCP is carried out by the service in the same call. Throws when it is refused
   * (`ActionBlocked`, `AuthorityExceeded`, ...), held for a person (`ApprovalRequired`), permitted and not carried out by the service
   * (`NotExecuted`, unless `allowNotExecuted`), or when anything is in doubt.
   *
   * In an environment that is in SIMULATE, and for a dry run, a decision comes back although nothing was permitted: ask `mayProceed`
   * (`@svc/sdk/may-proceed`) before acting on it, or use `guard`, which does.
   */
  act(tool: string, options: ActOptions = {}): Promise<Decision> {
    return act(this.#session, tool, options);
  }

  /**
   * Wraps a function that carries out a tool of the kind SDK. Each call asks first; the function runs only when the answer permits it, with
   * the arguments that were judged, and its outcome is reported. Whatever the function returns or throws comes through unchanged.
   *
   * Without a permission the function does not run and the call throws: what `act` throws, and besides `Simulated` in an environment
   * that is in SIMULATE, `NotForThisProcess` when the service carries the tool out, and `ParametersChanged`.
   */
  guard<Args extends readonly unknown[], Result>(
    tool: string,
    fn: (...args: Args) => Result | Promise<Result>,
    options: GuardOptions<Args, Result> = {},
  ): (...args: Args) => Promise<Result> {
    return guard(this.#session, tool, fn, options, this.#session.tell(options.onError));
  }

  /**
   * Hands on part of what this agent may do to another one, which names the answered `id` as `delegationId`. Never more than this agent has:
   * asking for more throws `DelegationEscalation`, which says in what.
   */
  delegate(agentId: string, options: DelegateOptions = {}): Promise<NewDelegation> {
    return delegate(this.#session, agentId, options);
  }

  /**
   * Waits until a person approves, and answers with the approval. Throws `ApprovalNotGranted` when it is denied or withdrawn,
   * `ApprovalExpired`, and `ApprovalPending` when `timeoutMs` is over first; the approval stands all the same.
   */
  waitForApproval(approvalId: string, options: WaitOptions = {}): Promise<Approval> {
    return waitForApproval(this.#session, approvalId, options);
  }

  /** Where an approval of this agent stands. Throws NOT_FOUND for any other. */
  approval(approvalId: string, options: CallOptions = {}): Promise<Approval> {
    return readApproval(this.#session, approvalId, options);
  }

  /**
   * Reports how an action ended that this process carried out; `guard` does it by itself. The first report stands: another one throws
   * INVALID_STATE_TRANSITION, unless it has the same status. What else it says is not compared: the record holds that without its secrets.
   */
  outcome(actionId: string, outcome: Outcome, options: CallOptions = {}): Promise<Action> {
    return reportOutcome(this.#session, actionId, outcome, options);
  }

  /** The record of one of this agent's actions. Throws NOT_FOUND for any other. */
  actionStatus(actionId: string, options: CallOptions = {}): Promise<Action> {
    return readAction(this.#session, actionId, options);
  }

  /** Proves who the agent is and learns what it may use. Calls do it by themselves; this is for looking before the first one. */
  handshake(options: CallOptions = {}): Promise<Handshake> {
    return this.#session.handshake(options);
  }

  /** Ends the agent's session at the gateway, when there is one. The next call begins another. */
  logout(options: CallOptions = {}): Promise<void> {
    return this.#session.logout(options);
  }
}
