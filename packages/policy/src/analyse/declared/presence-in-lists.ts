import { isJsonObject } from '../../values/check-members.ts';
import type { PathSegment } from '../../values/path.ts';
import { buildElementSchema, type Presence, readPresence, readTypes } from './declared-parameters.ts';

/** Returns the schema of each element if a list is allowed; any value if the schema is silent, undefined if its form is not read. */
const getElement = (list: unknown): { readonly schema: unknown } | undefined => {
  if (list === undefined || list === true || (isJsonObject(list) && Object.keys(list).length === 0)) return { schema: true };
  const schema = buildElementSchema(list);
  return schema === undefined || schema === false ? undefined : { schema };
};

/**
 * Returns the presence of the value at a path into the parameters, for one element of each list on the way. An element alone is
 * `maybe` present if it may be null. Undefined if the schema is not read, or if no request has the value.
 */
export const presenceInLists = (schema: unknown, segments: readonly PathSegment[]): Presence | undefined => {
  const star = segments.findIndex(({ each }) => each);
  const found = star === 0 ? undefined : readPresence(schema, star === -1 ? segments : segments.slice(0, star));
  if (found === undefined || found.there === 'never' || found.there === 'unsaid') return undefined;
  if (star === -1) return found;
  const [element, rest] = [getElement(found.schema), segments.slice(star + 1)];
  if (element === undefined) return undefined;
  if (rest.length > 0) return presenceInLists(element.schema === true ? {} : element.schema, rest);
  const types = readTypes(element.schema);
  return types === null ? undefined : { there: types.has('null') ? 'maybe' : 'always', schema: element.schema };
};
