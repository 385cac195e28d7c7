import type { ErrorCode } from '@svc/contract/tables/errors.ts';
import type { Facts, Learned } from './facts.ts';

export type Passed = { readonly outcome: 'passed'; readonly learned?: Learned; readonly note?: string };

export type Refused<Code extends ErrorCode = ErrorCode> = {
  readonly outcome: 'refused';
  readonly code: Code;
  readonly reason?: string;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly learned?: Learned;
  /** Additional text for the explanation. */
  readonly note?: string;
};

/** A person must approve first. */
export type Held = { readonly outcome: 'held'; readonly reason: string; readonly waitsFor?: string };

export type StageAnswer<Code extends ErrorCode = ErrorCode> = Passed | Refused<Code> | Held;

export type Stage<Code extends ErrorCode = ErrorCode> = {
  readonly name: string;
  /** OBSERVE permits and records a refusal of this stage; no mode relaxes any other stage. */
  readonly relaxedByObserve: boolean;
  /** Every code that it refuses with; a held request is answered with APPROVAL_REQUIRED. */
  readonly refuses: readonly Code[];
  readonly check: (facts: Facts, learned: Learned) => StageAnswer<NoInfer<Code>>;
  /** The same in parts, between which other requests may run, if it can be slow. */
  readonly checkInParts?: (facts: Facts, learned: Learned) => Generator<void, StageAnswer<NoInfer<Code>>>;
};

/** Keeps the codes of a stage by name: one that returns a code it does not list does not compile. */
export const defineStage = <const Code extends ErrorCode>(row: Stage<Code>): Stage<Code> => row;

export const PASSED: Passed = { outcome: 'passed' };

export const refuseStage = <const Code extends ErrorCode>(
  code: Code,
  reason?: string,
  details?: Readonly<Record<string, unknown>>,
): Refused<Code> => ({
  outcome: 'refused',
  code,
  ...(reason === undefined ? {} : { reason }),
  ...(details === undefined ? {} : { details }),
});

/**
 * Returns a value that an earlier stage must have set; throws otherwise, for example if the list is reordered. An exception is never an
 * allow.
 */
export const requireKnown = <Value>(value: Value | undefined, what: string): Value => {
  if (value === undefined) throw new Error(`the pipeline reached a stage without knowing the ${what}`);
  return value;
};
