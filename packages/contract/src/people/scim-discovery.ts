import { defineEndpoint } from '../rows/endpoint.ts';
import { namedObject } from '../rows/schema.ts';

const base = { plane: 'control', area: 'people', credential: 'directory', budget: 'directory', wire: 'scim' } as const;
const listResult = namedObject('ScimListResponse');

/** SCIM discovery documents that a directory reads before it provisions (RFC 7644, section 4). */
export const scimDiscoveryEndpoints = {
  getScimServiceProviderConfig: defineEndpoint({
    ...base,
    method: 'GET',
    path: '/scim/v2/ServiceProviderConfig',
    summary: 'Get the supported SCIM features.',
    result: namedObject('ScimServiceProviderConfig'),
    emits: [],
    refuses: [],
  }),
  listScimResourceTypes: defineEndpoint({
    ...base,
    method: 'GET',
    path: '/scim/v2/ResourceTypes',
    summary: 'List the resource types.',
    result: listResult,
    emits: [],
    refuses: [],
  }),
  getScimResourceType: defineEndpoint({
    ...base,
    method: 'GET',
    path: '/scim/v2/ResourceTypes/{resourceTypeName}',
    summary: 'Get a resource type.',
    result: namedObject('ScimResourceType'),
    emits: [],
    refuses: ['NOT_FOUND'],
  }),
  getScimSchema: defineEndpoint({
    ...base,
    method: 'GET',
    path: '/scim/v2/Schemas/{schemaUrn}',
    summary: 'Get a schema by its URN.',
    result: namedObject('ScimSchema'),
    emits: [],
    refuses: ['NOT_FOUND'],
  }),
  listScimSchemas: defineEndpoint({
    ...base,
    method: 'GET',
    path: '/scim/v2/Schemas',
    summary: 'List the schemas of resources.',
    result: listResult,
    emits: [],
    refuses: [],
  }),
};
