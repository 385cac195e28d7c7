import type { ActionRequest } from '@svc/contract/actions/actions.ts';
import type { PrincipalType } from '@svc/contract/tables/vocabulary.ts';
import type { SessionFacts, SourceFacts } from './facts.ts';
import type { OnProgress } from './progress.ts';
import type { RequestHash } from './request-hash.ts';
import type { Watcher } from './watcher.ts';

/** Entry points that have a column in the pipeline. */
export type AskedBy = Deciding | 'simulate' | 'ask_tool';

/** Entry points whose decisions are recorded. */
export type Deciding = 'act' | 'evaluate';

/** A request for a protected action, real or supposed. */
export type Asking = {
  readonly organizationId: string;
  readonly agentId: string;
  readonly principal: { readonly type: PrincipalType; readonly id: string; readonly name: string | null };
  readonly session: SessionFacts | null;
  /** Source of the request; null if it is not a real one. */
  readonly source: SourceFacts | null;
  readonly request: ActionRequest;
  /** `request.parameters` as JSON text. */
  readonly parametersJson: string;
  readonly parametersBytes: number;
  readonly requestId: string;
  readonly traceId: string;
  readonly idempotency: { readonly key: string; readonly hash: RequestHash } | null;
  /** Called when the decision is made and its call begins: from then on another server is waited for. */
  readonly onCall?: () => void;
  /** Queues expensive work fairly by organization; without it the work runs at once. Used for a request that waited for facts. */
  readonly inTurn?: <Value>(work: () => Promise<Value>) => Promise<Value>;
  /** Receives telemetry; without it there is none. */
  readonly watcher?: Watcher | undefined;
};

/** Runs work for one key sequentially. */
export type OneAtATime = <Value>(key: string, work: () => Promise<Value>) => Promise<Value>;

/** A request that is received and decided. */
export type Command = Asking & {
  readonly askedBy: Deciding;
  /**
   * Lets a request that needs an approval use the open approval of an identical request, so that a client that repeats a call needs no
   * approval id. Identical requests are processed sequentially.
   */
  readonly attach?: OneAtATime;
  /** Aborts the call, for example if the agent disconnected. */
  readonly signal?: AbortSignal;
  /** Receives the progress that the destination reports. */
  readonly onProgress?: OnProgress;
};
