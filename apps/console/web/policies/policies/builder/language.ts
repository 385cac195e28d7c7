import { majorText, minorUnits } from '../../../data/money-text.ts';

/** The part of the builder schema that the console reads: the policy language as data. */
export type Builder = {
  readonly fields: readonly BuilderField[];
  readonly operators: readonly BuilderOperator[];
  readonly values: readonly { readonly name: string; readonly shape: Shape; readonly sentence: string }[];
  readonly effects: readonly { readonly name: string; readonly label: string; readonly demand: Demand | null }[];
  readonly star_pattern: string;
};
export type Demand = {
  readonly member: string;
  readonly required: boolean;
  readonly members: Readonly<Record<string, DemandMember>>;
};
export type DemandMember = {
  readonly type: 'integer' | 'string' | 'boolean' | 'path_list';
  readonly unit?: string;
  readonly default?: unknown;
  readonly sentence: string;
};
export type BuilderField = {
  readonly name: string;
  readonly family: string | null;
  readonly type: string;
  readonly operators: readonly string[];
  readonly values: readonly string[] | null;
  readonly sentence: string;
};
export type BuilderOperator = {
  readonly name: string;
  readonly label: string;
  readonly sentence: string;
  readonly value: string;
};
export type Shape = 'one' | 'list' | 'pair' | 'one_or_list' | 'none';

export type BuilderMembers = Readonly<Record<string, unknown>>;
export const isMembers = (value: unknown): value is BuilderMembers => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The field of the table that a name stands for: itself, or the family that it is a member of. */
export const findField = (builder: Builder, name: string): BuilderField | undefined =>
  builder.fields.find((field) =>
    field.family === null ? field.name === name : name.startsWith(field.name.slice(0, -1)) && name.length >= field.name.length,
  );

export const listOperators = (builder: Builder, name: string): readonly BuilderOperator[] => {
  const field = findField(builder, name);
  return field === undefined ? [] : builder.operators.filter((operator) => field.operators.includes(operator.name));
};

export const valueShape = (builder: Builder, operator: BuilderOperator): Shape =>
  builder.values.find(({ name }) => name === operator.value)?.shape ?? 'one';

/** True for a path that leads to several values. */
export const hasStar = ({ star_pattern }: Builder, { family }: BuilderField, name: string): boolean =>
  family === 'path' && new RegExp(star_pattern).test(name);

const PLAIN = /^(?:-?(?:0|[1-9]\d*)(?:\.\d+)?|true|false)$/;
/** Operators whose values are texts, also where the field may hold a number. */
const TEXT_KINDS: ReadonlySet<string> = new Set([
  'text',
  'ending',
  'part',
  'pattern',
  'whole',
  'directory',
  'domains',
  'networks',
  'hours',
]);

const AMOUNTS: ReadonlySet<string> = new Set(['amount']);

/** Reads and writes the values of one field with one operator as a person enters them: amounts in major units, lists with commas. */
export type ValueText = { readonly shape: Shape; readonly write: (value: unknown) => string; readonly read: (text: string) => unknown };

type Kind = Pick<BuilderOperator, 'value'>;

const readScalar = (field: BuilderField, kind: Kind, currency: string | undefined, text: string): unknown => {
  if (AMOUNTS.has(field.name)) return currency === undefined ? text : minorUnits(text, currency);
  const isTyped = ['integer', 'hour', 'boolean', 'json'].includes(field.type);
  return !TEXT_KINDS.has(kind.value) && isTyped && PLAIN.test(text) ? JSON.parse(text) : text;
};

const writeScalar = (field: BuilderField, currency: string | undefined, value: unknown): string => {
  if (typeof value === 'number' && AMOUNTS.has(field.name) && currency !== undefined) return majorText(value, currency);
  return typeof value === 'string' ? value : JSON.stringify(value);
};

const createTexts = (field: BuilderField, kind: Kind, shape: Shape, currency: string | undefined): ValueText => ({
  shape,
  write: (value) => (Array.isArray(value) ? value : [value]).map((each) => writeScalar(field, currency, each)).join(', '),
  read: (text) => {
    if (shape === 'one') return readScalar(field, kind, currency, text);
    const parts = text.split(',').map((part) => readScalar(field, kind, currency, part.trim()));
    return shape === 'one_or_list' && parts.length === 1 ? parts[0] : parts;
  },
});

export const valueText = (builder: Builder, field: BuilderField, operator: BuilderOperator, currency: string | undefined): ValueText =>
  createTexts(field, operator, valueShape(builder, operator), currency);

/** Values of a field in the request of a test, where a list is a list of its values. */
export const givenText = (field: BuilderField, currency: string | undefined): ValueText =>
  createTexts(field, { value: 'scalar' }, field.type === 'string_list' ? 'list' : 'one', currency);

/** True if a value survives being written as text and read again, so that a form can show it without changing it. */
export const isWritable = ({ shape, write, read }: ValueText, value: unknown): boolean => {
  if (shape === 'none') return value === undefined;
  return value !== undefined && JSON.stringify(read(write(value))) === JSON.stringify(value);
};
