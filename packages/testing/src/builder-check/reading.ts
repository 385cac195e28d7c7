/* A checker of policy versions that uses only the builder schema, like an editor in a browser. */

// biome-ignore lint/suspicious/noExplicitAny: what a server answers, read as an editor would
export type Any = any;
export type SchemaObject = Readonly<Record<string, unknown>>;

/** The schema by name, and the faults found so far. */
export type SchemaReading = {
  readonly schema: Any;
  readonly fieldTypes: ReadonlyMap<string, Any>;
  readonly operators: ReadonlyMap<string, Any>;
  readonly values: ReadonlyMap<string, Any>;
  readonly effects: ReadonlyMap<string, Any>;
  readonly faults: string[];
  conditions: number;
};

const byName = (rows: readonly Any[]): ReadonlyMap<string, Any> => new Map(rows.map((row) => [row.name, row]));

export const newReading = (schema: Any): SchemaReading => ({
  schema,
  fieldTypes: byName(schema.field_types),
  operators: byName(schema.operators),
  values: byName(schema.values),
  effects: byName(schema.effects),
  faults: [],
  conditions: 0,
});

export const isObject = (value: unknown): value is SchemaObject => typeof value === 'object' && value !== null && !Array.isArray(value);

export const isWhole = (value: unknown, { min, max }: Any): boolean =>
  Number.isSafeInteger(value) && (value as number) >= (min ?? -Infinity) && (value as number) <= (max ?? Infinity);

/** Records unknown and missing members; true if it is an object. */
export const checkMembers = ({ faults }: SchemaReading, value: unknown, known: Any, at: string): value is SchemaObject => {
  if (!isObject(value)) {
    faults.push(at);
    return false;
  }
  for (const name of Object.keys(value)) if (!Object.hasOwn(known, name)) faults.push(`${at}/${name}`);
  for (const [name, member] of Object.entries<Any>(known)) if (member.required && !Object.hasOwn(value, name)) faults.push(at);
  return true;
};

export const isText = (text: unknown, rule: Any): boolean =>
  typeof text === 'string' &&
  (rule.pattern === undefined || new RegExp(rule.pattern).test(text)) &&
  (rule.max_length === undefined || text.length <= rule.max_length) &&
  (!rule.not_blank || text.trim() !== '');

/** Returns the text after the name of a family. */
export const getFamilyMember = (field: Any, name: string): string => name.slice(field.name.length - 1);

export const findField = ({ schema }: SchemaReading, name: string): Any => {
  if (name.length > schema.limits.field_length_max) return undefined;
  return schema.fields.find((field: Any) =>
    field.family === null
      ? field.name === name
      : name.startsWith(field.name.slice(0, -1)) && new RegExp(field.member_pattern).test(getFamilyMember(field, name)),
  );
};

/** True if the field can have the value. */
export const isFieldValue = (
  { schema, fieldTypes }: SchemaReading,
  field: Any,
  value: unknown,
  jsonTypes: readonly string[] = [],
): boolean => {
  if (typeof value === 'string' && value.length > schema.limits.value_length_max) return false;
  const { json } = fieldTypes.get(field.type);
  if (json === 'any') return jsonTypes.includes(typeof value) && (typeof value !== 'number' || Number.isFinite(value));
  if (json === 'integer') return isWhole(value, field);
  if (json === 'array of string') return Array.isArray(value) && value.every((element) => typeof element === 'string');
  if (typeof value !== json) return false;
  return (field.values?.includes(value) ?? true) && (field.pattern === null || new RegExp(field.pattern).test(value as string));
};
