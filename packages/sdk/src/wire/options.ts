import type { Approval, ApprovedRequest } from './answers.ts';

/** A failure that must not change the caller's result, but should be reported. */
export type SideError = {
  readonly error: unknown;
  /** `outcome`: the outcome of a guarded function could not be reported. `renewal`: a token was not renewed in time, and still works. */
  readonly during: 'outcome' | 'renewal';
  /** The action concerned, if there is one. */
  readonly actionId?: string;
};

export type GovernanceOptions = {
  /** Address of the gateway, http or https. It receives a token: use https if others can listen. */
  readonly gatewayUrl: string;
  /** `agt_...` */
  readonly agentId: string;
  /**
   * The agent's Ed25519 private key: PEM as `openssl genpkey -algorithm ed25519` writes it, or base64 PKCS8. Kept only as a non-extractable
   * key of the runtime.
   */
  readonly privateKey: string;
  /** Generation of the agent's key: 1 until the first rotation, then the `key_generation` that came with the new key. */
  readonly keyGeneration?: number;
  /** Audience to sign for, to pin it instead of reading it from the gateway. */
  readonly audience?: string;
  /**
   * Binds tokens to a key that this client makes (DPoP, RFC 9449), so that a stolen one is useless. Also done where the agent requires it.
   */
  readonly dpop?: boolean;
  /** Replaces the runtime's own fetch. */
  readonly fetch?: typeof fetch;
  /** Timeout of one call in milliseconds, including retries and waiting. Default: 30,000. */
  readonly timeoutMs?: number;
  /** Milliseconds since 1970 by the local clock. A wrong clock is corrected by the gateway's time. */
  readonly clock?: () => number;
  /** Receives failures that are not thrown. */
  readonly onError?: (failure: SideError) => void;
};

/** Limits of one call. */
export type CallOptions = {
  /** Timeout of the call in milliseconds; defaults to the client's. Waiting for an approval has a timeout of its own. */
  readonly timeoutMs?: number;
  /** Aborts the call, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
};

export type WaitOptions = {
  /** Maximum waiting time in milliseconds; defaults to the expiry of the approval. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** Called with the result of each poll. */
  readonly onPoll?: (approval: Approval) => void;
};

/** Members that the gateway judges. */
export type ActionRequest = {
  /** Arguments of the tool, as JSON. */
  readonly parameters?: Readonly<Record<string, unknown>>;
  /** Whole minor units of `currency`. */
  readonly amount?: number;
  /** ISO 4217. */
  readonly currency?: string;
  /** Host, host:port or URL that the action reaches. */
  readonly destination?: string;
  /** The delegation to act under. */
  readonly delegationId?: string;
  /** An approval for exactly this request. */
  readonly approvalId?: string;
};

export type ActOptions = ActionRequest &
  CallOptions & {
    /**
     * 1 to 255 visible ASCII characters. The same key with the same request returns the first response and does nothing again. Defaults to
     * a new key for each call.
     */
    readonly idempotencyKey?: string;
    /** Decide and record nothing. */
    readonly dryRun?: boolean;
    /** If a person must approve first, wait for it and then continue. Otherwise `ApprovalRequired` is thrown at once. */
    readonly waitForApproval?: boolean | WaitOptions;
    /**
     * Called with the edited request if an approver edited it, before anything is sent with the approval. Exactly that is sent if it
     * returns true; otherwise, and without it, `ApprovalNarrowed` is thrown. Only called if `waitForApproval` is set.
     */
    readonly onNarrowed?: (approved: ApprovedRequest) => boolean | Promise<boolean>;
    /** Return the decision if the service permitted the action and did not make the call, instead of throwing `NotExecuted`. */
    readonly allowNotExecuted?: boolean;
  };

/** Limits of a delegation; null is no limit, and omitted members are inherited. */
export type DelegationCeiling = {
  /** Whole minor units of `currency` that one action may have; with `windowSeconds` also all actions in any such window. */
  readonly maxAmount?: number | null;
  /** ISO 4217. */
  readonly currency?: string | null;
  /** Actions in any window, or in total without a window. */
  readonly maxCalls?: number | null;
  readonly windowSeconds?: number | null;
};

/** The delegation to create. Omitted members are inherited. */
export type DelegateOptions = CallOptions & {
  /** The delegation to pass on. Default: what people delegated to this agent, or else its grants. */
  readonly parentId?: string;
  /** Each list narrows one dimension; null does not narrow it, and an empty list leaves nothing. */
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
  /** True if the other agent may pass it on. Default: false. */
  readonly canRedelegate?: boolean;
  /** Number of further levels below it. */
  readonly maxDepth?: number;
  /** Same meaning as in `act`. */
  readonly idempotencyKey?: string;
};

/** Outcome of an action that the agent's own process executed. */
export type Outcome = {
  readonly status: 'COMPLETED' | 'FAILED';
  /** Recorded; omit what the record should not contain. */
  readonly result?: unknown;
  /** Error text, at most 2,000 characters. */
  readonly error?: string;
};

export type GuardOptions<Args extends readonly unknown[], Result> = {
  /**
   * Builds the request from the arguments of a call. Called before the request and again before running, and must return the same both
   * times. By default the only argument of the function is the parameters.
   */
  readonly request?: (...args: Args) => ActionRequest;
  /**
   * Returns the arguments to run with if rules mask parameters: `mask` hides the masked values in a copy of the parameters. Only needed
   * with `request`; without it such a call throws `CannotMask` and the function does not run.
   */
  readonly masked?: (mask: (parameters: unknown) => unknown, ...args: Args) => Args;
  /** If a person must approve first, wait for it and then continue. Otherwise `ApprovalRequired` is thrown at once. */
  readonly waitForApproval?: boolean | WaitOptions;
  /**
   * Returns the arguments to run with if an approver edited the request: `request` must build exactly `approved` from them, or the service
   * refuses. Undefined, or omitting it, throws `ApprovalNarrowed`, and the function does not run. Only called if `waitForApproval` is set.
   */
  readonly narrowed?: (approved: ApprovedRequest, ...args: Args) => Args | undefined | Promise<Args | undefined>;
  /** Returns the part of the function's result to record. Default: nothing. */
  readonly result?: (result: Result) => unknown;
  /** Describes a failure for the record. Default: name and message of the error. */
  readonly describeError?: (error: unknown) => string;
  /** Receives an outcome that could not be reported. Default: the client's own `onError`. */
  readonly onError?: (failure: SideError) => void;
};

/** Options of `governance.tools`, `mcpServer` and `mcpClient`. */
export type ToolOptions = {
  /** Name of the tool at the gateway, by its name in the framework; the same name by default. */
  readonly names?: Readonly<Record<string, string>>;
  /**
   * Makes the request from the arguments of a call and the name of the tool in the framework; by default the arguments are the parameters.
   */
  readonly request?: (input: Readonly<Record<string, unknown>>, name: string) => ActionRequest;
  /** Same as for `guard`. */
  readonly waitForApproval?: boolean | WaitOptions;
  /** Returns the part of a tool's result to record; nothing by default. */
  readonly result?: (result: unknown) => unknown;
  /** Same as for `guard`. */
  readonly onError?: (failure: SideError) => void;
};
