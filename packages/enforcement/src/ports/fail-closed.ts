import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import type { ErrorCode } from '@svc/contract/tables/errors.ts';

export type UnavailableCode = Extract<ErrorCode, `${string}UNAVAILABLE`>;

/** The request in which something failed. */
export type Asked = { readonly requestId: string; readonly traceId: string };

/** Called for every exception, so that an operator sees what a caller must not. */
export type OnBreakage = (error: unknown, code: UnavailableCode, asked: Asked) => void;

type Breaking = { readonly onBreakage: OnBreakage };

/** Catches exceptions of the pipeline: each becomes the refusal of the failed dependency. No error can ever permit an action. */
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
    return buildRefusal(code);
  }
};

/** The same for synchronous work. */
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
    return buildRefusal(code);
  }
};
