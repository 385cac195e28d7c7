import type { ErrorCode } from '@svc/contract/errors.ts';
import type { Facts, Learned } from './facts.ts';

export type StageAnswer =
  | { readonly outcome: 'passed'; readonly learned?: Learned; readonly note?: string }
  | {
      readonly outcome: 'refused';
      readonly code: ErrorCode;
      readonly reason?: string;
      readonly details?: Readonly<Record<string, unknown>>;
      readonly learned?: Learned;
      /** What the explanation says of it, where that is more than the reason. */
      readonly note?: string;
    }
  /** A person has to agree first. */
  | { readonly outcome: 'held'; readonly reason: string; readonly waitsFor?: string };

export type Stage = {
  readonly name: string;
  /** OBSERVE lets a refusal of this stage through and records it; no mode relaxes any other stage. */
  readonly relaxedByObserve: boolean;
  readonly check: (facts: Facts, learned: Learned) => StageAnswer;
};

export const PASSED: StageAnswer = { outcome: 'passed' };

export const refused = (
  code: ErrorCode,
  reason?: string,
  details?: Readonly<Record<string, unknown>>,
): Extract<StageAnswer, { outcome: 'refused' }> => ({
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
