import type { Factor } from '@svc/contract/people/second-factors.ts';
import type { FactorRow } from '@svc/postgres/people/second-factors/second-factors.ts';

/** Formats a factor for its owner. */
export const formatFactor = ({ vouched_by, ...factor }: FactorRow): Factor => ({ ...factor, counts_in: vouched_by });
