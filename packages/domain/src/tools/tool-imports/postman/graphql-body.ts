import type { JsonObject } from '@svc/contract/rows/json-object.ts';
import { GraphQLError, Kind, type OperationDefinitionNode, parse, type VariableDefinitionNode } from 'graphql';
import type { DraftParameter } from '../draft/proposal.ts';
import { isMembers, readMemberValue, readText } from '../draft/reading.ts';
import { BY_EXAMPLE, inferSchema, parsed } from './by-example.ts';
import type { SentBody } from './read-body.ts';
import type { UrlNames } from './read-url.ts';

const CHARACTERS_MAX = 20_000;

/** The operation that is meant: the one of that name, or the only one. */
const getOperation = (query: string, name: string): OperationDefinitionNode | undefined => {
  try {
    const operations = parse(query, { noLocation: true }).definitions.filter((each) => each.kind === Kind.OPERATION_DEFINITION);
    const meant = name === '' ? operations : operations.filter((operation) => operation.name?.value === name);
    return meant.length === 1 ? meant[0] : undefined;
  } catch (error) {
    if (error instanceof GraphQLError) return undefined;
    throw error;
  }
};

const getParameter = ({ variable, type, defaultValue }: VariableDefinitionNode, example: unknown, names: UrlNames): DraftParameter => {
  const written = variable.name.value;
  const value = readMemberValue(example, written);
  return {
    name: names(written, 'sent'),
    schema: value === undefined ? {} : inferSchema(value),
    required: type.kind === Kind.NON_NULL_TYPE && defaultValue === undefined,
    description: '',
  };
};

/**
 * Returns the effect of an operation, by its kind and selection. A fragment reveals the kind alone, so that it does not count as reading.
 */
const saidBy = ({ operation, name, selectionSet }: OperationDefinitionNode): NonNullable<SentBody['says']> => {
  const fields = selectionSet.selections.filter((each) => each.kind === Kind.FIELD);
  return {
    reads: operation === 'query' && fields.length === selectionSet.selections.length,
    words: [...(name === undefined ? [] : [name.value]), ...fields.map((field) => field.name.value)],
  };
};

/** A GraphQL request of a collection, with a parameter for each variable that its operation declares. */
export const buildGraphqlBody = (graphql: JsonObject, names: UrlNames): SentBody | { readonly refused: string } => {
  const query = readText(graphql.query);
  if (query.trim() === '' || query.length > CHARACTERS_MAX || query.includes('{{'))
    return { refused: 'Its GraphQL query is missing, or contains collection variables.' };
  const name = readText(graphql.operationName);
  const operation = getOperation(query, name);
  if (operation === undefined) return { refused: 'Its GraphQL query is invalid, or does not specify which of its operations to run.' };
  if (operation.operation === 'subscription')
    return { refused: 'A subscription is a stream of responses, and a tool returns one response.' };
  const example = typeof graphql.variables === 'string' ? parsed(graphql.variables) : graphql.variables;
  const variables = operation.variableDefinitions ?? [];
  const parameters = variables.map((variable) => getParameter(variable, isMembers(example) ? example : {}, names));
  const sent = variables.map(({ variable }, index) => [variable.name.value, `{${parameters[index]?.name}}`]);
  return {
    parameters,
    graphql: { query, ...(name === '' ? {} : { operation_name: name }), variables: Object.fromEntries(sent) },
    headers: {},
    notes: [BY_EXAMPLE],
    secrets: [],
    says: saidBy(operation),
  };
};
