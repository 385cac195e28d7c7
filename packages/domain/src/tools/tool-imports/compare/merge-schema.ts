import { escapePointerToken } from '@svc/contract/rows/fault.ts';
import type { JsonObject } from '@svc/contract/rows/json-object.ts';
import { isMembers, readList, readMembers } from '../draft/reading.ts';
import { isSame, type MembersWays, type Merge, type Merging, mergeMembers, mergeValue } from './three-way.ts';

const BY_NAME = ['properties', '$defs'] as const;

const othersOf = ({ properties: _, $defs: __, required: ___, description: ____, ...others }: JsonObject): JsonObject => others;

const findNames = (list: unknown): ReadonlySet<unknown> => new Set(readList(list));

/** Each name is merged as required or not. */
const getRequired = ({ made, taken, said }: MembersWays): readonly unknown[] => {
  const [inMade, inTaken, inSaid] = [findNames(made.required), findNames(taken.required), findNames(said.required)];
  const all = new Set([...inMade, ...inSaid]);
  return [...all].filter((name) => (inMade.has(name) === inTaken.has(name) ? inSaid : inMade).has(name));
};

/** Returns people's required parameters without those that the document removed: otherwise nothing could be sent any more. */
const withoutLost = (required: readonly unknown[], { made, said }: MembersWays, properties: JsonObject, at: string, on: Merging) => {
  const [had, has] = [readMembers(made.properties), readMembers(said.properties)];
  const isLost = (name: unknown): name is string =>
    typeof name === 'string' && Object.hasOwn(had, name) && !Object.hasOwn(has, name) && !Object.hasOwn(properties, name);
  const lost = required.filter(isLost);
  for (const name of lost) on.conflicts.push(`${at}/required/${escapePointerToken(name)}`);
  const kept = on.prefers === 'made' ? Object.fromEntries(lost.map((name) => [name, had[name]])) : {};
  return {
    required: on.prefers === 'made' ? required : required.filter((name) => !isLost(name)),
    properties: { ...properties, ...kept },
  };
};

/**
 * Merges a schema that people and a document changed: parameters, fields of objects and definitions by name, `required` name by
 * name. All other keywords of one position are merged as one, since a bound relates to the type next to it.
 */
const mergeSchema: Merge = ({ made, taken, said }, at, on) => {
  if (!isMembers(made) || !isMembers(taken) || !isMembers(said)) return mergeValue({ made, taken, said }, at, on);
  if (isSame(taken, said) || isSame(made, said)) return made;
  if (isSame(made, taken)) return said;
  const ways = { made, taken, said };
  const others = mergeValue({ made: othersOf(made), taken: othersOf(taken), said: othersOf(said) }, at, on);
  const below = (name: (typeof BY_NAME)[number]): JsonObject =>
    mergeMembers(
      { made: readMembers(made[name]), taken: readMembers(taken[name]), said: readMembers(said[name]) },
      `${at}/${name}`,
      on,
      mergeSchema,
    );
  const { required, properties } = withoutLost(getRequired(ways), ways, below('properties'), at, on);
  const definitions = below('$defs');
  const description = isSame(made.description, taken.description) ? said.description : made.description;
  const hasProperties = isMembers(made.properties) || isMembers(said.properties);
  return {
    ...readMembers(others),
    ...(description === undefined ? {} : { description }),
    ...(hasProperties ? { properties } : {}),
    ...(required.length === 0 ? {} : { required }),
    ...(Object.keys(definitions).length === 0 ? {} : { $defs: definitions }),
  };
};

const timesReferred = (schema: unknown, reference: string): number => {
  if (typeof schema !== 'object' || schema === null) return 0;
  const here = isMembers(schema) && schema.$ref === reference ? 1 : 0;
  return Object.values(schema).reduce<number>((times, member) => times + timesReferred(member, reference), here);
};

/**
 * Merges the schema of a tool. A definition that people changed applies wherever it is referenced: if the document references it less
 * often, their
 * change would be lost there.
 */
export const mergeParameters: Merge = (ways, at, on) => {
  const merged = mergeSchema(ways, at, on);
  const [made, taken] = [readMembers(readMembers(ways.made).$defs), readMembers(readMembers(ways.taken).$defs)];
  const changed = Object.keys(made).filter((name) => !isSame(made[name], taken[name]));
  const lost = changed.filter((name) => {
    const reference = `#/$defs/${name}`;
    return timesReferred(merged, reference) < timesReferred(ways.made, reference);
  });
  const pointers = lost.map((name) => `${at}/$defs/${escapePointerToken(name)}`);
  on.conflicts.push(...pointers.filter((pointer) => !on.conflicts.includes(pointer)));
  return lost.length > 0 && on.prefers === 'made' ? ways.made : merged;
};
