import type { ScimFilter } from './read-filter.ts';
import { isScimFault, readOperations, type ScimChange, type ScimFault } from './read-operations.ts';

export type PatchedGroup = { readonly display_name: unknown; readonly external_id: unknown; readonly members: readonly string[] };
type Group = { display_name: unknown; external_id: unknown; readonly members: Set<string> };

/** Attributes of a group that are read-only, or not stored here. */
const PASSED_OVER: ReadonlySet<string> = new Set(['id', 'schemas', 'meta']);

/** Returns the ids in a value of `members`: one or a list, each as an object with `value`; one without is ignored. */
export const readMemberIds = (value: unknown): readonly string[] | ScimFault => {
  const ids: string[] = [];
  for (const each of Array.isArray(value) ? value : [value]) {
    if (typeof each !== 'object' || each === null || Array.isArray(each))
      return { scim_type: 'invalidValue', says: 'A member must be an object with a value.' };
    const { value: id } = each as { readonly value?: unknown };
    if (typeof id === 'string') ids.push(id);
  }
  return ids;
};

/** Returns the ids in a filter of members: `value eq`, one or several joined by `or`. Anything else would scan all of them. */
const namedBy = (filter: ScimFilter): readonly string[] | undefined => {
  if (filter.kind === 'or') {
    const named = filter.of.map(namedBy);
    return named.every((each) => each !== undefined) ? named.flat() : undefined;
  }
  const isNaming = filter.kind === 'compared' && filter.by === 'eq' && filter.path.join('.') === 'value';
  return isNaming && typeof filter.to === 'string' ? [filter.to] : undefined;
};

const changeMembers = ({ members }: Group, { op, filter, part, value }: ScimChange): ScimFault | undefined => {
  const named = filter && namedBy(filter);
  if (part !== undefined || (filter !== undefined && (named === undefined || op === 'add')))
    return { scim_type: 'invalidPath', says: 'To remove or replace members, select them with members[value eq "their id"].' };
  const said = op === 'remove' && value === undefined ? [] : readMemberIds(value ?? []);
  if (isScimFault(said)) return said;
  if (named) for (const id of named) members.delete(id);
  else if (op === 'replace' || (op === 'remove' && value === undefined)) members.clear();
  for (const id of said) {
    if (op !== 'remove') members.add(id);
    else if (!named) members.delete(id);
  }
  return undefined;
};

const changeGroup = (group: Group, change: ScimChange): ScimFault | undefined => {
  const { op, attribute, filter, part, value } = change;
  if (attribute === 'members') return changeMembers(group, change);
  if (PASSED_OVER.has(attribute)) return undefined;
  const isName = attribute === 'displayname';
  if ((!isName && attribute !== 'externalid') || filter !== undefined || part !== undefined)
    return { scim_type: 'invalidPath', says: `The path does not match any ${attribute.slice(0, 100)} of the group.` };
  group[isName ? 'display_name' : 'external_id'] = op === 'remove' ? null : value;
  return undefined;
};

/** Returns the group after the operations of a patch, in time linear in its members and the input. */
export const patchGroup = (before: PatchedGroup, operations: readonly unknown[]): PatchedGroup | ScimFault => {
  const changes = readOperations(operations);
  if (isScimFault(changes)) return changes;
  const group: Group = { ...before, members: new Set(before.members) };
  for (const change of changes) {
    const fault = changeGroup(group, change);
    if (fault) return fault;
  }
  return { ...group, members: [...group.members] };
};
