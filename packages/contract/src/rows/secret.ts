import type { TSchema } from 'typebox';
import type { SecretMember } from '../tables/secret-members.ts';

/** What JSON Schema and OpenAPI call a text that is not to be shown. */
export const SECRET_FORMAT = 'password';

/** Of a secret that is sent as it is: a line end that came along from a file would be a part of it. */
export const SENT_WHOLE = '^[!-~]([ -~]*[!-~])?$';

/** Of a secret or a name that an authorization server gave: what RFC 6749 lets it consist of. */
export const PRINTABLE = '^[\\u0020-\\u007e]+$';

/**
 * A member that holds a secret, for the properties of an object: `closed({ ...secret('token', Type.String()) })`. Read off the schema: what
 * is kept of an answer for a replay has null in its place, and the documents say `format: password`. Logs and traces hide it by its name.
 */
export const secret = <const Name extends SecretMember, Schema extends TSchema>(name: Name, schema: Schema): Record<Name, Schema> => {
  // Whether a member may be left out is no ordinary property of its schema, and would be lost by a spread.
  const marked = Object.defineProperties({ format: SECRET_FORMAT }, Object.getOwnPropertyDescriptors(schema));
  return { [name]: marked } as unknown as Record<Name, Schema>;
};

type Node = Readonly<Record<string, unknown>>;

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;
const isMarked = (schema: unknown): boolean => isNode(schema) && schema.format === SECRET_FORMAT;

/** The names of the members that are marked anywhere within a schema. */
export const secretsIn = (schema: unknown): ReadonlySet<string> => {
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

/** A schema, and what its references name. */
type Scoped = { readonly schema: Node; readonly defs: Node };

const BRANCHES = ['anyOf', 'allOf', 'oneOf'] as const;

/** Every schema that a value may be held to by one: itself, what it refers to, and each of its branches. */
const spread = (schema: unknown, outer: Node): Scoped[] => {
  if (!isNode(schema)) return [];
  const defs = isNode(schema.$defs) ? schema.$defs : outer;
  const referred = typeof schema.$ref === 'string' ? spread(defs[schema.$ref], defs) : [];
  const branches = BRANCHES.flatMap((word) => (Array.isArray(schema[word]) ? schema[word] : []));
  return [{ schema, defs }, ...referred, ...branches.flatMap((branch) => spread(branch, defs))];
};

const memberOf = (schema: Node, name: string): unknown => {
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
      const schemas = held.flatMap(({ schema, defs }) => spread(memberOf(schema, name), defs));
      return [name, schemas.some(({ schema }) => isMarked(schema)) ? null : hide(schemas, member)];
    }),
  );
};

/** A JSON value of a schema with null in place of every member that is marked. */
export const withoutSecrets = (schema: unknown, value: unknown): unknown => hide(spread(schema, {}), value);
