import { type Answer, call } from './call.ts';

export type Factor = {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  readonly created_at: string;
  readonly last_used_at: string | null;
  /** The organization in which alone it counts; null if it counts in all. */
  readonly counts_in: string | null;
};

/** What whoever is signed in has enrolled, and whether nothing else is open to them before they have. */
export type Factors = { readonly required: boolean; readonly factors: readonly Factor[]; readonly recovery_codes_left: number };

export const getFactors = (): Promise<Answer<Factors>> => call('GET', '/v1/auth/mfa');
