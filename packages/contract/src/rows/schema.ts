import {
  type Static,
  type TArray,
  type TBoolean,
  type TObject,
  type TOptional,
  type TProperties,
  type TSchema,
  type TString,
  Type,
} from 'typebox';
import { LIMITS } from '../tables/limits.ts';
import { DOTTED_NAME_PATTERN, MCP_SLUG_CHARS_MAX, MCP_SLUG_PATTERN, TOOL_NAME_PATTERN } from '../tables/spellings.ts';

/** Builds an object that refuses unknown members. */
export const closedObject = <P extends TProperties>(properties: P, description?: string): TObject<P> =>
  Type.Object(properties, { additionalProperties: false, ...(description ? { description } : {}) });

/** Builds a list of permitted words. */
export const enumSchema = <const W extends readonly string[]>(words: W, description?: string) =>
  Type.Unsafe<W[number]>({ type: 'string', enum: [...words], ...(description ? { description } : {}) });

export const nullable = <S extends TSchema>(schema: S) => Type.Unsafe<Static<S> | null>({ anyOf: [schema, { type: 'null' }] });

/**
 * Line breaks, control characters, and characters that change the direction of writing or are invisible; two joiners and two marks that
 * scripts need are excepted.
 */
const UNSEEN = '\\p{Cc}\\p{Zl}\\p{Zp}\\p{Cs}\\u00ad\\u061c\\u180e\\u200b\\u202a-\\u202e\\u2060-\\u206f\\ufeff';
export const NAME_PATTERN = `^[^${UNSEEN}\\S]*[^${UNSEEN}\\s][^${UNSEEN}]*$`;
/** A short text for people: a name, a title. One line without invisible characters. */
export const name = (description: string) => Type.String({ minLength: 1, maxLength: 120, pattern: NAME_PATTERN, description });
/** Text of several lines without characters that are invisible or change its direction. Joiners and marks of scripts are permitted. */
export const VISIBLE_TEXT_PATTERN = '^[^\\u00ad\\u061c\\u180e\\u200b\\u202a-\\u202e\\u2060-\\u206f\\ufeff]*$';
export const reason = Type.String({
  minLength: 1,
  maxLength: 1000,
  pattern: '\\S',
  description: 'Reason, which is recorded in the audit log.',
});
const DOTTED_NAME = {
  minLength: 1,
  maxLength: 100,
  pattern: DOTTED_NAME_PATTERN,
  description: 'Lower-case letters, digits, _ and -, in segments separated by dots; at most 100 characters.',
};
/** The name of a capability. The description is `what`, followed by the allowed characters. */
export const dottedName = (what: string, example: string) =>
  Type.String({ ...DOTTED_NAME, examples: [example], description: `${what} ${DOTTED_NAME.description}` });
/** The name of a tool. The description is `what`, followed by the allowed characters. */
export const toolName = (what: string, example: string) =>
  Type.String({
    minLength: 1,
    maxLength: 100,
    pattern: TOOL_NAME_PATTERN,
    examples: [example],
    description: `${what} Letters, digits, _ and -, in segments separated by dots; at most 100 characters.`,
  });
/** The slug of an MCP server. */
export const mcpSlug = (what: string) =>
  Type.String({
    minLength: 1,
    maxLength: MCP_SLUG_CHARS_MAX,
    pattern: MCP_SLUG_PATTERN,
    examples: ['github'],
    description: `${what} Lower-case letters, digits and -, at most ${MCP_SLUG_CHARS_MAX} characters.`,
  });
export const visibleText = (description: string) => Type.String({ maxLength: 4000, pattern: VISIBLE_TEXT_PATTERN, description });
export const longText = (description: string) => Type.String({ maxLength: 4000, description });
export const id = (description: string) => Type.String({ minLength: 1, maxLength: 64, description });
export const timestamp = Type.String({ description: 'ISO-8601 UTC, milliseconds, trailing Z.' });
export const currency = Type.String({ pattern: '^[A-Z]{3}$', examples: ['USD'], description: 'ISO 4217 code.' });
/** Amounts are whole minor units: not negative, and at most what a double holds exactly. */
export const amount = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'Minor units of the currency.' });
export const jsonObject = (description: string) => Type.Record(Type.String(), Type.Unknown(), { description });
/** A JSON object that our code builds and does not check again; documents reference the schema by this name. */
export const namedObject = (title: string) => Type.Unsafe<Record<string, unknown>>({ title });

export const listQuery = closedObject({
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: LIMITS.pages.countMax,
      default: LIMITS.pages.defaultCount,
      description: 'Page size. Pages with large rows can be shorter; follow the link to the next page.',
    }),
  ),
  offset: Type.Optional(Type.Integer({ minimum: 0, maximum: LIMITS.pages.offsetMax, default: 0, description: 'Number of rows to skip.' })),
});

/** Range of a list that can be read whole, which is the default without `limit`. */
export const boundedListQuery = closedObject({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: LIMITS.pages.countMax, description: 'Page size. Defaults to the whole list.' })),
  offset: listQuery.properties.offset,
});

/** Collection with total. */
export const collection = <S extends TSchema>(item: S): TObject<{ items: TArray<S>; total: ReturnType<typeof Type.Integer> }> =>
  closedObject({ items: Type.Array(item), total: Type.Integer() });

/** Cursor page; `next_cursor` is empty on the last page. */
export const cursorPage = <S extends TSchema>(
  item: S,
): TObject<{
  data: TArray<S>;
  page: TObject<{ next_cursor: TString; has_more: TBoolean; stopped_early: TOptional<TBoolean> }>;
}> =>
  closedObject({
    data: Type.Array(item),
    page: closedObject({
      next_cursor: Type.String(),
      has_more: Type.Boolean(),
      stopped_early: Type.Optional(
        Type.Boolean({
          description: 'True if the search stopped before the page was full: continue with next_cursor, or narrow the time range.',
        }),
      ),
    }),
  });

export const wholeNumber = (minimum: number, maximum: number, description: string) => Type.Integer({ minimum, maximum, description });
