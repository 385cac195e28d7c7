import { act } from './act/act.ts';
import { delegate } from './act/delegate.ts';
import { readAction, reportOutcome } from './act/report-outcome.ts';
import { readApproval, waitForApproval } from './act/wait-for-approval.ts';
import { type GatewayDouble, openGatewayDouble, type TestedOutcome, type TestedRequest, type Verdicts } from './double/gateway-double.ts';
import { answerRefusals } from './frameworks/answer-refusals.ts';
import { guardMcpClient, guardMcpServer } from './frameworks/guard-mcp.ts';
import { type GuardFunction, guardTools, makeToolGuard } from './frameworks/guard-tools.ts';
import { guard } from './guard/guard.ts';
import { type AgentSession, connect } from './identity/connect.ts';
import { hasAgentKey, readEnvironment } from './identity/read-environment.ts';
import type { Action, Approval, Decision, Handshake, NewDelegation } from './wire/answers.ts';
import type {
  ActOptions,
  CallOptions,
  DelegateOptions,
  GovernanceOptions,
  GuardOptions,
  Outcome,
  ToolOptions,
  WaitOptions,
} from './wire/options.ts';

/** Sessions of clients that another client opened, by their options. */
const opened = new WeakMap<GovernanceOptions, AgentSession>();

/**
 * Client of an agent for its gateway: authenticates the agent, requests each protected action, and reports its outcome.
 *
 * Every failure is thrown as a `GovernanceError` (see `@svc/sdk/errors`), so code after `await` runs only with a response. One instance
 * supports any number of concurrent calls and needs no closing.
 */
export class Governance {
  readonly agentId: string;
  readonly gatewayUrl: string;
  readonly #session: AgentSession;

  /** Throws TypeError for an invalid option, without repeating the private key. Nothing is sent until the first call. */
  constructor(options: GovernanceOptions) {
    this.#session = opened.get(options) ?? connect(options);
    this.agentId = this.#session.agentId;
    this.gatewayUrl = this.#session.transport.url;
  }

  /**
   * Returns a client of the environment: SVC_GATEWAY_URL, SVC_AGENT_ID, SVC_AGENT_KEY_FILE or SVC_AGENT_KEY, SVC_AGENT_KEY_GENERATION. Throws
   * TypeError if one is missing, or if others can read the key file.
   */
  static fromEnv(options: Partial<GovernanceOptions> = {}): Governance {
    return new Governance({ ...readEnvironment(), ...options });
  }

  /**
   * Returns a client of the same agent with a token of its own, whose requests are in a flow context: the labels of the data that they read
   * count together. Give each conversation or task its own id (1 to 64 of `A-Za-z0-9._:-`), and use the id again to continue; without one it
   * is random. An environment that counts all contexts of an agent together, as those of the type PRODUCTION do by default, ignores it.
   */
  withContext(id: string = crypto.randomUUID()): Governance {
    const options: GovernanceOptions = { gatewayUrl: this.gatewayUrl, agentId: this.agentId, privateKey: '' };
    opened.set(options, this.#session.inContext(id));
    return new Governance(options);
  }

  /**
   * Returns a double for unit tests. It decides in this process from a table of tools and never uses the network; a tool that is not in the
   * table is blocked. Throws TypeError in a process that has the key of an agent.
   */
  static testing(verdicts: Verdicts): TestingGovernance {
    return new TestingGovernance(verdicts);
  }

  /**
   * Requests one action of a tool; the service executes a tool of the kind HTTP or MCP in the same call. Throws if it is refused
   * (`ActionBlocked`, `AuthorityExceeded`, ...), held for an approval (`ApprovalRequired`), permitted but not executed by the service
   * (`NotExecuted`, unless `allowNotExecuted`), or if the result is uncertain.
   *
   * In an environment in SIMULATE, and for a dry run, it returns a decision although nothing was permitted: check `mayProceed`
   * (`@svc/sdk/may-proceed`) before acting on it, or use `guard`, which does.
   */
  act(tool: string, options: ActOptions = {}): Promise<Decision> {
    return act(this.#session, tool, options);
  }

  /**
   * Wraps a function that executes a tool of the kind SDK. Each call is requested first; the function runs only if it is permitted, with
   * the judged arguments, and its outcome is reported. Its result or exception is passed through unchanged.
   *
   * Without a permission the function does not run and the call throws: what `act` throws, and also `Simulated` in an environment in
   * SIMULATE, `NotForThisProcess` if the service executes the tool, and `ParametersChanged`. With `onRefusal: 'return'` it returns a text
   * for a language model instead.
   */
  guard<Args extends readonly unknown[], Result>(
    tool: string,
    fn: (...args: Args) => Result | Promise<Result>,
    options: GuardOptions<Args, Result> & { readonly onRefusal: 'return' },
  ): (...args: Args) => Promise<Result | string>;
  guard<Args extends readonly unknown[], Result>(
    tool: string,
    fn: (...args: Args) => Result | Promise<Result>,
    options?: GuardOptions<Args, Result> & { readonly onRefusal?: 'throw' },
  ): (...args: Args) => Promise<Result>;
  guard<Args extends readonly unknown[], Result>(
    tool: string,
    fn: (...args: Args) => Result | Promise<Result>,
    options: GuardOptions<Args, Result> & { readonly onRefusal?: 'throw' | 'return' } = {},
  ): (...args: Args) => Promise<Result | string> {
    const { onRefusal, ...settings } = options;
    const make = (run: typeof fn) => guard(this.#session, tool, run, settings, this.#session.tell(options.onError));
    return onRefusal === 'return' ? answerRefusals(make, fn, ({ forModel }) => forModel) : make(fn);
  }

  /**
   * Returns guarded copies of tools: of the `ai` package (an object by name), LangChain, Mastra and the Claude Agent SDK, and of functions. The
   * arguments are judged as the framework parses them, and its model reads refusals. Throws TypeError for any other tool, such as one that a
   * provider executes or of `@openai/agents`, which takes `guardExecute`.
   */
  tools<Tools extends readonly unknown[] | Readonly<Record<string, unknown>>>(tools: Tools, options: ToolOptions = {}): Tools {
    return guardTools(this.#guardFunction, tools, options);
  }

  /**
   * Guards the `execute` function of a tool, where a framework calls it with parsed arguments, as `@openai/agents` does. The first argument is
   * judged, the others belong to the framework. A refusal is returned as text for the model.
   */
  guardExecute<Input, Rest extends readonly unknown[], Result>(
    tool: string,
    execute: (input: Input, ...rest: Rest) => Result | Promise<Result>,
    options: ToolOptions = {},
  ): (input: Input, ...rest: Rest) => Promise<Result | string> {
    return answerRefusals(makeToolGuard(this.#guardFunction, tool, options), execute, ({ forModel }) => forModel);
  }

  /** Guards the tools that are registered on an `McpServer` (SDK v1 or v2) from now on. Throws TypeError if one is already registered. */
  mcpServer<Server extends object>(server: Server, options: ToolOptions = {}): Server {
    return guardMcpServer(this.#guardFunction, server, options);
  }

  /** Guards every `callTool` of an MCP `Client` (SDK v1 or v2). */
  mcpClient<Client extends object>(client: Client, options: ToolOptions = {}): Client {
    return guardMcpClient(this.#guardFunction, client, options);
  }

  readonly #guardFunction: GuardFunction = (tool, fn, options) => this.guard(tool, fn, options);

  /**
   * Delegates part of this agent's authority to another agent, which names the returned `id` as `delegationId`. Never more than this agent
   * has: requesting more throws `DelegationEscalation`, which states the exceeded fields.
   */
  delegate(agentId: string, options: DelegateOptions = {}): Promise<NewDelegation> {
    return delegate(this.#session, agentId, options);
  }

  /**
   * Waits until a person approves; returns the approval. Throws `ApprovalNotGranted` if it is denied or withdrawn, `ApprovalExpired`, and
   * `ApprovalPending` if `timeoutMs` ends first; the approval stays pending then.
   */
  waitForApproval(approvalId: string, options: WaitOptions = {}): Promise<Approval> {
    return waitForApproval(this.#session, approvalId, options);
  }

  /** Returns an approval of this agent. Throws NOT_FOUND for any other. */
  approval(approvalId: string, options: CallOptions = {}): Promise<Approval> {
    return readApproval(this.#session, approvalId, options);
  }

  /**
   * Reports how an action ended that this process executed; `guard` does so itself. The first report counts: another one throws
   * INVALID_STATE_TRANSITION, unless it has the same status. Other members are not compared: the record contains them without secrets.
   */
  outcome(actionId: string, outcome: Outcome, options: CallOptions = {}): Promise<Action> {
    return reportOutcome(this.#session, actionId, outcome, options);
  }

  /** Returns the record of one of this agent's actions. Throws NOT_FOUND for any other. */
  actionStatus(actionId: string, options: CallOptions = {}): Promise<Action> {
    return readAction(this.#session, actionId, options);
  }

  /** Authenticates the agent and returns what it may use. Calls do so themselves; use this to look before the first one. */
  handshake(options: CallOptions = {}): Promise<Handshake> {
    return this.#session.handshake(options);
  }

  /** Ends the agent's session at the gateway, if there is one. The next call begins another. */
  logout(options: CallOptions = {}): Promise<void> {
    return this.#session.logout(options);
  }
}

/** Address that no name server resolves, and a key that everyone knows (RFC 8032, test 1). */
const TESTING = {
  gatewayUrl: 'http://governance.testing.invalid',
  agentId: 'agt_testing',
  privateKey: 'MC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g',
  audience: 'testing',
};

/** Double of the client for unit tests: see `Governance.testing`. */
export class TestingGovernance extends Governance {
  readonly #double: GatewayDouble;

  constructor(verdicts: Verdicts) {
    if (hasAgentKey())
      throw new TypeError("Governance.testing decides nothing real, so it refuses a process that has an agent's key (SVC_AGENT_KEY...).");
    const double = openGatewayDouble(verdicts);
    super({ ...TESTING, fetch: double.fetch });
    this.#double = double;
  }

  /** Every request, in the form for the gateway. */
  get requests(): readonly TestedRequest[] {
    return this.#double.requests;
  }

  /** Every reported outcome. */
  get outcomes(): readonly TestedOutcome[] {
    return this.#double.outcomes;
  }
}
