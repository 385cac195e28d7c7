import type { Action, Approval, ApprovedRequest, Decision, Handshake, NewDelegation } from './answers.ts';
import { includesWord, isObject, isText } from './read-members.ts';
import { ACTION_STATUSES, APPROVAL_STATUSES, EFFECTS, MODES } from './wire-format.ts';

const isOptional = (value: unknown, holds: (value: unknown) => boolean): boolean => value === undefined || holds(value);
const isNullOrText = (value: unknown): boolean => value === null || isText(value);
const isExecution = (value: unknown): boolean => isObject(value) && isText(value.state);

const isPathList = (value: unknown): boolean => Array.isArray(value) && value.every(isText);
const isMask = (value: unknown): boolean => isObject(value) && isPathList(value.parameters) && isPathList(value.result);
/** An unreadable mask must not pass for none. */
const isObligations = (value: unknown): boolean => isObject(value) && (value.mask === null || isMask(value.mask));

/** True for a decision whose words are all known. Anything else must never be taken for a permission. */
export const isDecision = (value: unknown): value is Decision =>
  isObject(value) &&
  isNullOrText(value.action_id) &&
  includesWord(EFFECTS, value.decision) &&
  includesWord(ACTION_STATUSES, value.status) &&
  includesWord(MODES, value.mode) &&
  isNullOrText(value.code) &&
  typeof value.reason === 'string' &&
  isObject(value.explanation) &&
  isOptional(value.explanation.obligations, isObligations) &&
  isOptional(value.approval, isObject) &&
  isOptional(value.execution, isExecution) &&
  isText(value.request_id);

export const isAction = (value: unknown): value is Action =>
  isObject(value) && isText(value.id) && includesWord(EFFECTS, value.decision) && includesWord(ACTION_STATUSES, value.status);

export const isApprovedRequest = (value: unknown): value is ApprovedRequest =>
  isObject(value) && isObject(value.parameters) && (value.amount === null || Number.isSafeInteger(value.amount));

/** An unreadable edited request must not pass for none. */
export const isApproval = (value: unknown): value is Approval =>
  isObject(value) &&
  isText(value.id) &&
  includesWord(APPROVAL_STATUSES, value.status) &&
  Number.isFinite(value.poll_after_seconds) &&
  isText(value.expires_at) &&
  isOptional(value.approved_request, (request) => request === null || isApprovedRequest(request));

export const isNewDelegation = (value: unknown): value is NewDelegation =>
  isObject(value) &&
  isText(value.id) &&
  isText(value.delegate_agent_id) &&
  isText(value.status) &&
  isObject(value.scope) &&
  isObject(value.ceiling) &&
  Array.isArray(value.warnings);

/** A token of the gateway with its lifetime. */
export type Grant = { readonly token: string; readonly token_type: 'Bearer' | 'DPoP'; readonly expires_in: number };

const isGrant = (value: unknown): value is Grant =>
  isObject(value) &&
  isText(value.token) &&
  (value.token_type === 'Bearer' || value.token_type === 'DPoP') &&
  typeof value.expires_in === 'number' &&
  value.expires_in > 0;

export const isTokenAnswer = (value: unknown): value is { readonly data: Grant } => isObject(value) && isGrant(value.data);

export const isHandshakeAnswer = (value: unknown): value is { readonly data: Grant & Handshake } => {
  if (!isTokenAnswer(value)) return false;
  const data: Partial<Record<keyof Handshake, unknown>> & Grant = value.data;
  return includesWord(MODES, data.mode) && Array.isArray(data.tools) && Array.isArray(data.capabilities);
};
