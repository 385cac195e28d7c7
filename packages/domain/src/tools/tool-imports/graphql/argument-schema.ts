import type { JsonObject } from '@svc/contract/rows/json-object.ts';
import {
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql';

const SCALARS: Readonly<Record<string, JsonObject>> = {
  Int: { type: 'integer', minimum: -2_147_483_648, maximum: 2_147_483_647 },
  Float: { type: 'number' },
  String: { type: 'string' },
  Boolean: { type: 'boolean' },
  ID: { type: ['string', 'integer'] },
};

/** Returns the schema of an argument; input objects by a reference to `listInputTypes`. Custom scalars may have any value. */
export const buildArgumentSchema = (type: GraphQLInputType): JsonObject => {
  if (isNonNullType(type)) return buildArgumentSchema(type.ofType);
  if (isListType(type)) return { type: 'array', items: buildArgumentSchema(type.ofType) };
  if (isInputObjectType(type)) return { $ref: `#/types/${type.name}` };
  if (isEnumType(type)) return { type: 'string', enum: type.getValues().map(({ name }) => name) };
  const { name } = type;
  return (Object.hasOwn(SCALARS, name) ? SCALARS[name] : undefined) ?? { description: name };
};

export const isRequired = ({ type, defaultValue }: GraphQLArgument | GraphQLInputField): boolean =>
  isNonNullType(type) && defaultValue === undefined;

/** All input objects by their names, as schemas. */
export const listInputTypes = (schema: GraphQLSchema): JsonObject =>
  Object.fromEntries(
    Object.values(schema.getTypeMap())
      .filter(isInputObjectType)
      .map((type) => {
        const fields = Object.values(type.getFields());
        return [
          type.name,
          {
            type: 'object',
            properties: Object.fromEntries(
              fields.map((field) => [
                field.name,
                { ...buildArgumentSchema(field.type), ...(field.description ? { description: field.description } : {}) },
              ]),
            ),
            required: fields.filter(isRequired).map(({ name }) => name),
            additionalProperties: false,
          },
        ];
      }),
  );
