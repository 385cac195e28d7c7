import { POLICY_LIMITS } from '@svc/contract/tables/limits/policy-limits.ts';

/** One step of a path: a member's key (also a list index if `index` is not negative), or each element or member. */
export type PathSegment = { readonly key: string; readonly index: number; readonly each: boolean };

export type ParsedPath = { readonly segments: readonly PathSegment[] } | { readonly fault: string };

/** A whole path: every value that is no list and no object, at any depth. */
const ANY_DEPTH = '**';
/** The same with the names of all members, each as a text. */
export const ANY_DEPTH_WITH_NAMES = '***';
const DEEP: readonly PathSegment[] = [ANY_DEPTH, ANY_DEPTH_WITH_NAMES].map((key) => ({ key, index: -1, each: true }));
const EACH: PathSegment = { key: '*', index: -1, each: true };
const ARRAY_POSITION = /^(0|[1-9]\d{0,8})$/;
const ESCAPES: Readonly<Record<string, string>> = { '~0': '~', '~1': '.', '~2': '*' };

const parseSegment = (text: string): PathSegment | null => {
  if (text === '*') return EACH;
  if (text === '' || /~(?![012])/.test(text) || text.includes('*')) return null;
  return {
    key: text.replace(/~[012]/g, (written) => ESCAPES[written] ?? written),
    index: ARRAY_POSITION.test(text) ? Number(text) : -1,
    each: false,
  };
};

/** Returns true for the only step of a path to values at any depth. */
export const isAnyDepth = ({ key, each }: PathSegment): boolean => each && (key === ANY_DEPTH || key === ANY_DEPTH_WITH_NAMES);

/** Parses a dotted path such as `items.*.sku`, `**` or `***`. In a key, `~0` stands for a tilde, `~1` for a dot and `~2` for a star. */
export const parsePath = (path: string): ParsedPath => {
  const deep = DEEP.find(({ key }) => key === path);
  if (deep !== undefined) return { segments: [deep] };
  const parts = path.split('.');
  if (parts.length > POLICY_LIMITS.path_segments_max)
    return { fault: `A path must have at most ${POLICY_LIMITS.path_segments_max} parts.` };
  const segments: PathSegment[] = [];
  for (const part of parts) {
    const segment = parseSegment(part);
    if (segment === null) {
      return {
        fault: `"${path}" is not a path: a path consists of keys, positions or "*", joined by dots, or is "**" or "***"; in a key, write ~0 for "~", ~1 for "." and ~2 for "*".`,
      };
    }
    segments.push(segment);
  }
  return { segments };
};
