import type { ErrorCode } from '@svc/contract/errors.ts';
import { type Refusal, refusal } from '@svc/contract/refusal.ts';

export type UnavailableCode = Extract<ErrorCode, `${string}UNAVAILABLE`>;

/** Of the request in which something broke. */
export type RequestIds = { readonly request_id: string; readonly trace_id: string };

/** Told of every breakage, so that an operator sees what a caller must not. */
export type OnBreakage = (error: unknown, code: UnavailableCode, asked?: RequestIds) => void;

/**
 * The catch of the pipeline: whatever breaks becomes the refusal of the dependency it belongs to.
 * There is no path on which an error lets an action through.
 */
export const failClosed = async <Value, const Code extends UnavailableCode>(
  code: Code,
  onBreakage: OnBreakage,
  work: () => Promise<Value> | Value,
): Promise<Value | Refusal<Code>> => {
  try {
    return await work();
  } catch (error) {
    onBreakage(error, code);
    return refusal(code);
  }
};

/** The same for work that is done at once. */
export const failClosedAtOnce = <Value, const Code extends UnavailableCode>(
  code: Code,
  onBreakage: OnBreakage,
  work: () => Value,
): Value | Refusal<Code> => {
  try {
    return work();
  } catch (error) {
    onBreakage(error, code);
    return refusal(code);
  }
};
