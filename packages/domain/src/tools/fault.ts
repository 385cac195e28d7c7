/** One place that is wrong: a JSON Pointer (RFC 6901) to it and the rest of the sentence that begins with its name ("must be ..."). */
export type Fault = { readonly pointer: string; readonly message: string };

export type Faults = { readonly faults: readonly Fault[] };

export const isFaults = (value: unknown): value is Faults => typeof value === 'object' && value !== null && 'faults' in value;

/** Every fault among results, in order. */
export const faultsAmong = (results: readonly unknown[]): Faults => ({
  faults: results.flatMap((result) => (isFaults(result) ? result.faults : [])),
});
