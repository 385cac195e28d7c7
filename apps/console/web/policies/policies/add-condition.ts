import { readText } from './use-policy-check.ts';

/** The part of the builder schema that the console reads. */
export type Builder = {
  readonly fields: readonly BuilderField[];
  readonly operators: readonly BuilderOperator[];
  readonly values: readonly { readonly name: string; readonly shape: Shape; readonly sentence: string }[];
  readonly effects: readonly { readonly name: string; readonly label: string; readonly demand: { readonly required: boolean } | null }[];
  readonly star_pattern: string;
};
type BuilderField = {
  readonly name: string;
  readonly family: string | null;
  readonly type: string;
  readonly operators: readonly string[];
};
type BuilderOperator = {
  readonly name: string;
  readonly label: string;
  readonly sentence: string;
  readonly value: string;
};
type Shape = 'one' | 'list' | 'pair' | 'one_or_list' | 'none';
export type Quantifier = 'any' | 'all';

/** A condition as the form holds it. */
export type DraftCondition = {
  readonly field: string;
  readonly op: string;
  readonly value: string;
  readonly quantifier: Quantifier;
  readonly isNegated: boolean;
};
export type Target = { readonly ruleId: string } | { readonly effect: string };

type Members = Readonly<Record<string, unknown>>;
const isMembers = (value: unknown): value is Members => typeof value === 'object' && value !== null && !Array.isArray(value);

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

const scalar = (field: BuilderField, kind: string, text: string): unknown =>
  !TEXT_KINDS.has(kind) && ['integer', 'hour', 'boolean', 'json'].includes(field.type) && PLAIN.test(text) ? JSON.parse(text) : text;

const readValue = (field: BuilderField, operator: BuilderOperator, shape: Shape, text: string): unknown => {
  if (shape === 'one') return scalar(field, operator.value, text);
  const parts = text.split(',').map((part) => scalar(field, operator.value, part.trim()));
  return shape === 'one_or_list' && parts.length === 1 ? parts[0] : parts;
};

/** The condition of a rule; undefined while the form names no field or no operator of it. */
export const readCondition = (builder: Builder, { field: name, op, value, quantifier, isNegated }: DraftCondition): unknown => {
  const field = findField(builder, name);
  const operator = listOperators(builder, name).find((each) => each.name === op);
  if (field === undefined || operator === undefined) return undefined;
  const shape = valueShape(builder, operator);
  const condition = {
    field: name,
    op,
    ...(shape === 'none' ? {} : { value: readValue(field, operator, shape, value) }),
    ...(hasStar(builder, field, name) ? { quantifier } : {}),
  };
  return isNegated ? { not: condition } : condition;
};

/** Both conditions have to hold. */
const joined = (when: unknown, condition: unknown): unknown => {
  if (!isMembers(when) || Object.keys(when).length === 0) return condition;
  return Array.isArray(when.all) && Object.keys(when).length === 1 ? { all: [...when.all, condition] } : { all: [when, condition] };
};

/** Ids of the rules in a text, in their order. */
export const ruleIds = (text: string): readonly string[] => {
  const read = readText(text);
  return typeof read === 'string' ? [] : read.rules.flatMap((rule) => (isMembers(rule) && typeof rule.id === 'string' ? [rule.id] : []));
};

const freeId = (taken: readonly string[]): string => {
  let number = taken.length + 1;
  while (taken.includes(`rule-${number}`)) number += 1;
  return `rule-${number}`;
};

/** The text of the editor with a condition added to a rule, or with a new rule of it; the text itself where it cannot be read. */
export const addCondition = (text: string, target: Target, condition: unknown): string => {
  const read = readText(text);
  if (typeof read === 'string') return text;
  const { rules, tests } = read;
  const changed =
    'ruleId' in target
      ? rules.map((rule) => (isMembers(rule) && rule.id === target.ruleId ? { ...rule, when: joined(rule.when, condition) } : rule))
      : [...rules, { id: freeId(ruleIds(text)), effect: target.effect, reason: 'Replace this reason.', when: condition }];
  return JSON.stringify({ rules: changed, tests }, null, 2);
};
