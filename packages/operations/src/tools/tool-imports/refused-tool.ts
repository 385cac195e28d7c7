import type { Refusal } from '@svc/contract/rows/refusal.ts';
import { ERRORS } from '@svc/contract/tables/errors.ts';
import type { TakenTool } from '@svc/contract/tools/taken-tools.ts';

/** Formats the refusal of one tool among the results of others. */
export const formatRefusedTool = (key: string, { refused, message, details }: Refusal, tool_id: string | null = null): TakenTool => ({
  key,
  outcome: 'REFUSED',
  tool_id,
  code: refused,
  message: message ?? ERRORS[refused].message,
  ...(details === undefined ? {} : { details: { ...details } }),
});
