import { endpoint } from '../rows/endpoint.ts';
import { objectCalled } from '../rows/schema.ts';

const base = { plane: 'control', area: 'people', credential: 'directory', budget: 'directory', wire: 'scim' } as const;
const listResult = objectCalled('ScimListResponse');

/** What a directory reads about this service before it provisions (RFC 7644, section 4). */
export const scimDiscoveryEndpoints = {
  getScimServiceProviderConfig: endpoint({
    ...base,
    method: 'GET',
    path: '/scim/v2/ServiceProviderConfig',
    summary: 'Get the supported SCIM features.',
    result: objectCalled('ScimServiceProviderConfig'),
    emits: [],
    refuses: [],
  }),
  listScimResourceTypes: endpoint({
    ...base,
    method: 'GET',
    path: '/scim/v2/ResourceTypes',
    summary: 'List the resource types.',
    result: listResult,
    emits: [],
    refuses: [],
  }),
  getScimResourceType: endpoint({
    ...base,
    method: 'GET',
    path: '/scim/v2/ResourceTypes/{resourceTypeName}',
    summary: 'Get a resource type.',
    result: objectCalled('ScimResourceType'),
    emits: [],
    refuses: ['NOT_FOUND'],
  }),
  getScimSchema: endpoint({
    ...base,
    method: 'GET',
    path: '/scim/v2/Schemas/{schemaUrn}',
    summary: 'Get a schema by its URN.',
    result: objectCalled('ScimSchema'),
    emits: [],
    refuses: ['NOT_FOUND'],
  }),
  listScimSchemas: endpoint({
    ...base,
    method: 'GET',
    path: '/scim/v2/Schemas',
    summary: 'List the schemas of resources.',
    result: listResult,
    emits: [],
    refuses: [],
  }),
};
