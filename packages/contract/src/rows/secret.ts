import type { TSchema } from 'typebox';
import type { SecretMember } from '../tables/secret-members.ts';

/** Format of a secret text in JSON Schema and OpenAPI. */
export const SECRET_FORMAT = 'password';

/** Pattern of a secret that is sent unchanged: a line break that was copied from a file would become a part of it. */
export const SENT_WHOLE = '^[!-~]([ -~]*[!-~])?$';

/** Pattern of a secret or a name from an authorization server (RFC 6749). */
export const PRINTABLE = '^[\\u0020-\\u007e]+$';

/**
 * Builds a secret member of an object: `closed({ ...secret('token', Type.String()) })`. Derived from the schema: a stored replay of a
 * response has null instead, and documents state `format: password`. Logs and traces hide it by its name.
 */
export const secret = <const Name extends SecretMember, Schema extends TSchema>(name: Name, schema: Schema): Record<Name, Schema> => {
  // The optional marker is a non-enumerable property of the schema, and a spread would lose it.
  const marked = Object.defineProperties({ format: SECRET_FORMAT }, Object.getOwnPropertyDescriptors(schema));
  return { [name]: marked } as unknown as Record<Name, Schema>;
};

type Node = Readonly<Record<string, unknown>>;

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;
const isMarked = (schema: unknown): boolean => isNode(schema) && schema.format === SECRET_FORMAT;

/** Returns the names of the marked members anywhere within a schema. */
export const listSecrets = (schema: unknown): ReadonlySet<string> => {
  const found = new Set<string>();
  const seen = new Set<unknown>();
  const look = (value: unknown): void => {
    if (!isNode(value) || seen.has(value)) return;
    seen.add(value);
    if (isNode(value.properties)) for (const [name, member] of Object.entries(value.properties)) if (isMarked(member)) found.add(name);
    for (const each of Object.values(value)) look(each);
  };
  look(schema);
  return found;
};

/** A schema, with the definitions that its references name. */
type Scoped = { readonly schema: Node; readonly defs: Node };

const BRANCHES = ['anyOf', 'allOf', 'oneOf'] as const;

/** Lists every schema that applies to a value: itself, its references, and each of its branches. */
const spread = (schema: unknown, outer: Node): Scoped[] => {
  if (!isNode(schema)) return [];
  const defs = isNode(schema.$defs) ? schema.$defs : outer;
  const referred = typeof schema.$ref === 'string' ? spread(defs[schema.$ref], defs) : [];
  const branches = BRANCHES.flatMap((word) => (Array.isArray(schema[word]) ? schema[word] : []));
  return [{ schema, defs }, ...referred, ...branches.flatMap((branch) => spread(branch, defs))];
};

const getMember = (schema: Node, name: string): unknown => {
  if (isNode(schema.properties) && Object.hasOwn(schema.properties, name)) return schema.properties[name];
  const [ofAnyName] = isNode(schema.patternProperties) ? Object.values(schema.patternProperties) : [];
  return ofAnyName ?? schema.additionalProperties;
};

const hide = (held: readonly Scoped[], value: unknown): unknown => {
  if (!isNode(value)) return value;
  if (Array.isArray(value)) {
    const items = held.flatMap(({ schema, defs }) => spread(schema.items, defs));
    return value.map((item) => hide(items, item));
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const schemas = held.flatMap(({ schema, defs }) => spread(getMember(schema, name), defs));
      return [name, schemas.some(({ schema }) => isMarked(schema)) ? null : hide(schemas, member)];
    }),
  );
};

/** Replaces every marked member of a JSON value with null, by its schema. */
export const removeSecrets = (schema: unknown, value: unknown): unknown => hide(spread(schema, {}), value);
