import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Refusal } from '@svc/contract/rows/refusal.ts';
import { ERRORS } from '@svc/contract/tables/errors.ts';
import type { TakenTool } from '@svc/contract/tools/taken-tools.ts';
import type { Call } from '@svc/http/calls/call.ts';

export type ApplyCall = Call<Endpoints['applyToolImport']>;

/** A refusal of one tool, told beside what became of the others. */
export const toldRefusal = (key: string, { refused, message, details }: Refusal, tool_id: string | null = null): TakenTool => ({
  key,
  outcome: 'REFUSED',
  tool_id,
  code: refused,
  message: message ?? ERRORS[refused].message,
  ...(details === undefined ? {} : { details: { ...details } }),
});
