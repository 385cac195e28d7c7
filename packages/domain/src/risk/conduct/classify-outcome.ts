/** Refusal codes that do not indicate the intent of an agent. */
const HARMLESS: ReadonlySet<string> = new Set(['VALIDATION_FAILED', 'RATE_LIMITED', 'ENVIRONMENT_PAUSED', 'UNPROCESSABLE']);

/** Codes of refusals that a search for what one may do gets. */
const PROBING: ReadonlySet<string> = new Set([
  'CAPABILITY_NOT_GRANTED',
  'TOOL_NOT_AUTHORIZED',
  'TOOL_DISABLED',
  'AUTHORITY_EXCEEDED',
  'DESTINATION_BLOCKED',
]);

export type ConductOutcome = 'permitted' | 'refused' | 'probing' | 'none';

/** Returns the meaning of a decision for the history of an agent. A held, simulated or technically refused one means nothing. */
export const classifyOutcome = ({ status, code }: { readonly status: string; readonly code: string | null }): ConductOutcome => {
  if (status === 'SIMULATED' || status === 'PENDING_APPROVAL') return 'none';
  if (status !== 'BLOCKED') return 'permitted';
  if (code === null) return 'refused';
  if (PROBING.has(code)) return 'probing';
  return HARMLESS.has(code) || code.endsWith('_UNAVAILABLE') ? 'none' : 'refused';
};
