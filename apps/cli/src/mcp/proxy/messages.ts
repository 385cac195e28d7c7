import type { JsonObject } from '@svc/contract/rows/json-object.ts';
import type { GovernanceError } from '@svc/sdk/wire/errors.ts';

/** Facts about a refusal, for the model and for programs. */
export type ProxyRefusal = { readonly code: string; readonly reason: string; readonly remedy: string; readonly meta?: JsonObject };

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

const sentence = (words: string): string => words.trim().replace(/[.!?]?$/, '.');

const APPROVAL_CODES: readonly string[] = ['APPROVAL_REQUIRED', 'APPROVAL_PENDING'];
const APPROVAL_REMEDY = 'A person has to approve it. Then call the same tool with the same arguments again; nothing else is needed.';

export const getRefusalOfError = (error: GovernanceError): ProxyRefusal => {
  const { code, message, nextStep, details, requestId, decision } = error;
  const meta = {
    action_id: decision?.action_id ?? text(details.action_id) ?? null,
    approval_id: text(details.approval_id) ?? null,
    request_id: requestId ?? null,
    mode: decision?.mode ?? null,
  };
  const isWaiting = APPROVAL_CODES.includes(code);
  return { code: isWaiting ? 'APPROVAL_REQUIRED' : code, reason: message, remedy: isWaiting ? APPROVAL_REMEDY : nextStep, meta };
};

/** A refusal is a result with `isError`, since clients show its text to the model; they hide protocol errors. */
export const getRefusalResult = ({ code, reason, remedy, meta = {} }: ProxyRefusal): JsonObject => {
  const names = [meta.approval_id, meta.action_id].flatMap((id) => text(id) ?? []);
  const suffix = names.length === 0 ? '' : ` (${names.join(', ')})`;
  return {
    isError: true,
    content: [{ type: 'text', text: `${code}: ${sentence(reason)} What to do: ${sentence(remedy)}${suffix}` }],
    _meta: { 'svc/decision': { code, ...meta } },
  };
};
