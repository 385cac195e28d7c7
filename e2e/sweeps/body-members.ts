import { EVERY_ROW } from '../rows/setting.ts';
import type { Organization } from './canary-organization.ts';
import { findParameterNamed } from './parameter-named.ts';

type Schema = {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly type?: string;
};

/** A member of a request body that names a resource by id. */
export type NamingMember = { readonly operation: string; readonly pointer: string; readonly isList: boolean };

/** Members that end like ids and name nothing of an organization, with the reason. */
const NAMES_NOTHING: Readonly<Record<string, string>> = {
  '/client_id': 'of a provider',
  '/oauth/client_id': 'of an authorization server',
  '/oauth/key_id': 'of an authorization server',
  '/workflow_id': 'of a workflow at its instance',
  '/process_id': 'of a process of an instance',
  '/externalId': 'of a directory',
  '/passkey/id': 'of an authenticator',
  '/skills/0/id': 'of a published card',
  '/passkey/rawId': 'of an authenticator',
  '/execution/decision_header': 'a name of a header',
};

/** Operations whose ids only filter: an unknown id finds nothing. */
const FILTERS = new Set(['exportAuditEvents', 'createAuditSearch', 'updateAuditSearch', 'verifyAuditEvents']);

const isNaming = (name: string): boolean => /(^|_)ids?$|Ids?$/.test(name);

const listMembers = (schema: Schema, path = ''): { pointer: string; isList: boolean }[] => [
  ...Object.entries(schema.properties ?? {}).flatMap(([name, member]) => [
    ...(isNaming(name) ? [{ pointer: `${path}/${name}`, isList: isListSchema(member) }] : []),
    ...listMembers(member, `${path}/${name}`),
  ]),
  ...(schema.items ? listMembers(schema.items, `${path}/0`) : []),
  ...(schema.anyOf ?? []).flatMap((each) => listMembers(each, path)),
];

const isListSchema = ({ type, anyOf = [] }: Schema): boolean => type === 'array' || anyOf.some(isListSchema);

/** Every member of a request body that names a resource, derived from the rows: a new one is swept automatically. */
export const NAMING_MEMBERS: readonly NamingMember[] = EVERY_ROW.flatMap(([operation, { body }]) => {
  const members = new Map(listMembers((body ?? {}) as Schema).map((each) => [each.pointer, each]));
  return FILTERS.has(operation) ? [] : [...members.values()].map((each) => ({ operation, ...each }));
}).filter(({ pointer }) => !(pointer in NAMES_NOTHING));

type Named = (of: Organization) => string | undefined;

/** Targets of members that are not called like a noun, or that no path names. */
const NAMED: Readonly<Record<string, Named>> = {
  workspace_id: ({ tenant }) => tenant.workspace_id,
  workspace_ids: ({ tenant }) => tenant.workspace_id,
  environment_id: ({ tenant }) => tenant.environment_id,
  organization_id: ({ tenant }) => tenant.organization_id,
  user_id: ({ tenant }) => tenant.user.id,
  owner_id: ({ tenant }) => tenant.user.id,
  break_glass_user_id: ({ tenant }) => tenant.user.id,
  default_role_id: ({ resources }) => resources.roleId,
  agent_id: ({ agent }) => agent.id,
  agentId: ({ agent }) => agent.id,
  agent_ids: ({ agent }) => agent.id,
  delegate_agent_id: ({ agent }) => agent.id,
  parent_id: ({ resources }) => resources.delegationId,
  version_id: ({ resources }) => resources.versionId,
  connection_id: ({ resources }) => resources.connectionId,
  request_id: ({ resources }) => resources.requestId,
  runtime_id: ({ resources }) => resources.runtimeId,
  provider_id: ({ resources }) => resources.trustProviderId,
};

/** Members called `id`, by the sibling that states the kind. */
const PLACES: Readonly<Record<string, Readonly<Record<string, Named>>>> = {
  scope: {
    ORGANIZATION: ({ tenant }) => tenant.organization_id,
    WORKSPACE: ({ tenant }) => tenant.workspace_id,
    ENVIRONMENT: ({ tenant }) => tenant.environment_id,
    AGENT: ({ agent }) => agent.id,
  },
  type: { USER: ({ tenant }) => tenant.user.id, AGENT: ({ agent }) => agent.id },
};

/** Members of an access request, with their types. */
const ACCESS: Readonly<Record<string, Naming>> = {
  '/subject/id': { id: ({ agent }) => agent.id, beside: { type: 'agent' } },
  '/subjects/0/id': { id: ({ agent }) => agent.id, beside: { type: 'agent' } },
  '/resource/id': { id: ({ resources }) => resources.toolId, beside: { type: 'tool' } },
};

/** An id, and the siblings that it requires. */
export type Naming = { readonly id: Named; readonly beside: Readonly<Record<string, string>> };

/** Returns the ways in which a member can name a resource. Throws for a member without an entry. No invariant belongs to an agent. */
export const listNamings = ({ operation, pointer }: NamingMember): readonly Naming[] => {
  const name = pointer.split('/').at(-1) ?? '';
  const access = ACCESS[pointer];
  if (access !== undefined) return [access];
  if (name === 'id') {
    const kind = pointer === '/delegator/id' ? 'type' : 'scope';
    const isOfAgent = (word: string): boolean => word === 'AGENT' && operation.endsWith('Invariant');
    return Object.entries(PLACES[kind] ?? {})
      .filter(([word]) => !isOfAgent(word))
      .map(([word, id]) => ({ id, beside: { [kind]: word } }));
  }
  const named = NAMED[name];
  const parameter = findParameterNamed(name);
  if (named !== undefined) return [{ id: named, beside: {} }];
  if (parameter !== undefined) return [{ id: ({ resources }) => resources[parameter], beside: {} }];
  throw new Error(`${pointer} of ${operation} names no noun and is in neither table of what bodies name`);
};
