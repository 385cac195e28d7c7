import type { Fault } from '@svc/contract/rows/fault.ts';

/** The message continues a sentence that begins with the name of the member ("must be ..."). */
export type { Fault };

export type Faults = { readonly faults: readonly Fault[] };

export const isFaults = (value: unknown): value is Faults => typeof value === 'object' && value !== null && 'faults' in value;

/** Every fault among results, in order. */
export const faultsAmong = (results: readonly unknown[]): Faults => ({
  faults: results.flatMap((result) => (isFaults(result) ? result.faults : [])),
});
