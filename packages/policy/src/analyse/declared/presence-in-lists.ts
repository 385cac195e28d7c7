import { isJsonObject } from '../../values/check-members.ts';
import type { Segment } from '../../values/path.ts';
import { elementSchema, type Presence, presenceOf, typesOf } from './declared-parameters.ts';

/** The schema of each element where a list may stand; any value where nothing is said, undefined where it is said in a way that is not read. */
const elementOf = (list: unknown): { readonly schema: unknown } | undefined => {
  if (list === undefined || list === true || (isJsonObject(list) && Object.keys(list).length === 0)) return { schema: true };
  const schema = elementSchema(list);
  return schema === undefined || schema === false ? undefined : { schema };
};

/**
 * What a tool says of the value at a path into its parameters, of one element of the lists on its way where it has some. An element by itself is
 * `maybe` there where it may be null. Undefined where that is not read, or where no request has it.
 */
export const presenceInLists = (schema: unknown, segments: readonly Segment[]): Presence | undefined => {
  const star = segments.findIndex(({ each }) => each);
  const found = star === 0 ? undefined : presenceOf(schema, star === -1 ? segments : segments.slice(0, star));
  if (found === undefined || found.there === 'never' || found.there === 'unsaid') return undefined;
  if (star === -1) return found;
  const [element, rest] = [elementOf(found.schema), segments.slice(star + 1)];
  if (element === undefined) return undefined;
  if (rest.length > 0) return presenceInLists(element.schema === true ? {} : element.schema, rest);
  const types = typesOf(element.schema);
  return types === null ? undefined : { there: types.has('null') ? 'maybe' : 'always', schema: element.schema };
};
