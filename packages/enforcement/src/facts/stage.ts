import type { ErrorCode } from '@svc/contract/tables/errors.ts';
import type { Facts, Learned } from './facts.ts';

export type Passed = { readonly outcome: 'passed'; readonly learned?: Learned; readonly note?: string };

export type Refused<Code extends ErrorCode = ErrorCode> = {
  readonly outcome: 'refused';
  readonly code: Code;
  readonly reason?: string;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly learned?: Learned;
  /** What the explanation says of it, where that is more than the reason. */
  readonly note?: string;
};

/** A person has to agree first. */
export type Held = { readonly outcome: 'held'; readonly reason: string; readonly waitsFor?: string };

export type StageAnswer<Code extends ErrorCode = ErrorCode> = Passed | Refused<Code> | Held;

export type Stage<Code extends ErrorCode = ErrorCode> = {
  readonly name: string;
  /** OBSERVE lets a refusal of this stage through and records it; no mode relaxes any other stage. */
  readonly relaxedByObserve: boolean;
  /** Every code it refuses with; what it holds is answered with APPROVAL_REQUIRED. */
  readonly refuses: readonly Code[];
  readonly check: (facts: Facts, learned: Learned) => StageAnswer<NoInfer<Code>>;
  /** The same in steps between which others may go first, where it can take long. */
  readonly checkInParts?: (facts: Facts, learned: Learned) => Generator<void, StageAnswer<NoInfer<Code>>>;
};

/** Keeps the codes of a stage by name: one that answers a code it does not list does not compile. */
export const stage = <const Code extends ErrorCode>(row: Stage<Code>): Stage<Code> => row;

export const PASSED: Passed = { outcome: 'passed' };

export const refused = <const Code extends ErrorCode>(
  code: Code,
  reason?: string,
  details?: Readonly<Record<string, unknown>>,
): Refused<Code> => ({
  outcome: 'refused',
  code,
  ...(reason === undefined ? {} : { reason }),
  ...(details === undefined ? {} : { details }),
});

/** A stage that needs what an earlier one learns breaks loudly when the list is reordered; breakage is never an allow. */
export const known = <Value>(value: Value | undefined, what: string): Value => {
  if (value === undefined) throw new Error(`the pipeline reached a stage without knowing the ${what}`);
  return value;
};
