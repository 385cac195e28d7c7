import type { JsonObject } from '@svc/contract/rows/json-object.ts';
import { type CatalogueParameter, PARAMETER_TYPES } from '@svc/contract/tools/catalogue-entry.ts';
import { readList, readMembers, readText } from '@svc/domain/tools/tool-imports/draft/reading.ts';
import { type ReadField, type ReadFields, readGraphqlFields } from '@svc/domain/tools/tool-imports/graphql/read-field.ts';
import type { DraftedAction } from './draft-action.ts';
import { CatalogueFailure, type VendorDocument } from './read-document.ts';

const PARAMETERS_MAX = 40;
const ENUM_MAX = 60;
const QUERY_CHARS_MAX = 4_000;

type Type = CatalogueParameter['type'];

/** Returns the type of an argument. Input objects are references, and custom scalars have no type. */
const readType = (schema: JsonObject): Type => {
  if (readText(schema.$ref) !== '') return 'object';
  const word = [schema.type].flat()[0];
  return PARAMETER_TYPES.find((type) => type === word) ?? 'string';
};

const newParameter = ({ name, schema, required }: ReadField['args'][number]): CatalogueParameter => {
  const type = readType(schema);
  const words = readList(schema.enum).filter((each): each is string => typeof each === 'string');
  return {
    ...{ name, in: 'variable' as const, type, required },
    ...(type === 'array' ? { items: readType(readMembers(schema.items)) as NonNullable<CatalogueParameter['items']> } : {}),
    ...(words.length > 0 && words.length <= ENUM_MAX ? { enum: words } : {}),
  };
};

type DraftedGraphql = DraftedAction & {
  readonly graphql: { readonly query: string; readonly variables: Readonly<Record<string, string>> };
};

/** Returns the facts of a field: its arguments as variables, and a call that selects the plain members of its answer. */
export const draftGraphql = (field: ReadField, path: string): DraftedGraphql => {
  const ordered = field.args.toSorted((one, other) => Number(other.required) - Number(one.required));
  const kept = ordered.slice(0, PARAMETERS_MAX);
  const isLong = field.query.length > QUERY_CHARS_MAX;
  return {
    ...{ method: 'POST' as const, path, parameters: kept.map(newParameter) },
    graphql: {
      // A person writes what is too long, since a cut call would be none.
      query: isLong ? '' : field.query,
      variables: Object.fromEntries(kept.map(({ name }) => [name, `{${name}}`])),
    },
    left_out: [
      ...(isLong ? [`query: longer than ${QUERY_CHARS_MAX} characters`] : []),
      ...ordered.slice(PARAMETERS_MAX).map(({ name }) => `${name}: more than ${PARAMETERS_MAX} parameters`),
    ],
  };
};

/** Opens a document that is the text of a GraphQL schema. */
export const openGraphql = ({ text, path }: VendorDocument): ReadFields => {
  const fields = readGraphqlFields(text);
  if ('fault' in fields) throw new CatalogueFailure(`${path} is no document of OpenAPI 3 and no GraphQL schema: ${fields.fault}`);
  return fields;
};
