import { getShortName } from './core-schema.ts';
import { readBoolean } from './read-boolean.ts';
import { isScimFault, listWrittenOperations } from './read-operations.ts';

const isActive = (name: string): boolean => getShortName(name.trim()) === 'active';

/** Returns true if a PUT body sets `active` to false, with any other members. A body that also sets another value does not. */
export const replacementSetsInactive = (body: Readonly<Record<string, unknown>>): boolean => {
  const values = Object.entries(body).flatMap(([name, value]) => (isActive(name) ? [readBoolean(value)] : []));
  return values.length > 0 && values.every((value) => value === false);
};

/** True if the last operation of a PATCH that sets `active` sets it to false. Operations that cannot be read are skipped. */
export const operationsSetInactive = (operations: readonly unknown[]): boolean => {
  let last: unknown;
  for (const operation of operations) {
    const written = listWrittenOperations(operation);
    if (isScimFault(written)) continue;
    for (const { op, path, value } of written) if (isActive(path)) last = op === 'remove' ? undefined : readBoolean(value);
  }
  return last === false;
};
