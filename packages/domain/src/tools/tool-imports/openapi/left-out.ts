import { toLine } from '../draft/reading.ts';

/** A part of an operation that cannot be sent, and why. */
export type OmittedPart = { readonly what: 'parameter' | 'field'; readonly name: string; readonly why: string };

/** For a part of an object. */
export const UNWRITTEN = 'it cannot be sent in a query or a form';

const NAMES_MAX = 20;

/** Returns a readable number of names. */
export const listNames = (names: readonly string[]): string => {
  const told = names.slice(0, NAMES_MAX).map((name) => toLine(name, 80));
  const more = names.length - told.length;
  return more === 0 ? told.join(', ') : `${told.join(', ')} and ${more} more`;
};

/** Returns one sentence per reason, so that everything else about the operation is still shown. */
export const listLeftOutNotes = (all: readonly OmittedPart[]): readonly string[] => {
  const byReason = Map.groupBy(all, ({ what, why }) => `${what} ${why}`);
  return [...byReason.values()].map((group) => {
    const [{ what, why } = { what: '', why: '' }] = group;
    const names = listNames(group.map(({ name }) => name));
    return group.length === 1 ? `The ${what} ${names} is omitted: ${why}.` : `The ${what}s ${names} are omitted: ${why}.`;
  });
};
