import { startOf } from '@svc/policy/values/start-of.ts';

/** A document as it was parsed: nothing in it is known to be of the shape that its format says. */
export type Members = Readonly<Record<string, unknown>>;

export const isMembers = (value: unknown): value is Members => typeof value === 'object' && value !== null && !Array.isArray(value);

const NONE: Members = Object.freeze({});

export const membersOf = (value: unknown): Members => (isMembers(value) ? value : NONE);

/** An own member; nothing that is inherited. */
export const memberOf = (value: unknown, name: string): unknown =>
  isMembers(value) && Object.hasOwn(value, name) ? value[name] : undefined;

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** What cannot be kept as text in this, in words. */
export const unkeptIn = (text: string): string | undefined => {
  if (text.includes('\0')) return 'a NUL character';
  return text.isWellFormed() ? undefined : 'half of a surrogate pair';
};

const SPACES = /\s+/g;
/** What moves a terminal's cursor or turns the order of a line around, so that people read something else than there is. */
const UNSEEN = /[\p{Cc}\p{Bidi_Control}]+/gu;

/** A text on one line and of at most so many characters, as it is shown to people. */
export const lineOf = (value: unknown, charactersMax: number): string => {
  const line = textOf(value)
    .slice(0, charactersMax * 4)
    .replace(SPACES, ' ')
    .replace(UNSEEN, '')
    .trim();
  const kept = line.length <= charactersMax ? line : `${startOf(line, charactersMax - 1)}…`;
  return kept.toWellFormed();
};
