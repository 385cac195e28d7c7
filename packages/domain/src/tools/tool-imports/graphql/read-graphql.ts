import type { JsonObject } from '@svc/contract/rows/json-object.ts';
import {
  buildClientSchema,
  buildSchema,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  type IntrospectionQuery,
} from 'graphql';
import type { ImportFormat, ImportOptions, ParsedImport, ProposalDraft, RejectedOperation } from '../draft/proposal.ts';
import { isMembers, readMembers, toLine } from '../draft/reading.ts';
import { listUniqueKeys, TWIN } from '../judge/keys.ts';
import { buildArgumentSchema, isRequired, listInputTypes } from './argument-schema.ts';
import { writeGraphqlCall } from './call-text.ts';

/** About the number of tokens in a schema document of the maximum size. */
const TOKENS_MAX = 1_500_000;

const NO_PLACE = 'A GraphQL schema contains no address. Send base_url, for example https://api.example.com/graphql.';
const UNKNOWN_CREDENTIAL = 'A GraphQL schema does not declare how calls authenticate.';

type Kind = 'query' | 'mutation' | 'subscription';
type Root = { readonly kind: Kind; readonly type: GraphQLObjectType };

const getDraft = ({ kind }: Root, field: GraphQLField<unknown, unknown>, key: string, url: string): ProposalDraft => {
  const { name, args } = field;
  const operation = `${kind} ${name}`;
  const description = toLine(field.description, 1_000);
  return {
    key,
    operation,
    summary: toLine(description, 200) || operation,
    description: description || operation,
    method: 'POST',
    url,
    headers: {},
    query: {},
    graphql: {
      query: writeGraphqlCall(kind, field),
      ...(args.length === 0 ? {} : { variables: Object.fromEntries(args.map((arg) => [arg.name, `{${arg.name}}`])) }),
    },
    parameters: args.map((arg) => ({
      name: arg.name,
      schema: buildArgumentSchema(arg.type),
      required: isRequired(arg),
      description: toLine(arg.description, 300),
    })),
    group: kind,
    reads: kind === 'query',
    words: [name, description.slice(0, 200)],
    called: [name],
    credentials: [],
    notes: [UNKNOWN_CREDENTIAL, 'The response contains the scalar fields of the result and of nested objects, to a depth of three.'],
    isDeprecated: field.deprecationReason !== undefined && field.deprecationReason !== null,
  };
};

const listRoots = (schema: GraphQLSchema): readonly Root[] =>
  (
    [
      ['query', schema.getQueryType()],
      ['mutation', schema.getMutationType()],
      ['subscription', schema.getSubscriptionType()],
    ] as const
  ).flatMap(([kind, type]) => (type ? [{ kind, type }] : []));

const listOperations = (schema: GraphQLSchema, url: string): readonly (ProposalDraft | RejectedOperation)[] => {
  const found = listRoots(schema).flatMap((root) => Object.values(root.type.getFields()).map((field) => ({ root, field })));
  const keys = listUniqueKeys(
    found.map(({ root: { kind }, field: { name } }) => ({
      written: name,
      otherwise: `${kind}_${name}`.toLowerCase(),
      place: `${kind} ${name}`,
    })),
  );
  return found.map(({ root, field }, index) => {
    const { key, isTwin } = keys[index] ?? { key: '', isTwin: true };
    if (root.kind !== 'subscription' && !isTwin) return getDraft(root, field, key, url);
    const refused = isTwin ? TWIN : 'A subscription is a stream of responses, and a tool returns one response.';
    return { key, operation: `${root.kind} ${field.name}`, summary: toLine(field.description, 200), refused };
  });
};

/** The library throws for any fault of a schema. */
const built = (build: () => GraphQLSchema): GraphQLSchema | { readonly fault: string } => {
  try {
    return build();
  } catch (error) {
    if (error instanceof RangeError || !(error instanceof Error)) throw error;
    return { fault: `The GraphQL schema cannot be read: ${toLine(error.message, 200)}` };
  }
};

const read = (schema: GraphQLSchema | { readonly fault: string }, { base_url }: ImportOptions): ParsedImport => {
  if ('fault' in schema) return schema;
  if (base_url === undefined) return { fault: NO_PLACE };
  return {
    format: 'GraphQL',
    title: '',
    version: '',
    operations: listOperations(schema, base_url),
    root: { types: listInputTypes(schema) },
  };
};

/** Reads a GraphQL schema in its definition language. Undefined directives, such as those of a federation, are ignored. */
export const readGraphqlText = (text: string, options: ImportOptions): ParsedImport =>
  read(
    built(() => buildSchema(text, { assumeValid: true, assumeValidSDL: true, noLocation: true, maxTokens: TOKENS_MAX })),
    options,
  );

/** Returns the response of a GraphQL service to the introspection query: the data alone, or with its envelope. */
const findIntrospection = (root: JsonObject): JsonObject => (isMembers(root.__schema) ? root : readMembers(root.data));

export const graphql: ImportFormat = {
  called: 'GraphQL schema (__schema, or text)',
  isOf: (root) => isMembers(findIntrospection(root).__schema),
  read: ({ root, options }) =>
    read(
      built(() => buildClientSchema(findIntrospection(root) as unknown as IntrospectionQuery, { assumeValid: true })),
      options,
    ),
};
