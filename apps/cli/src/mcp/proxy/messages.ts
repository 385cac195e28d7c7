import type { GovernanceError } from '@svc/sdk/wire/errors.ts';
import { isObject, type JsonObject } from '../../files/json-file.ts';

/** Id of a JSON-RPC request. */
export type Id = string | number;

/** A message, and the line that holds it. A message that is not changed is passed on as its line. */
export type Message = { readonly line: string; readonly value: JsonObject };

export const isId = (value: unknown): value is Id => typeof value === 'string' || typeof value === 'number';

/** The ids 1 and "1" are two ids. */
export const idKey = (id: Id): string => `${typeof id} ${id}`;

/** Parses a line. Undefined for a line that is not a JSON object, such as a batch, which current revisions of the protocol do not have. */
export const readMessage = (line: string): Message | undefined => {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? { line, value } : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
};

export const newMessage = (value: JsonObject): Message => ({ line: JSON.stringify({ jsonrpc: '2.0', ...value }), value });

export const METHOD_NOT_FOUND = -32_601;
export const INVALID_PARAMS = -32_602;
export const INTERNAL_ERROR = -32_603;
export const SERVER_BUSY = -32_000;

export const errorMessage = (id: Id | null, code: number, message: string): Message => newMessage({ id, error: { code, message } });

export const readParams = ({ params }: JsonObject): JsonObject => (isObject(params) ? params : {});

/** Facts about a refusal, for the model and for programs. */
export type Refusal = { readonly code: string; readonly reason: string; readonly remedy: string; readonly meta?: JsonObject };

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

const sentence = (words: string): string => words.trim().replace(/[.!?]?$/, '.');

const APPROVAL_CODES: readonly string[] = ['APPROVAL_REQUIRED', 'APPROVAL_PENDING'];
const APPROVAL_REMEDY = 'A person has to approve it. Then call the same tool with the same arguments again; nothing else is needed.';

export const refusalOfError = (error: GovernanceError): Refusal => {
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
export const refusalResult = ({ code, reason, remedy, meta = {} }: Refusal): JsonObject => {
  const names = [meta.approval_id, meta.action_id].flatMap((id) => text(id) ?? []);
  const suffix = names.length === 0 ? '' : ` (${names.join(', ')})`;
  return {
    isError: true,
    content: [{ type: 'text', text: `${code}: ${sentence(reason)} What to do: ${sentence(remedy)}${suffix}` }],
    _meta: { 'svc/decision': { code, ...meta } },
  };
};
