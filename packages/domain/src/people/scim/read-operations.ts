import { LIMITS } from '@svc/contract/tables/limits.ts';
import { isCoreSchema } from './core-schema.ts';
import { namesOfAttribute, readFilter, type ScimFilter } from './read-filter.ts';

/** The refusal of a patch: a keyword of RFC 7644, table 9, and a sentence. */
export type ScimFault = { readonly scim_type: string; readonly says: string };
export const isScimFault = (value: object): value is ScimFault => 'scim_type' in value;

/** One attribute of an operation. Names are in lower case. */
export type ScimChange = {
  readonly op: 'add' | 'remove' | 'replace';
  readonly attribute: string;
  /** Which of its values. */
  readonly filter?: ScimFilter;
  /** Which part of it. */
  readonly part?: string;
  readonly value?: unknown;
};

type Target = Pick<ScimChange, 'attribute' | 'filter' | 'part'>;

const { pathCharsMax, pathsMax } = LIMITS.scim;
const OPS: ReadonlySet<string> = new Set<ScimChange['op']>(['add', 'remove', 'replace']);
/** Schemas that are ignored here: directories send any attributes they are configured with. */
const FOREIGN = /^urn:(?!ietf:params:scim:schemas:core:2\.0:)/i;
const PART = /^\.([$\w-]+)$/;

const noPath = (path: string): ScimFault => ({ scim_type: 'invalidPath', says: `${path.slice(0, 100)} is not a supported path.` });

/** A path of RFC 7644, section 3.5.2: an attribute, or some values of it, or a part of those. */
const readTarget = (path: string): Target | ScimFault => {
  if (path.length > pathCharsMax) return noPath(path);
  const [opened, closed] = [path.indexOf('['), path.lastIndexOf(']')];
  const [attribute, part, ...deeper] = namesOfAttribute((opened < 0 ? path : path.slice(0, opened)).trim()) ?? [];
  if (attribute === undefined || deeper.length > 0) return noPath(path);
  if (opened < 0) return part === undefined ? { attribute } : { attribute, part };
  const rest = path.slice(closed + 1).trim();
  const after = PART.exec(rest)?.[1];
  const filter = closed < opened ? undefined : readFilter(path.slice(opened + 1, closed));
  if (filter === undefined || part !== undefined || (rest !== '' && after === undefined)) return noPath(path);
  return { attribute, filter, ...(after === undefined ? {} : { part: after.toLowerCase() }) };
};

type Written = { readonly op: ScimChange['op']; readonly path: string; readonly value: unknown };

const isMembers = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns one operation per member, and per member of a core schema that is named as a whole. */
const listMembers = (op: Written['op'], value: Readonly<Record<string, unknown>>): Written[] =>
  Object.entries(value).flatMap(([path, each]) =>
    isCoreSchema(path) && isMembers(each)
      ? Object.entries(each).map(([member, inner]) => ({ op, path: member, value: inner }))
      : [{ op, path, value: each }],
  );

/** Splits an operation into one for each path. Without a path, it is one for each member of its value. */
export const listWrittenOperations = (operation: unknown): readonly Written[] | ScimFault => {
  const { op, path, value } = isMembers(operation) ? operation : {};
  const name = typeof op === 'string' ? op.toLowerCase() : '';
  if (!OPS.has(name)) return { scim_type: 'invalidSyntax', says: 'op must be add, remove or replace.' };
  const written = name as ScimChange['op'];
  if (written === 'add' && value === undefined) return { scim_type: 'invalidValue', says: 'An add operation requires a value.' };
  if (typeof path === 'string')
    return isCoreSchema(path) && isMembers(value) && written !== 'remove' ? listMembers(written, value) : [{ op: written, path, value }];
  if (path !== undefined && path !== null) return { scim_type: 'invalidPath', says: 'path must be a string.' };
  if (written === 'remove') return { scim_type: 'noTarget', says: 'A remove operation requires a path.' };
  if (!isMembers(value)) return { scim_type: 'invalidValue', says: 'The value of an operation without a path must be an object.' };
  return listMembers(written, value);
};

/** Returns the changes of a patch, in order. Reads a bounded number of paths, each of a bounded length. */
export const readOperations = (operations: readonly unknown[]): readonly ScimChange[] | ScimFault => {
  const changes: ScimChange[] = [];
  let paths = 0;
  for (const operation of operations) {
    const written = listWrittenOperations(operation);
    if (isScimFault(written)) return written;
    paths += written.length;
    if (paths > pathsMax)
      return { scim_type: 'tooMany', says: `The operations of a patch must change at most ${pathsMax} attributes in total.` };
    for (const { op, path, value } of written) {
      if (FOREIGN.test(path)) continue;
      const target = readTarget(path);
      if (isScimFault(target)) return target;
      changes.push({ op, ...target, value });
    }
  }
  return changes;
};
