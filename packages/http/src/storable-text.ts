import type { Fault } from './validate.ts';

/** PostgreSQL stores no NUL character, and half of a surrogate pair is no character at all. */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

const isClean = (value: unknown): boolean => {
  if (typeof value === 'string') return isStorable(value);
  if (typeof value !== 'object' || value === null) return true;
  for (const name in value) if (!isStorable(name) || !isClean((value as Record<string, unknown>)[name])) return false;
  return true;
};

const escaped = (name: string): string => name.toWellFormed().replaceAll('\0', '').replaceAll('~', '~0').replaceAll('/', '~1');

const locate = (value: unknown, pointer: string): Fault[] => {
  if (typeof value === 'string')
    return isStorable(value) ? [] : [{ pointer, message: 'Must not hold a NUL character or half of a surrogate pair.' }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const at = `${pointer}/${escaped(name)}`;
    return isStorable(name) ? locate(member, at) : [{ pointer: at, message: 'The name of this member holds what no text can.' }];
  });
};

/** Places whose text could not be stored as it came. The value must not be nested too deeply. */
export const unstorableTexts = (value: unknown): Fault[] => (isClean(value) ? [] : locate(value, ''));
