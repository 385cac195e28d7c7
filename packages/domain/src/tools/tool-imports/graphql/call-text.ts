import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLOutputType,
  getNamedType,
  getNullableType,
  isInterfaceType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';

const LEVELS_MAX = 3;
const FIELDS_MAX = 60;

type Left = { fields: number };

/** Selects the plain fields of a type, and of its nested ones. Fields that require arguments of their own are omitted. */
const getSelection = (type: GraphQLOutputType, level: number, left: Left): string => {
  const named = getNamedType(type);
  if (isLeafType(named)) return '';
  if (!isObjectType(named) && !isInterfaceType(named)) return ' { __typename }';
  const fields = Object.values(named.getFields()).filter(
    ({ args, deprecationReason }) => !args.some(isRequiredArgument) && !deprecationReason,
  );
  const plain: string[] = [];
  const nested: string[] = [];
  for (const field of fields) {
    if (left.fields <= 0 || !isLeafType(getNamedType(field.type))) continue;
    left.fields -= 1;
    plain.push(field.name);
  }
  for (const field of level < LEVELS_MAX ? fields : []) {
    const inner = getNamedType(field.type);
    if (left.fields <= 0 || isLeafType(inner) || inner === named) continue;
    left.fields -= 1;
    nested.push(field.name + getSelection(field.type, level + 1, left));
  }
  const chosen = [...plain, ...nested];
  return ` { ${(chosen.length === 0 ? ['__typename'] : chosen).join(' ')} }`;
};

/** An argument with a default may be omitted, so that its variable may be absent even if the argument is never null. */
const variableType = (arg: GraphQLArgument): string => String(isRequiredArgument(arg) ? arg.type : getNullableType(arg.type));

/** A call of one field with all its arguments as variables. */
export const writeGraphqlCall = (kind: string, { name, args, type }: GraphQLField<unknown, unknown>): string => {
  const variables = args.length === 0 ? '' : `(${args.map((arg) => `$${arg.name}: ${variableType(arg)}`).join(', ')})`;
  const passed = args.length === 0 ? '' : `(${args.map((arg) => `${arg.name}: $${arg.name}`).join(', ')})`;
  return `${kind} ${name}${variables} { ${name}${passed}${getSelection(type, 1, { fields: FIELDS_MAX })} }`;
};
