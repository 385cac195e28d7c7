import { type BuilderSchema, type Cells, type Malformed, withCondition } from './version.ts';

const wrongValues = (type: string): Cells => {
  const another = type === 'integer' || type === 'hour' ? '5' : type === 'boolean' ? 'true' : 7;
  const anObject = ['an object', { a: 1 }] as const;
  return type === 'json' ? [anObject] : [anObject, ['another type', another], ['null', null], ['a list', []]];
};

/** Returns each field with an operator that does not fit it, and with values that it never has. */
export const listWrongFields = ({ fields, operators }: BuilderSchema): Malformed[] =>
  fields.flatMap(({ name, type, operators: fitting }): Malformed[] => {
    const field = name.replace('*', 'x');
    const unfit = operators.filter((operator) => !operator.fits.includes(type)).slice(0, 1);
    return [
      ...unfit.map(({ name: op }) => ({
        what: `${op} on ${name}`,
        body: withCondition({ field, op, value: 1 }),
        pointer: '/rules/0/when/op',
        says: /is not valid for .*must be one of/,
      })),
      ...(fitting.includes('eq') ? wrongValues(type) : []).map(([what, value]) => ({
        what: `${name} equal to ${what}`,
        body: withCondition({ field, op: 'eq', value }),
        pointer: '/rules/0/when/value',
        says: /(must be|requires) .*(for example|not_exists)/,
      })),
    ];
  });

const fieldFor = ({ fields }: BuilderSchema, operator: string): string =>
  (fields.find((field) => field.operators.includes(operator))?.name ?? 'amount').replace('*', 'x');

/** Returns each operator with a value missing, or with a superfluous one. */
export const listWrongOperators = (schema: BuilderSchema): Malformed[] =>
  schema.operators.map(({ name, value }) => {
    const condition = { field: fieldFor(schema, name), op: name };
    return value === 'none'
      ? {
          what: `${name} with a value`,
          body: withCondition({ ...condition, value: 1 }),
          pointer: '/rules/0/when/value',
          says: /takes no value; remove/,
        }
      : {
          what: `${name} without a value`,
          body: withCondition(condition),
          pointer: '/rules/0/when/value',
          says: /requires the member "value", for example/,
        };
  });
