import type { JsonObject } from '@svc/contract/rows/json-object.ts';
import { truncateText } from '@svc/policy/values/truncate-text.ts';

export const isMembers = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value);

const NONE: JsonObject = Object.freeze({});

export const readMembers = (value: unknown): JsonObject => (isMembers(value) ? value : NONE);

/** An own member; nothing that is inherited. */
export const readMemberValue = (value: unknown, name: string): unknown =>
  isMembers(value) && Object.hasOwn(value, name) ? value[name] : undefined;

export const readText = (value: unknown): string => (typeof value === 'string' ? value : '');

export const readList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Describes the characters of a text that cannot be stored. */
export const describeUnstorable = (text: string): string | undefined => {
  if (text.includes('\0')) return 'a NUL character';
  return text.isWellFormed() ? undefined : 'half of a surrogate pair';
};

const SPACES = /\s+/g;
/** Characters that move a terminal's cursor or reorder a line, so that people read something else. */
const UNSEEN = /[\p{Cc}\p{Bidi_Control}]+/gu;

/** Returns a text on one line of bounded length, for display. */
export const toLine = (value: unknown, charactersMax: number): string => {
  const line = readText(value)
    .slice(0, charactersMax * 4)
    .replace(SPACES, ' ')
    .replace(UNSEEN, '')
    .trim();
  const kept = line.length <= charactersMax ? line : `${truncateText(line, charactersMax - 1)}…`;
  return kept.toWellFormed();
};
