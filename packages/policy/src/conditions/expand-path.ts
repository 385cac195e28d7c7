import { type EvaluationState, type Expansion, spend } from '../evaluation/node.ts';
import { WORK } from '../evaluation/prices.ts';
import { ANY_DEPTH_WITH_NAMES, isAnyDepth, type PathSegment } from '../values/path.ts';
import { readMember } from '../values/read-path.ts';

type Walk = Expansion & { readonly segments: readonly PathSegment[]; steps: number };

/**
 * Collects every value that is no list and no object, with the object keys on the way to it; and the name of every member if names are read
 * too.
 */
const walkLeaves = (value: unknown, key: string | null, into: Walk, withNames: boolean): void => {
  into.steps += 1;
  if (typeof value !== 'object' || value === null) {
    into.values.push(value);
    into.keys.push(key);
  } else if (Array.isArray(value)) for (const element of value) walkLeaves(element, key, into, withNames);
  else {
    const members = value as Record<string, unknown>;
    for (const member of Object.keys(members)) {
      const below = key === null ? member : `${key}.${member}`;
      if (withNames) {
        into.values.push(member);
        into.keys.push(key);
        into.steps += 1;
      }
      walkLeaves(members[member], below, into, withNames);
    }
  }
};

const walk = (value: unknown, at: number, key: string | null, into: Walk): void => {
  into.steps += 1;
  const segment = into.segments[at];
  if (segment === undefined || (segment.each && (typeof value !== 'object' || value === null))) {
    into.values.push(segment === undefined ? value : undefined);
    into.keys.push(key);
  } else if (!segment.each) walk(readMember(value, segment), at + 1, key, into);
  else if (isAnyDepth(segment)) walkLeaves(value, key, into, segment.key === ANY_DEPTH_WITH_NAMES);
  else if (Array.isArray(value)) for (const element of value) walk(element, at + 1, key, into);
  else {
    const members = value as Record<string, unknown>;
    for (const member of Object.keys(members)) walk(members[member], at + 1, key === null ? member : `${key}.${member}`, into);
  }
};

/** Expands a path once per decision, however many conditions read it. */
export const expandPath = (run: EvaluationState, name: string, root: unknown, segments: readonly PathSegment[]): Expansion => {
  run.expanded ??= new Map();
  const known = run.expanded.get(name);
  if (known !== undefined) return known;
  const into: Walk = { values: [], keys: [], segments, steps: 0 };
  walk(root, 0, null, into);
  run.expanded.set(name, into);
  spend(run, into.steps * WORK.step);
  return into;
};
