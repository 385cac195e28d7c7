/** Kleene's three values, ordered so that `all` is the minimum of its parts, `any` the maximum and `not` the mirror image. */
export const FALSE = 0;
export const UNKNOWN = 1;
export const TRUE = 2;
export type TruthValue = typeof FALSE | typeof UNKNOWN | typeof TRUE;

export const OUTCOME_NAMES = ['false', 'unknown', 'true'] as const;

export const mirrored = (outcome: TruthValue): TruthValue => (TRUE - outcome) as TruthValue;
