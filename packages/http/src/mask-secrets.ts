import { MASKED, maskSecretText } from '@svc/policy/mask-secrets.ts';
import { namesCount, namesSecret } from '@svc/policy/secret-names.ts';

const DEPTH_MAX = 6;

const maskMember = (name: string, value: unknown, depth: number): unknown => {
  if (!namesSecret(name) || (typeof value === 'number' && namesCount(name))) return maskValue(value, depth);
  return value === undefined || value === null ? value : MASKED;
};

const maskValue = (value: unknown, depth: number): unknown => {
  if (typeof value === 'string') return maskSecretText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === DEPTH_MAX) return '[deep]';
  if (Array.isArray(value)) return value.map((item) => maskValue(item, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, maskMember(name, item, depth + 1)]));
};

/** The same line without anything that could be a secret: by the member's name, and by what the text looks like, as in traces of policies. */
export const maskSecrets = (line: Record<string, unknown>): Record<string, unknown> => maskValue(line, 0) as Record<string, unknown>;
