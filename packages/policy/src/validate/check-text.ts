import { addFault, type Fault } from '../values/faults.ts';

/** Notes a value that is not a text of 1 to `lengthMax` characters with a visible one. Returns true if it is a text. */
export const checkText = (faults: Fault[], pointer: string, value: unknown, what: string, lengthMax: number): value is string => {
  if (typeof value !== 'string') {
    addFault(faults, pointer, `${what} must be text.`);
    return false;
  }
  if (value.trim() === '') addFault(faults, pointer, `${what} must not be empty.`);
  else if (value.length > lengthMax) addFault(faults, pointer, `${what} must be at most ${lengthMax} characters.`);
  return true;
};

/** Notes a value that is not a whole number from `min` to `max`. */
export const checkWhole = (faults: Fault[], pointer: string, value: unknown, what: string, min: number, max: number): void => {
  if (!Number.isSafeInteger(value) || (value as number) < min || (value as number) > max) {
    addFault(faults, pointer, `${what} must be a whole number from ${min} to ${max}.`);
  }
};
