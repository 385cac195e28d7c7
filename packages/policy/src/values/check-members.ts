import type { JsonObject } from '@svc/contract/rows/json-object.ts';
import { addFault, below, type Fault } from './faults.ts';
import { findNearestName } from './nearest-name.ts';
import { truncateText } from './truncate-text.ts';

export const isJsonObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Notes a value that is not an object, each unknown member, and each missing required one. Returns true if it is an object. */
export const checkMembers = (
  faults: Fault[],
  pointer: string,
  value: unknown,
  what: string,
  known: readonly string[],
  required: readonly string[] = [],
): value is JsonObject => {
  if (!isJsonObject(value)) {
    addFault(faults, pointer, `${what} must be an object with ${known.join(', ')}.`);
    return false;
  }
  for (const key of Object.keys(value)) {
    if (known.includes(key)) continue;
    const near = findNearestName(key, known);
    addFault(
      faults,
      below(pointer, key),
      `${what} has no member "${truncateText(key, 80)}". ${near === null ? `Its members are ${known.join(', ')}.` : `Did you mean "${near}"?`}`,
    );
  }
  for (const key of required) {
    if (!Object.hasOwn(value, key)) addFault(faults, below(pointer, key), `${what} requires the member "${key}".`);
  }
  return true;
};
