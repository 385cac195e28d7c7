import type { ActionRequest } from '@svc/contract/actions/actions.ts';
import type { PrincipalType } from '@svc/contract/tables/vocabulary.ts';
import type { SessionFacts, SourceFacts } from './facts.ts';
import type { OnProgress } from './progress.ts';
import type { RequestHash } from './request-hash.ts';
import type { Watcher } from './watcher.ts';

/** The ways in of which each has a column in the pipeline. */
export type AskedBy = Deciding | 'simulate' | 'ask_tool';

/** Those whose decisions are recorded. */
export type Deciding = 'act' | 'evaluate';

/** One request for a protected action, whether somebody brings it or not. */
export type Asking = {
  readonly organizationId: string;
  readonly agentId: string;
  readonly principal: { readonly type: PrincipalType; readonly id: string; readonly name: string | null };
  readonly session: SessionFacts | null;
  /** Where the request came from; null when nobody made it. */
  readonly source: SourceFacts | null;
  readonly request: ActionRequest;
  /** `request.parameters` as JSON text. */
  readonly parametersJson: string;
  readonly parametersBytes: number;
  readonly requestId: string;
  readonly traceId: string;
  readonly idempotency: { readonly key: string; readonly hash: RequestHash } | null;
  /** Told when the decision stands and its call begins: from then on somebody else's answer is waited for. */
  readonly onCall?: () => void;
  /** Runs what is dear when it is the turn of the organization; without it, at once. Asked of a request that had to wait for facts. */
  readonly inTurn?: <Value>(work: () => Promise<Value>) => Promise<Value>;
  /** Told how it goes; without it nobody watches. */
  readonly watcher?: Watcher | undefined;
};

/** Runs work for one key after the other. */
export type OneAtATime = <Value>(key: string, work: () => Promise<Value>) => Promise<Value>;

/** One that is brought and decided. */
export type Command = Asking & {
  readonly askedBy: Deciding;
  /**
   * Makes a request that needs an approval use the open approval of an identical request, if there is one, so that a client that repeats a call
   * needs no approval id. Identical requests are settled one after the other.
   */
  readonly attach?: OneAtATime;
  /** Breaks the call off, as when the agent hung up. */
  readonly signal?: AbortSignal;
  /** Gets what the destination reports of its progress. */
  readonly onProgress?: OnProgress;
};
