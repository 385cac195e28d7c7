import type { Approval, ApprovedRequest } from './answers.ts';

/** A failure that must not change what the caller gets, and that somebody should hear of all the same. */
export type SideError = {
  readonly error: unknown;
  /** `outcome`: the outcome of a guarded function could not be reported. `renewal`: a token was not renewed in time, and still works. */
  readonly during: 'outcome' | 'renewal';
  /** The action concerned, when there is one. */
  readonly actionId?: string;
};

export type GovernanceOptions = {
  /** Address of the gateway, http or https. A token is sent to it: use https wherever others can listen. */
  readonly gatewayUrl: string;
  /** `agt_...` */
  readonly agentId: string;
  /** The agent's Ed25519 private key: PEM as `openssl genpkey -algorithm ed25519` writes it, or base64 PKCS8. Kept only where the runtime can sign with it and nobody can read it. */
  readonly privateKey: string;
  /** Which of the agent's keys it is: 1 until the first rotation, then the `key_generation` that came with the new key. */
  readonly keyGeneration?: number;
  /** What to sign for, when you would rather pin it than read it from the gateway. */
  readonly audience?: string;
  /** Binds tokens to a key that this client makes (DPoP, RFC 9449), so that a stolen one is useless. Also done where the agent requires it. */
  readonly dpop?: boolean;
  /** Instead of the runtime's own fetch. */
  readonly fetch?: typeof fetch;
  /** How long one call may take at most, repeats and waiting included, in milliseconds. 30,000 when left out. */
  readonly timeoutMs?: number;
  /** Milliseconds since 1970 by the local clock. A clock that is wrong is corrected by what the gateway tells. */
  readonly clock?: () => number;
  /** Told of failures that are not thrown. */
  readonly onError?: (failure: SideError) => void;
};

/** Bounds of one call. */
export type CallOptions = {
  /** How long the call may take at most, in milliseconds; the client's own bound when left out. Waiting for a person is bounded apart. */
  readonly timeoutMs?: number;
  /** Gives the call up; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
};

export type WaitOptions = {
  /** How long to wait at most, in milliseconds; until the approval expires when left out. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** Called with what each look found. */
  readonly onPoll?: (approval: Approval) => void;
};

/** What the gateway judges. */
export type ActionRequest = {
  /** Arguments of the tool, as JSON. */
  readonly parameters?: Readonly<Record<string, unknown>>;
  /** Whole minor units of `currency`. */
  readonly amount?: number;
  /** ISO 4217. */
  readonly currency?: string;
  /** Host, host:port or URL the action reaches. */
  readonly destination?: string;
  /** The delegation to act under. */
  readonly delegationId?: string;
  /** An approval that was given for this very request. */
  readonly approvalId?: string;
};

export type ActOptions = ActionRequest &
  CallOptions & {
    /**
     * 1 to 255 visible ASCII characters. The same key with the same request gets the first answer again and does nothing anew.
     * One is made up for each call when left out.
     */
    readonly idempotencyKey?: string;
    /** Decide and record nothing. */
    readonly dryRun?: boolean;
    /** When a person must approve first: wait for it, then go ahead. Otherwise `ApprovalRequired` is thrown at once. */
    readonly waitForApproval?: boolean | WaitOptions;
    /**
     * Told of what was approved where an approver narrowed the request, before anything is sent with the approval. Exactly that is sent
     * when it answers true; for anything else, and without it, `ApprovalNarrowed` is thrown. Only asked where `waitForApproval` is set.
     */
    readonly onNarrowed?: (approved: ApprovedRequest) => boolean | Promise<boolean>;
    /** Answer the decision where the service permitted the action and did not make the call, instead of throwing `NotExecuted`. */
    readonly allowNotExecuted?: boolean;
  };

/** How much may be done under a delegation; null bounds nothing, and what is left out is taken over from what it is derived from. */
export type DelegationCeiling = {
  /** Whole minor units of `currency` that one action may come to; with `windowSeconds` also all in any such window. */
  readonly maxAmount?: number | null;
  /** ISO 4217. */
  readonly currency?: string | null;
  /** Actions in any window, or ever when there is no window. */
  readonly maxCalls?: number | null;
  readonly windowSeconds?: number | null;
};

/** What to hand on. What is left out is taken over from what it is derived from. */
export type DelegateOptions = CallOptions & {
  /** The delegation to pass on. Without one: what people delegated to this agent, or else what it was granted. */
  readonly parentId?: string;
  /** Each list narrows one dimension; null does not narrow it, and an empty one leaves nothing. */
  readonly scope?: {
    readonly capabilities?: readonly string[] | null;
    /** Names or ids. */
    readonly tools?: readonly string[] | null;
    readonly environments?: readonly string[] | null;
    /** host or *.host, optionally with :port. */
    readonly destinations?: readonly string[] | null;
  };
  readonly ceiling?: DelegationCeiling | null;
  /** A Date, or ISO-8601 UTC with milliseconds. */
  readonly expiresAt?: Date | string | null;
  /** Whether the other agent may pass it on; not unless it is said. */
  readonly canRedelegate?: boolean;
  /** How many further delegations may hang below, one below the other. */
  readonly maxDepth?: number;
  /** As for `act`. */
  readonly idempotencyKey?: string;
};

/** How an action ended that the agent's own process carried out. */
export type Outcome = {
  readonly status: 'COMPLETED' | 'FAILED';
  /** Kept on the record; leave out what the record should not hold. */
  readonly result?: unknown;
  /** What went wrong, in at most 2,000 characters. */
  readonly error?: string;
};

export type GuardOptions<Args extends readonly unknown[], Result> = {
  /**
   * What to ask for, made of the arguments of a call. Called before asking and again before running, and must give the same both times.
   * When left out, the one argument of the function is the parameters.
   */
  readonly request?: (...args: Args) => ActionRequest;
  /**
   * The arguments to run with where rules mask parameters: `mask` hides in a copy of the parameters what they name. Only needed beside
   * `request`; without it such a call throws `CannotMask` and the function does not run.
   */
  readonly masked?: (mask: (parameters: unknown) => unknown, ...args: Args) => Args;
  /** When a person must approve first: wait for it, then go ahead. Otherwise `ApprovalRequired` is thrown at once. */
  readonly waitForApproval?: boolean | WaitOptions;
  /**
   * The arguments to run with where an approver narrowed the request: `request` has to make exactly `approved` of them, or the service
   * refuses. Undefined, and leaving it out, throws `ApprovalNarrowed`, and the function does not run. Only asked where `waitForApproval` is set.
   */
  readonly narrowed?: (approved: ApprovedRequest, ...args: Args) => Args | undefined | Promise<Args | undefined>;
  /** What of the function's result to keep on the record; nothing when left out. */
  readonly result?: (result: Result) => unknown;
  /** How a failure reads on the record; name and message of the error when left out. */
  readonly describeError?: (error: unknown) => string;
  /** Told when an outcome could not be reported; the client's own `onError` when left out. */
  readonly onError?: (failure: SideError) => void;
};

/** Options of `governance.tools`, `mcpServer` and `mcpClient`. */
export type ToolOptions = {
  /** Name of the tool at the gateway, by its name in the framework; the same name by default. */
  readonly names?: Readonly<Record<string, string>>;
  /** Makes the request from the arguments of a call and the name of the tool in the framework; by default the arguments are the parameters. */
  readonly request?: (input: Readonly<Record<string, unknown>>, name: string) => ActionRequest;
  /** Same as for `guard`. */
  readonly waitForApproval?: boolean | WaitOptions;
  /** Returns the part of a tool's result to record; nothing by default. */
  readonly result?: (result: unknown) => unknown;
  /** Same as for `guard`. */
  readonly onError?: (failure: SideError) => void;
};
