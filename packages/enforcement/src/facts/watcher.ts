import type { Effect } from '@svc/contract/tables/vocabulary.ts';

/** The steps of a governed request, in their order. One that has to be decided again takes the first three again. */
export type Step = 'facts' | 'decide' | 'record' | 'execute';

/** Why a decision was made again: the state it was made on had moved, or a counted ceiling had no room. */
export type Repeat = 'moved' | 'no_room';

/** What a decision came to: without an effect when none could be made, without a code when the caller may go on. */
export type Decided = { readonly effect: Effect | null; readonly code: string | null; readonly actionId: string | null };

/** Follows one request through the pipeline. It is told and never asked whether anything may go on; none of its parts throws or waits. */
export type Watcher = {
  /** The step before ends where the next begins. */
  readonly enter: (step: Step) => void;
  readonly repeat: (why: Repeat) => void;
  readonly decided: (decided: Decided) => void;
  /** The W3C trace context that the call to the downstream carries; undefined while nothing is traced. */
  readonly traceParent: () => string | undefined;
};
