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

const SPACES = /\s+/g;

/** A text on one line and of at most so many characters. */
export const lineOf = (value: unknown, charactersMax: number): string => {
  const line = textOf(value)
    .slice(0, charactersMax * 4)
    .replace(SPACES, ' ')
    .trim();
  const kept = line.length <= charactersMax ? line : `${line.slice(0, charactersMax - 1)}…`;
  return kept.toWellFormed();
};
