import { escapePointerToken } from '@svc/contract/rows/fault.ts';

/**
 * Parses the reference tokens of a JSON Pointer (RFC 6901), unescaped; null if the text is not a pointer. The empty pointer has no tokens.
 */
export const parsePointer = (pointer: string): readonly string[] | null => {
  if (pointer === '') return [];
  if (!pointer.startsWith('/') || /~(?![01])/.test(pointer)) return null;
  return pointer
    .slice(1)
    .split('/')
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
};

/** The pointer that reads these tokens. */
export const formatPointer = (tokens: readonly string[]): string => tokens.map((token) => `/${escapePointerToken(token)}`).join('');

/** Takes one step into a JSON value; undefined if it has no such member. Inherited members do not exist, so `constructor` reads nothing. */
export const readMember = (value: unknown, token: string): unknown => {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value)) return /^(0|[1-9][0-9]{0,9})$/.test(token) ? (value as readonly unknown[])[Number(token)] : undefined;
  return Object.hasOwn(value, token) ? (value as Readonly<Record<string, unknown>>)[token] : undefined;
};

/** Returns the value at a pointer's tokens; undefined if there is none. */
export const readPointer = (document: unknown, tokens: readonly string[]): unknown => {
  let value = document;
  for (const token of tokens) value = readMember(value, token);
  return value;
};
