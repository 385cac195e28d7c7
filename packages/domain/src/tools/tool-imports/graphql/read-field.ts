import type { JsonObject } from '@svc/contract/rows/json-object.ts';
import { buildSchema, type GraphQLSchema } from 'graphql';
import { toLine } from '../draft/reading.ts';
import { buildArgumentSchema, isRequired, listInputTypes } from './argument-schema.ts';
import { writeGraphqlCall } from './call-text.ts';

const TOKENS_MAX = 2_000_000;

/** A field of a schema that can be called. */
export type ReadField = {
  /** A query or mutation with all arguments as variables. */
  readonly query: string;
  readonly args: readonly { readonly name: string; readonly schema: JsonObject; readonly required: boolean }[];
  readonly isMutation: boolean;
  readonly isDeprecated: boolean;
};

export type ReadFields = {
  /** Returns the field that a pointer such as `Query.issues` leads to; undefined if there is none. */
  readonly find: (pointer: string) => ReadField | undefined;
  /** Input objects, which schemas of arguments refer to. */
  readonly root: JsonObject;
};

const openFields = (schema: GraphQLSchema): ReadFields => ({
  root: { types: listInputTypes(schema) },
  find: (pointer) => {
    const [root, name = '', ...more] = pointer.split('.');
    const type = root === 'Query' ? schema.getQueryType() : root === 'Mutation' ? schema.getMutationType() : undefined;
    const field = more.length === 0 && type ? type.getFields()[name] : undefined;
    if (field === undefined) return undefined;
    const isMutation = root === 'Mutation';
    return {
      query: writeGraphqlCall(isMutation ? 'mutation' : 'query', field),
      args: field.args.map((arg) => ({ name: arg.name, schema: buildArgumentSchema(arg.type), required: isRequired(arg) })),
      isMutation,
      isDeprecated: typeof field.deprecationReason === 'string',
    };
  },
});

/** Reads the fields of a schema in its definition language, or why it cannot be read. */
export const readGraphqlFields = (text: string): ReadFields | { readonly fault: string } => {
  try {
    return openFields(buildSchema(text, { assumeValid: true, assumeValidSDL: true, noLocation: true, maxTokens: TOKENS_MAX }));
  } catch (error) {
    if (error instanceof RangeError || !(error instanceof Error)) throw error;
    return { fault: toLine(error.message, 200) };
  }
};
