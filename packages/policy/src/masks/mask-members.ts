import { ULID_PATTERN } from '@svc/contract/tables/ids.ts';
import { MASKED, maskSecretText } from './mask-secrets.ts';
import { countNames, namesSecret } from './secret-names.ts';

/** Texts that identify something and are no credential: identifiers, digests, decimal numbers. */
const PLAIN = new RegExp(`^(?:[a-z0-9]{3,4}_${ULID_PATTERN}|[0-9a-f]{32,128}|\\d{1,15}\\.\\d{1,15})$`);
const isPlain = (text: string): boolean => PLAIN.test(text);

const maskText = (text: string): string => (isPlain(text) ? text : maskSecretText(text));

const maskMember = (name: string, value: unknown, depth: number): unknown => {
  if (!namesSecret(name) || (typeof value === 'number' && countNames(name))) return maskValue(value, depth);
  if (value === undefined || value === null || typeof value === 'boolean') return value;
  return typeof value === 'string' && isPlain(value) ? value : MASKED;
};

const maskValue = (value: unknown, depth: number): unknown => {
  if (typeof value === 'string') return maskText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Date) return value;
  if (depth === 0) return '[deep]';
  if (Array.isArray(value)) return value.map((item) => maskValue(item, depth - 1));
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [maskText(name), maskMember(name, item, depth - 1)]));
};

/**
 * Returns the same members without possible secrets, detected by a member's name and by the form of a text, names included, down to `depth`
 * levels.
 */
export const maskMembers = (members: Readonly<Record<string, unknown>>, depth: number): Record<string, unknown> =>
  maskValue(members, depth) as Record<string, unknown>;
