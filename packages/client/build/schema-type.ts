/** A JSON Schema as TypeBox writes it. */
export type ContractSchema = Readonly<Record<string, unknown>>;

const isSchema = (value: unknown): value is ContractSchema => typeof value === 'object' && value !== null && !Array.isArray(value);
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const literal = (value: unknown): string => JSON.stringify(value);
const memberName = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name));
const union = (types: readonly string[]): string =>
  [...new Set(types)].map((type) => (type.includes('=>') ? `(${type})` : type)).join(' | ');
const SCALARS: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
};

const getComment = ({ description }: ContractSchema): string =>
  typeof description === 'string' ? `/** ${description.replaceAll('*/', '* /').replaceAll('\n', ' ')} */ ` : '';

/** Writes JSON Schemas as TypeScript types. `nameOf` gives the type name of a schema that `$defs` names. */
export const newTypeWriter = (nameOf: (definition: string, schema: ContractSchema) => string) => {
  const getMembers = (schema: ContractSchema, defs: ContractSchema): string => {
    const required = new Set(listOf(schema.required));
    const properties = isSchema(schema.properties) ? schema.properties : {};
    return Object.entries(properties)
      .filter((entry): entry is [string, ContractSchema] => isSchema(entry[1]))
      .map(([name, member]) => {
        const optional = required.has(name) ? '' : '?';
        return `${getComment(member)}readonly ${memberName(name)}${optional}: ${write(member, defs)}`;
      })
      .join('; ');
  };

  const objectType = (schema: ContractSchema, defs: ContractSchema): string => {
    const [values] = isSchema(schema.patternProperties) ? Object.values(schema.patternProperties) : [schema.additionalProperties];
    if (isSchema(schema.properties))
      return Object.keys(schema.properties).length === 0 ? 'Record<string, never>' : `{ ${getMembers(schema, defs)} }`;
    return `Readonly<Record<string, ${isSchema(values) ? write(values, defs) : 'unknown'}>>`;
  };

  const arrayType = (schema: ContractSchema, defs: ContractSchema): string => {
    if (Array.isArray(schema.prefixItems)) return `readonly [${schema.prefixItems.map((item) => write(item, defs)).join(', ')}]`;
    return `readonly (${isSchema(schema.items) ? write(schema.items, defs) : 'unknown'})[]`;
  };

  const ofType = (type: unknown, schema: ContractSchema, defs: ContractSchema): string => {
    if (type === 'object') return objectType(schema, defs);
    if (type === 'array') return arrayType(schema, defs);
    return (typeof type === 'string' ? SCALARS[type] : undefined) ?? 'unknown';
  };

  const write = (value: unknown, outer: ContractSchema): string => {
    if (!isSchema(value)) return 'unknown';
    const defs = isSchema(value.$defs) ? value.$defs : outer;
    if (typeof value.$ref === 'string') {
      const name = value.$ref.replace(/^#\/\$defs\//, '');
      const definition = defs[name];
      return isSchema(definition) ? nameOf(name, { ...definition, $defs: defs }) : 'unknown';
    }
    if ('const' in value) return literal(value.const);
    if (Array.isArray(value.enum)) return union(value.enum.map(literal));
    const branches = [...listOf(value.anyOf), ...listOf(value.oneOf)];
    if (branches.length > 0) return union(branches.map((branch) => write(branch, defs)));
    if (Array.isArray(value.allOf)) return value.allOf.map((branch) => `(${write(branch, defs)})`).join(' & ');
    if (Array.isArray(value.type)) return union(value.type.map((type) => ofType(type, value, defs)));
    return ofType(value.type ?? (isSchema(value.properties) ? 'object' : undefined), value, defs);
  };
  return (schema: unknown): string => write(schema, {});
};
