import type { Refusal } from '@svc/contract/rows/refusal.ts';
import { ERRORS } from '@svc/contract/tables/errors.ts';
import type { TakenTool } from '@svc/contract/tools/taken-tools.ts';

/** A refusal of one tool, told beside what became of the others. */
export const refusedTool = (key: string, { refused, message, details }: Refusal, tool_id: string | null = null): TakenTool => ({
  key,
  outcome: 'REFUSED',
  tool_id,
  code: refused,
  message: message ?? ERRORS[refused].message,
  ...(details === undefined ? {} : { details: { ...details } }),
});
