import { type Any, checkMembers, findField, getFamilyMember, isFieldValue, isObject, type SchemaReading } from './reading.ts';

const isOne = (reading: SchemaReading, field: Any, kind: Any, value: unknown): boolean => {
  if (kind.of === 'field') return isFieldValue(reading, field, value, kind.json_types);
  if (typeof value !== 'string') return field.type === 'json' && kind.json_types.includes(typeof value);
  const pattern = kind.patterns_by_type[field.type] ?? field.element_pattern ?? kind.pattern;
  return value.length >= kind.min_length && value.length <= kind.max_length && (pattern === null || new RegExp(pattern).test(value));
};

const isValue = (reading: SchemaReading, field: Any, kind: Any, value: unknown): boolean => {
  if (kind.shape === 'none') return value === undefined;
  if (kind.shape === 'one' || (kind.shape === 'one_or_list' && !Array.isArray(value))) return isOne(reading, field, kind, value);
  if (!Array.isArray(value) || value.length < kind.min_items || value.length > kind.max_items) return false;
  return value.every((one) => isOne(reading, field, kind, one)) && !(kind.ordered && value[0] > value[1]);
};

/** `of` is the path of the element that the condition is about, or nothing. */
const isQuantified = ({ schema }: SchemaReading, field: Any, operator: Any, { field: name, quantifier }: Any, of: string): boolean => {
  const path = of === '' ? getFamilyMember(field, name) : name.slice(of.length);
  const hasStar = field.family === 'path' && new RegExp(schema.star_pattern).test(path);
  if (quantifier === undefined) return !(hasStar && operator.quantifier_required_with_star);
  return hasStar && schema.quantifiers.some((one: Any) => one.name === quantifier);
};

const checkFieldCondition = (reading: SchemaReading, condition: unknown, at: string, of: string): void => {
  const { faults, schema, operators, values } = reading;
  if (!checkMembers(reading, condition, schema.structure.condition, at)) return;
  const { field: name, op, value } = condition as Any;
  const field = typeof name === 'string' ? findField(reading, name) : undefined;
  const operator = field?.operators.includes(op) ? operators.get(op) : undefined;
  const isOutside = of !== '' && name !== of && !`${name}`.startsWith(`${of}.`);
  if (field === undefined || isOutside) faults.push(`${at}/field`);
  else if (operator === undefined) faults.push(`${at}/op`);
  else {
    if (!isValue(reading, field, values.get(operator.value), value)) faults.push(`${at}/value`);
    if (!isQuantified(reading, field, operator, condition, of)) faults.push(`${at}/quantifier`);
  }
};

const checkElement = (reading: SchemaReading, inner: unknown, at: string, depth: number, of: string): void => {
  const { faults, schema } = reading;
  if (of !== '') faults.push(at);
  else if (checkMembers(reading, inner, schema.structure.any_element, at)) {
    const list = (inner as Any).of;
    const isList = typeof list === 'string' && findField(reading, list) && new RegExp(schema.structure.any_element.of.pattern).test(list);
    if (isList) checkCondition(reading, (inner as Any).meets, `${at}/meets`, depth, list);
    else faults.push(`${at}/of`);
  }
};

/** Records the faults of a condition and those in it. */
export const checkCondition = (reading: SchemaReading, condition: unknown, at: string, depth = 0, of = ''): void => {
  const { faults, schema } = reading;
  const group = isObject(condition) && schema.groups.find(({ name }: Any) => Object.hasOwn(condition, name));
  if (!group) {
    reading.conditions += 1;
    checkFieldCondition(reading, condition, at, of);
  } else if (Object.keys(condition).length !== 1 || depth >= schema.limits.depth_max) faults.push(at);
  else if (group.takes === 'element') checkElement(reading, condition[group.name], `${at}/${group.name}`, depth + 1, of);
  else {
    const inner = condition[group.name];
    const parts = group.takes === 'one' ? [inner] : inner;
    if (!Array.isArray(parts) || parts.length === 0) faults.push(at);
    else for (const part of parts) checkCondition(reading, part, `${at}/${group.name}`, depth + 1, of);
  }
};
