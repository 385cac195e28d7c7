import { type Refusal, refusal } from '@svc/contract/rows/refusal.ts';
import type { ErrorCode } from '@svc/contract/tables/errors.ts';

export type UnavailableCode = Extract<ErrorCode, `${string}UNAVAILABLE`>;

/** The request on whose way something broke. */
export type Asked = { readonly requestId: string; readonly traceId: string };

/** Told of every breakage, so that an operator sees what a caller must not. */
export type OnBreakage = (error: unknown, code: UnavailableCode, asked: Asked) => void;

type Breaking = { readonly onBreakage: OnBreakage };

/**
 * The catch of the pipeline: whatever breaks becomes the refusal of the dependency it belongs to.
 * There is no path on which an error lets an action through.
 */
export const failClosed = async <Value, const Code extends UnavailableCode>(
  code: Code,
  { onBreakage }: Breaking,
  asked: Asked,
  work: () => Promise<Value> | Value,
): Promise<Value | Refusal<Code>> => {
  try {
    return await work();
  } catch (error) {
    onBreakage(error, code, asked);
    return refusal(code);
  }
};

/** The same for work that is done at once. */
export const failClosedAtOnce = <Value, const Code extends UnavailableCode>(
  code: Code,
  { onBreakage }: Breaking,
  asked: Asked,
  work: () => Value,
): Value | Refusal<Code> => {
  try {
    return work();
  } catch (error) {
    onBreakage(error, code, asked);
    return refusal(code);
  }
};
