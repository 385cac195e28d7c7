import type { Execution } from '@svc/contract/actions/decisions.ts';
import type { DestinationBlock } from '@svc/domain/incidents/emergency/blocked-destination.ts';
import type { CallKind, CallRequest } from '../facts/call-request.ts';
import type { OnProgress } from '../facts/progress.ts';
import type { CredentialSnapshot } from '../facts/snapshots.ts';
import type { Executed } from './executed.ts';
import type { BrokenCall, HttpResult, McpResult } from './execution-results.ts';

/** The result that the executor of each kind returns. */
type CallResults = { readonly http: HttpResult; readonly mcp: McpResult; readonly a2a: McpResult };

/** A request with its credential. */
export type GovernedCall<Kind extends CallKind = CallKind> = {
  [Each in Kind]: CallRequest<Each> & { readonly credential?: CredentialSnapshot };
}[Kind];

/** A call whose decision is recorded, and the terms of its execution. */
export type ExecutionCall<Kind extends CallKind = CallKind> = {
  [Each in Kind]: GovernedCall<Each> & {
    /** The organization, between which egress capacity is shared. */
    readonly tenant: string;
    readonly actionId: string;
    readonly agentId: string;
    /** Scope of the call's records. */
    readonly place: { readonly workspace_id: string; readonly environment_id: string };
    /** Trace context for the destination, unless the tool declares one. */
    readonly traceParent?: string | undefined;
    /** Called for a delayed call before anything is sent: returns whether it may still be. */
    readonly mayLeave: () => Promise<boolean>;
    /** Destinations that the organization blocks: compared with the resolved addresses of a name. */
    readonly blocks: readonly DestinationBlock[];
    /** Paths hidden from the agent in the result. */
    readonly masks: readonly string[];
    /** Aborts the call, for example if the agent disconnected. */
    readonly signal?: AbortSignal;
    /** Receives the progress that the destination reports. */
    readonly onProgress?: OnProgress;
  };
}[Kind];

/** Makes the calls of one kind and reads their results. */
export type Executor<Kind extends CallKind> = {
  /** Returns in advance why a call would not be made; undefined if it would. */
  readonly disabledFor: (call: CallRequest<Kind>) => string | undefined;
  /** Maximum time of the call in ms; its lease is longer. */
  readonly timeoutMs: (call: CallRequest<Kind>) => number;
  readonly execute: (call: ExecutionCall<Kind>) => Promise<CallResults[Kind]>;
  /** Returns the outcome of the action, by its tool's expectations. */
  readonly readResult: (call: CallRequest<Kind>, result: CallResults[Kind] | BrokenCall) => Executed;
  /** Masks a result. */
  readonly mask: (execution: Execution, paths: readonly string[]) => Execution;
};

/** The executor of each kind. */
export type Executors = { readonly [Kind in CallKind]: Executor<Kind> };

/** Returns the executor of a call. */
export const getExecutor = <Kind extends CallKind>(executors: Executors, { kind }: { readonly kind: Kind }): Executor<Kind> =>
  executors[kind];
