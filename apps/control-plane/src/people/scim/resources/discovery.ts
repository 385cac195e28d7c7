import { LIMITS } from '@svc/contract/tables/limits.ts';
import SCIMMY from 'scimmy';
import { GROUP_SCHEMA, USER_SCHEMA } from './format-resources.ts';

type Told = Readonly<Record<string, unknown>>;

const asList = (items: readonly Told[]): Told => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
  totalResults: items.length,
  startIndex: 1,
  itemsPerPage: items.length,
  Resources: items,
});

/** Returns which parts of SCIM are supported (RFC 7643, section 5). */
export const getProviderConfig = (base: string): Told => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: LIMITS.scim.pageMax },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: false },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Bearer token',
      description: 'The token that an administrator of the organization makes.',
      primary: true,
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
});

const getType = (name: string, schema: string, base: string): Told => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
  id: name,
  name,
  endpoint: `/${name}s`,
  schema,
  meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${name}` },
});

const listTypes = (base: string): readonly Told[] => [getType('User', USER_SCHEMA, base), getType('Group', GROUP_SCHEMA, base)];

const listSchemas = (base: string): readonly Told[] =>
  [SCIMMY.Schemas.User, SCIMMY.Schemas.Group].map(
    (schema) => JSON.parse(JSON.stringify(schema.definition.describe(`${base}/Schemas`))) as Told,
  );

export const resourceTypes = (base: string): Told => asList(listTypes(base));

export const findResourceType = (base: string, name: string): Told | undefined => listTypes(base).find(({ id }) => id === name);

export const schemas = (base: string): Told => asList(listSchemas(base));

/** Finds a schema by its URN, which is not case-sensitive. */
export const findSchema = (base: string, urn: string): Told | undefined =>
  listSchemas(base).find(({ id }) => String(id).toLowerCase() === urn.toLowerCase());
