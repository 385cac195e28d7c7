import { escapePointerToken } from '@svc/contract/rows/fault.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Fault } from './validate.ts';

/** True if PostgreSQL can store the text: no NUL character and no unpaired surrogate. */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

const TEXT_FAULT = 'Must be well-formed Unicode without NUL characters.';
/** JSON has no infinity: parsed as infinity it would be judged larger than everything and then stored and sent as null. */
const NUMBER_FAULT = 'Is larger than any supported number. Use a string if the member accepts one.';
const NAME_FAULT = 'The name of this member must be well-formed Unicode without NUL characters.';

const getFault = (value: unknown): string | undefined => {
  if (typeof value === 'string') return isStorable(value) ? undefined : TEXT_FAULT;
  return typeof value === 'number' && !Number.isFinite(value) ? NUMBER_FAULT : undefined;
};

const isClean = (value: unknown): boolean => {
  if (typeof value !== 'object' || value === null) return getFault(value) === undefined;
  if (Array.isArray(value)) return value.every(isClean);
  for (const name in value) if (!isStorable(name) || !isClean((value as Record<string, unknown>)[name])) return false;
  return true;
};

const escaped = (name: string): string => escapePointerToken(name.toWellFormed().replaceAll('\0', ''));

const locate = (value: unknown, pointer: string, found: Fault[]): Fault[] => {
  if (typeof value !== 'object' || value === null) {
    const message = getFault(value);
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

/** Returns pointers to the first values that cannot be stored unchanged. The value must have bounded depth. */
export const listUnstorablePointers = (value: unknown): Fault[] => (isClean(value) ? [] : locate(value, '', []));

/** Replaces characters that cannot be stored with U+FFFD. The value must have bounded depth. */
export const toStorable = (value: unknown): unknown => {
  if (typeof value === 'string') return isStorable(value) ? value : value.toWellFormed().replaceAll('\0', '\ufffd');
  if (typeof value !== 'object' || value === null || isClean(value)) return value;
  if (Array.isArray(value)) return value.map(toStorable);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [toStorable(name) as string, toStorable(member)]));
};
