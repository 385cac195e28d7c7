import type { ExecutionRequest } from '@svc/domain/tools/request/execution-request.ts';
import type { Executed } from '../execution/read-result.ts';
import type { CredentialSnapshot } from '../facts/snapshots.ts';
import type { BrokenCall, HttpResult } from './execution-results.ts';

/** The kinds of calls: the request of each, and the result that its executor returns. */
export type CallKinds = { readonly http: { readonly request: ExecutionRequest; readonly result: HttpResult } };
export type CallKind = keyof CallKinds;

/** A request that is made for an action, by kind. */
export type CallRequest<Kind extends CallKind = CallKind> = { [Each in Kind]: { readonly kind: Each } & CallKinds[Each]['request'] }[Kind];

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
    /** Trace context for the destination, unless the tool declares one. */
    readonly traceParent?: string | undefined;
    /** Asked of a call that had to wait, before anything of it is sent: whether it may still go. */
    readonly mayLeave: () => Promise<boolean>;
    /** Paths that the agent is not shown of the result. */
    readonly masks: readonly string[];
  };
}[Kind];

/** Makes the calls of one kind and reads their results. */
export type Executor<Kind extends CallKind> = {
  /** Says beforehand that a call would not be made, and why; undefined when it would. */
  readonly disabledFor: (call: CallRequest<Kind>) => string | undefined;
  /** Time that the call may take in all, in ms: its lease outlasts it. */
  readonly timeoutMs: (call: CallRequest<Kind>) => number;
  readonly execute: (call: ExecutionCall<Kind>) => Promise<CallKinds[Kind]['result']>;
  /** Returns the outcome of the action, by what its tool expects. */
  readonly readResult: (call: CallRequest<Kind>, result: CallKinds[Kind]['result'] | BrokenCall) => Executed;
};

/** The executor of each kind. */
export type Executors = { readonly [Kind in CallKind]: Executor<Kind> };

/** Returns the executor of a call. */
export const executorOf = <Kind extends CallKind>(executors: Executors, { kind }: { readonly kind: Kind }): Executor<Kind> =>
  executors[kind];
