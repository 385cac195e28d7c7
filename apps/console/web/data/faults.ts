import type { ApiError } from './answer.ts';

type Fault = { readonly pointer: string; readonly message: string };

const isFault = (value: unknown): value is Fault => {
  const { pointer, message } = (value ?? {}) as Partial<Record<keyof Fault, unknown>>;
  return typeof pointer === 'string' && typeof message === 'string';
};

/** Everything that is wrong with what was sent, each with its pointer. */
export const listFaults = (error: ApiError | undefined): readonly Fault[] => {
  const faults = error?.details?.faults;
  return Array.isArray(faults) ? faults.filter(isFault) : [];
};

/** Returns what is wrong with a sent member, or with something in it, in words; undefined if nothing is. */
export const findFault = (error: ApiError | undefined, member: string): string | undefined =>
  listFaults(error).find(({ pointer }) => `${pointer}/`.startsWith(`/${member}/`))?.message;

/** Formats the position of a pointer for people: the names of members, and list indexes counted from one. */
const placeWords = (pointer: string): string =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => (/^\d+$/.test(step) ? `${Number(step) + 1}` : step.replaceAll('~1', '/').replaceAll('~0', '~').replaceAll('_', ' ')))
    .join(' ');

/**
 * Lists everything that is wrong with the sent values, each with its position, since a page may have no field for it. If a member is wrong
 * because of something in it, only that is listed; a sentence that begins with its position is unchanged.
 */
export const formatFault = (error: ApiError | undefined): readonly string[] => {
  const faults = listFaults(error);
  const told = faults.filter(({ pointer }) => !faults.some((other) => other.pointer.startsWith(`${pointer}/`)));
  return told.map(({ pointer, message }) => (message.startsWith(pointer.slice(1)) ? message : `${placeWords(pointer)}: ${message}`));
};
