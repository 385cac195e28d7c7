import { pathsMeet } from '@svc/policy/masks/mask-paths.ts';
import { MASKED } from '@svc/policy/masks/mask-secrets.ts';
import { isJsonObject } from '@svc/policy/values/check-members.ts';

/** With more paths every path counts as masked: examining more costs time without more information. */
const PATHS_MAX = 50;
const DEPTH_MAX = 16;
const PREFIX = 'parameters.';

const escaped = (key: string): string => key.replaceAll('~', '~0').replaceAll('.', '~1').replaceAll('*', '~2');

const collect = (value: unknown, steps: readonly string[], found: Set<string>): void => {
  if (found.size > PATHS_MAX || steps.length > DEPTH_MAX) return;
  if (value === MASKED) found.add(steps.join('.'));
  else if (Array.isArray(value)) for (const element of value) collect(element, [...steps, '*'], found);
  else if (isJsonObject(value)) for (const [key, member] of Object.entries(value)) collect(member, [...steps, escaped(key)], found);
};

/** Returns a function that is true if a mask covers, or may cover, what a field reads in the parameters. */
export const createMaskTest = (parameters: Readonly<Record<string, unknown>>): ((field: string) => boolean) => {
  const found = new Set<string>();
  collect(parameters, [], found);
  if (found.size === 0) return () => false;
  const paths = [...found].filter((path) => path !== '');
  return (field) => field.startsWith(PREFIX) && (found.size > PATHS_MAX || pathsMeet(field.slice(PREFIX.length), paths));
};
