import type { ActionRequest } from '@svc/contract/actions/actions.ts';
import type { PrincipalType } from '@svc/contract/tables/vocabulary.ts';
import type { SessionFacts, SourceFacts } from './facts.ts';
import type { OnProgress } from './progress.ts';
import type { RequestHash } from './request-hash.ts';
import type { Watcher } from './watcher.ts';

/** Entry points that have a column in the pipeline. */
export type PipelineEntryPoint = Deciding | 'simulate' | 'ask_tool';

/** Entry points whose decisions are recorded. */
export type Deciding = 'act' | 'evaluate';

/** A request for a protected action, real or simulated. */
export type Asking = {
  readonly organizationId: string;
  readonly agentId: string;
  readonly principal: { readonly type: PrincipalType; readonly id: string; readonly name: string | null };
  readonly session: SessionFacts | null;
  /** Source of the request; null for a simulated one. */
  readonly source: SourceFacts | null;
  readonly request: ActionRequest;
  /** `request.parameters` as JSON text. */
  readonly parametersJson: string;
  readonly parametersBytes: number;
  readonly requestId: string;
  readonly traceId: string;
  readonly idempotency: { readonly key: string; readonly hash: RequestHash } | null;
  /** Called when the decision is made and the call to the destination starts. */
  readonly onCall?: () => void;
  /** Queues expensive work fairly by organization; without it the work runs immediately. Used for a request that waited for facts. */
  readonly inTurn?: <Value>(work: () => Promise<Value>) => Promise<Value>;
  /** Receives telemetry; without it there is none. */
  readonly watcher?: Watcher | undefined;
};

/** Runs work for one key sequentially. */
export type SequentialRunner = <Value>(key: string, work: () => Promise<Value>) => Promise<Value>;

/** A request for a decision that is recorded. */
export type Command = Asking & {
  readonly askedBy: Deciding;
  /**
   * Lets a request that requires an approval use the pending approval of an identical request, so that a client can repeat a call without
   * an approval id. Identical requests are processed sequentially.
   */
  readonly attach?: SequentialRunner;
  /** Aborts the call, for example if the agent disconnected. */
  readonly signal?: AbortSignal;
  /** Receives the progress that the destination reports. */
  readonly onProgress?: OnProgress;
};
