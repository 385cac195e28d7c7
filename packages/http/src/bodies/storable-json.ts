import { pointerToken } from '@svc/contract/rows/fault.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Fault } from './validate.ts';

/** PostgreSQL stores no NUL character, and half of a surrogate pair is no character at all. */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

const TEXT_FAULT = 'Must be well-formed Unicode without NUL characters.';
/** JSON has no infinity: read as one, it would be judged as larger than everything and then be kept and sent as null. */
const NUMBER_FAULT = 'Is larger than any supported number. Use a string if the member accepts one.';
const NAME_FAULT = 'The name of this member must be well-formed Unicode without NUL characters.';

const faultOf = (value: unknown): string | undefined => {
  if (typeof value === 'string') return isStorable(value) ? undefined : TEXT_FAULT;
  return typeof value === 'number' && !Number.isFinite(value) ? NUMBER_FAULT : undefined;
};

const isClean = (value: unknown): boolean => {
  if (typeof value !== 'object' || value === null) return faultOf(value) === undefined;
  if (Array.isArray(value)) return value.every(isClean);
  for (const name in value) if (!isStorable(name) || !isClean((value as Record<string, unknown>)[name])) return false;
  return true;
};

const escaped = (name: string): string => pointerToken(name.toWellFormed().replaceAll('\0', ''));

const locate = (value: unknown, pointer: string, found: Fault[]): Fault[] => {
  if (typeof value !== 'object' || value === null) {
    const message = faultOf(value);
    if (message !== undefined) found.push({ pointer, message });
    return found;
  }
  for (const name in value) {
    if (found.length >= LIMITS.bodies.faultsMax) break;
    const at = `${pointer}/${escaped(name)}`;
    if (isStorable(name)) locate((value as Record<string, unknown>)[name], at, found);
    else found.push({ pointer: at, message: NAME_FAULT });
  }
  return found;
};

/** Places whose value could not be kept as it came, the first of them. The value must not be nested too deeply. */
export const unstorablePlaces = (value: unknown): Fault[] => (isClean(value) ? [] : locate(value, '', []));

/** Returns the value with U+FFFD in the place of characters that cannot be stored. The value must not be nested too deeply. */
export const toStorable = (value: unknown): unknown => {
  if (typeof value === 'string') return isStorable(value) ? value : value.toWellFormed().replaceAll('\0', '\ufffd');
  if (typeof value !== 'object' || value === null || isClean(value)) return value;
  if (Array.isArray(value)) return value.map(toStorable);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [toStorable(name) as string, toStorable(member)]));
};
