import * as actions from '@svc/contract/actions/actions.ts';
import * as approvals from '@svc/contract/actions/approval-shapes.ts';
import * as decisions from '@svc/contract/actions/decisions.ts';
import * as obligations from '@svc/contract/actions/obligations.ts';
import * as agents from '@svc/contract/agents/agents/agents.ts';
import * as passports from '@svc/contract/agents/agents/passports.ts';
import * as agentAuthority from '@svc/contract/agents/delegations/authority.ts';
import * as delegations from '@svc/contract/agents/delegations/shapes.ts';
import * as identity from '@svc/contract/agents/identity.ts';
import * as fxRates from '@svc/contract/money/fx-rates.ts';
import * as apiKeys from '@svc/contract/people/api-keys.ts';
import * as auth from '@svc/contract/people/auth.ts';
import * as roles from '@svc/contract/people/roles.ts';
import * as invariants from '@svc/contract/policies/invariants.ts';
import * as policyLanguage from '@svc/contract/policies/language.ts';
import * as policies from '@svc/contract/policies/policies.ts';
import * as policyReplay from '@svc/contract/policies/replay.ts';
import * as policyTemplates from '@svc/contract/policies/templates.ts';
import * as policyVersions from '@svc/contract/policies/versions.ts';
import * as policyWarnings from '@svc/contract/policies/warnings.ts';
import * as environments from '@svc/contract/tenancy/environments.ts';
import * as organization from '@svc/contract/tenancy/organization.ts';
import * as workspaces from '@svc/contract/tenancy/workspaces.ts';
import * as tools from '@svc/contract/tools/tools.ts';

const MODULES = [
  actions,
  agentAuthority,
  agents,
  passports,
  apiKeys,
  approvals,
  auth,
  decisions,
  delegations,
  fxRates,
  identity,
  invariants,
  policyVersions,
  policies,
  policyTemplates,
  obligations,
  policyLanguage,
  policyReplay,
  policyWarnings,
  roles,
  organization,
  workspaces,
  environments,
  tools,
] as const;

type Schema = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Schema => typeof value === 'object' && value !== null && !Array.isArray(value);
const isSchema = (value: unknown): value is Schema => isObject(value) && (value.type === 'object' || '$defs' in value);

/** Schemas that the contract exports, by name. */
const NAMED: ReadonlyMap<string, Schema> = new Map(
  MODULES.flatMap((module) => Object.entries(module).flatMap(([name, value]) => (isSchema(value) ? [[name, value] as const] : []))),
);

/** Names of schemas by their JSON, since an optional member holds a copy. The first name applies to all equal schemas. */
const NAME_OF = new Map([...NAMED].reverse().map(([name, schema]) => [JSON.stringify(schema), name]));

/** Members of a schema that hold values and no schemas. */
const LITERAL: ReadonlySet<string> = new Set(['enum', 'examples', 'default', 'const', 'required', 'description']);

/** Replacements for classes that need the flag `u`, inside a negated set: as far as code units can express them, and never stricter. */
const CLASSES: Readonly<Record<string, string>> = {
  '\\p{Cc}': '\\u0000-\\u001f\\u007f-\\u009f',
  '\\p{C}': '\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u200b\\u202a-\\u202e\\u2060-\\u206f\\ufeff',
  '\\p{Zl}': '\\u2028',
  '\\p{Zp}': '\\u2029',
  '\\p{Cs}': '',
  '\\u{e0100}-\\u{e01ef}': '',
};

/** Returns a pattern that means the same with and without the flag `u`, for validators of either kind. */
export const removeFlagU = (pattern: string): string =>
  Object.entries(CLASSES).reduce((text, [unicode, plain]) => text.replaceAll(unicode, plain), pattern);

const referTo = (name: string) => ({ $ref: `#/components/schemas/${name}` });

const ANY_NAME = '^.*$';

/** Describes members of any name, or of one pattern, in keywords that generators know; patterns alone are only understood by validators. */
const ofAnyName = (schema: Schema): Schema => {
  const { patternProperties, ...rest } = schema;
  const [[pattern, member] = [], ...more] = isObject(patternProperties) ? Object.entries(patternProperties) : [];
  if (pattern === undefined || more.length > 0) return schema;
  const names = pattern === ANY_NAME ? {} : { propertyNames: { pattern } };
  return { ...rest, ...names, additionalProperties: member };
};

/** Names schemas while a document is built, so that each occurs once and generators have a name for it. */
export type SchemaNames = {
  /** Replaces everything that has a name with a reference. */
  readonly refer: (schema: unknown) => unknown;
  /** Referenced schemas by name. */
  readonly components: () => Readonly<Record<string, unknown>>;
};

export const newSchemaNames = (): SchemaNames => {
  const components: Record<string, unknown> = {};

  /**
   * An `$id` would make the schema a document of its own, in which references to components cannot be resolved (JSON Schema 2020-12, base
   * URIs).
   */
  const add = (name: string, { $id: _own, ...schema }: Schema): unknown => {
    if (!(name in components)) {
      components[name] = {};
      components[name] = members(schema);
    }
    return referTo(name);
  };

  /** Moves the definitions of a recursive schema to the components. */
  const cyclic = ({ $defs, $ref }: Schema): unknown => {
    for (const [name, schema] of Object.entries($defs as Record<string, Schema>)) add(name, schema);
    return referTo(String($ref));
  };

  const refer = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(refer);
    if (!isObject(value)) return value;
    if ('$defs' in value) return cyclic(value);
    if (typeof value.$ref === 'string') return referTo(value.$ref);
    // A value that the language itself checks or builds is untyped in the schema, and identified by its title.
    const titled = typeof value.title === 'string' && value.type === undefined ? NAMED.get(value.title) : undefined;
    if (titled) return add(String(value.title), titled);
    const name = isSchema(value) ? NAME_OF.get(JSON.stringify(value)) : undefined;
    return name === undefined ? members(value) : add(name, value);
  };

  const members = (schema: Schema): unknown =>
    Object.fromEntries(
      Object.entries(ofAnyName(schema)).map(([key, member]) => {
        if (key === 'pattern' && typeof member === 'string') return [key, removeFlagU(member)];
        return [key, LITERAL.has(key) ? member : refer(member)];
      }),
    );

  return { refer, components: () => components };
};
