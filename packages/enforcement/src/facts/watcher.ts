import type { Effect } from '@svc/contract/tables/vocabulary.ts';

/** Steps of a governed request in order. One that is decided again repeats the first three. */
export type GovernStep = 'facts' | 'decide' | 'record' | 'execute';

/** Why a decision was repeated: its state had changed, or a counted ceiling was used up. */
export type Repeat = 'moved' | 'no_room';

/** Result of a decision: without an effect if none could be made, without a code if the caller may proceed. */
export type DecisionResult = { readonly effect: Effect | null; readonly code: string | null; readonly actionId: string | null };

/** Telemetry of one request in the pipeline. It only observes; none of its methods throws or waits. */
export type Watcher = {
  /** Begins a step, which ends the previous one. */
  readonly enter: (step: GovernStep) => void;
  readonly repeat: (why: Repeat) => void;
  readonly decided: (decided: DecisionResult) => void;
  /** The W3C trace context for the call to the destination; undefined without tracing. */
  readonly traceParent: () => string | undefined;
};
