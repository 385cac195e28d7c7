import type { ConditionTrace } from '@svc/contract/policies/language.ts';
import type { OperatorRow } from '../language/operators.ts';

/** Returns why a present value could not be judged. */
export const whyUnknown = ({ text_length_max }: OperatorRow, actual: unknown): NonNullable<ConditionTrace['unknown_because']> =>
  text_length_max !== undefined && typeof actual === 'string' && actual.length > text_length_max ? 'too_long' : 'wrong_type';
