import { maskMembers } from '@svc/policy/masks/mask-members.ts';
import { maskSecretText } from '@svc/policy/masks/mask-secrets.ts';

/** Deeper than any event about a change. */
const DATA_DEPTH_MAX = 32;

/** Cache of frequent names, each of bounded length, and their masked form: emptied when it is full. */
const NAMES_MAX = 4_096;
const NAME_CHARS_MAX = 256;
const shown = new Map<string, string>();

/** Returns a name without anything that could be a secret. */
export const maskName = (name: string): string => {
  const known = shown.get(name);
  if (known !== undefined) return known;
  const masked = maskSecretText(name);
  if (name.length > NAME_CHARS_MAX) return masked;
  if (shown.size >= NAMES_MAX) shown.clear();
  shown.set(name, masked);
  return masked;
};

/** Members that contain only identifiers, words of the contract and numbers, and never user-written text. */
const UNWRITTEN: ReadonlySet<string> = new Set([
  ...['agent_id', 'approval_id', 'approved_by', 'code', 'decision', 'expires_at', 'http_status', 'mode', 'quorum', 'status'],
  ...['amount', 'currency', 'policy_id', 'policy_version', 'policy_version_id'],
  ...['decision_digest', 'digest_revision', 'digest_version', 'outcome_digest', 'record_digests', 'request_hmac'],
]);

/** The marks of an action (conduct-trace.ts): keyed hashes, in which digits can look like a payment card number. */
const MARKS = /^(?:[0-9a-f]{16})?(?:\.(?:[0-9a-f]{16})?){3}\.\d*\.1?$/;

const isMarks = (name: string, value: unknown): boolean => name === 'conduct' && typeof value === 'string' && MARKS.test(value);

/** Members with a text that a person wrote, of which the same are recorded again and again. */
const WRITTEN: ReadonlySet<string> = new Set(['reason', 'rule_id', 'tool']);

/** Returns true if there is clearly nothing to mask: every decision emits this data. */
const isPlain = (data: Readonly<Record<string, unknown>>): boolean => {
  for (const name in data) {
    const value = data[name];
    if (UNWRITTEN.has(name) || isMarks(name, value)) continue;
    if (!WRITTEN.has(name) || typeof value !== 'string' || maskName(value) !== value) return false;
  }
  return true;
};

/** Returns the data of an event, without anything that could be a secret. */
export const maskEventData = (data: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => {
  if (isPlain(data)) return data;
  const masked = maskMembers(data, DATA_DEPTH_MAX);
  return isMarks('conduct', data.conduct) ? { ...masked, conduct: data.conduct } : masked;
};

/** The same as JSON text. */
export const maskEventJson = (data: Readonly<Record<string, unknown>>): string => JSON.stringify(maskEventData(data));
