import type { ErrorCode } from '../tables/errors.ts';

/** A refusal is a value, never thrown: a code of the table, a sentence for people, and facts that a client can act on. */
export type Refusal<Code extends ErrorCode = ErrorCode> = {
  readonly refused: Code;
  /** Replaces the table's sentence if a more exact one is possible. Never contains secrets or internals. */
  readonly message?: string;
  readonly details?: Readonly<Record<string, unknown>>;
};

export const buildRefusal = <Code extends ErrorCode>(
  refused: Code,
  message?: string,
  details?: Readonly<Record<string, unknown>>,
): Refusal<Code> => ({ refused, ...(message === undefined ? {} : { message }), ...(details === undefined ? {} : { details }) });

/** Refuses a body for one of its members, named by a JSON Pointer; an empty pointer names the whole body. */
export const refuseBody = (pointer: string, message: string): Refusal<'VALIDATION_FAILED'> =>
  buildRefusal('VALIDATION_FAILED', message, { faults: [{ pointer, message }] });

export const isRefusal = (value: unknown): value is Refusal => typeof value === 'object' && value !== null && 'refused' in value;
