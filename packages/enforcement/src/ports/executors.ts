import type { Execution } from '@svc/contract/actions/decisions.ts';
import type { Block } from '@svc/domain/incidents/emergency/blocked-destination.ts';
import type { CallKind, CallRequest } from '../facts/call-request.ts';
import type { OnProgress } from '../facts/progress.ts';
import type { CredentialSnapshot } from '../facts/snapshots.ts';
import type { Executed } from './executed.ts';
import type { BrokenCall, HttpResult, McpResult } from './execution-results.ts';

/** The result that the executor of each kind returns. */
type CallResults = { readonly http: HttpResult; readonly mcp: McpResult; readonly a2a: McpResult };

/** A request with the credential that authenticates it. */
export type GovernedCall<Kind extends CallKind = CallKind> = {
  [Each in Kind]: CallRequest<Each> & { readonly credential?: CredentialSnapshot };
}[Kind];

/** A call whose decision is on record, and the terms of its execution. */
export type ExecutionCall<Kind extends CallKind = CallKind> = {
  [Each in Kind]: GovernedCall<Each> & {
    /** The organization, among which egress capacity is shared. */
    readonly tenant: string;
    readonly actionId: string;
    readonly agentId: string;
    /** Where records of the call belong. */
    readonly place: { readonly workspace_id: string; readonly environment_id: string };
    /** Trace context for the destination, unless the tool declares one. */
    readonly traceParent?: string | undefined;
    /** Asked of a call that had to wait, before anything of it is sent: whether it may still go. */
    readonly mayLeave: () => Promise<boolean>;
    /** Destinations that the organization blocks: compared with the addresses that a name resolves to. */
    readonly blocks: readonly Block[];
    /** Paths that the agent is not shown of the result. */
    readonly masks: readonly string[];
    /** Breaks the call off, as when the agent hung up. */
    readonly signal?: AbortSignal;
    /** Gets what the destination reports of its progress. */
    readonly onProgress?: OnProgress;
  };
}[Kind];

/** Makes the calls of one kind and reads their results. */
export type Executor<Kind extends CallKind> = {
  /** Says beforehand that a call would not be made, and why; undefined when it would. */
  readonly disabledFor: (call: CallRequest<Kind>) => string | undefined;
  /** Time that the call may take in all, in ms: its lease outlasts it. */
  readonly timeoutMs: (call: CallRequest<Kind>) => number;
  readonly execute: (call: ExecutionCall<Kind>) => Promise<CallResults[Kind]>;
  /** Returns the outcome of the action, by what its tool expects. */
  readonly readResult: (call: CallRequest<Kind>, result: CallResults[Kind] | BrokenCall) => Executed;
  /** Hides what rules mask in a result. */
  readonly mask: (execution: Execution, paths: readonly string[]) => Execution;
};

/** The executor of each kind. */
export type Executors = { readonly [Kind in CallKind]: Executor<Kind> };

/** Returns the executor of a call. */
export const executorOf = <Kind extends CallKind>(executors: Executors, { kind }: { readonly kind: Kind }): Executor<Kind> =>
  executors[kind];
