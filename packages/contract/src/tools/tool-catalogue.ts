import { type Static, Type } from 'typebox';
import { CREDENTIAL_SCHEMES } from '../credentials/credentials.ts';
import { defineEndpoint } from '../rows/endpoint.ts';
import { closedObject, collection, enumSchema, listQuery, nullable } from '../rows/schema.ts';
import { APPLICATION_CATEGORIES, CAPABILITIES, catalogueEntry } from './catalogue-entry.ts';
import { onTool } from './tools.ts';

/** Ways in which an application may receive its key. */
export const APPLICATION_SCHEMES = [...CREDENTIAL_SCHEMES, 'OAUTH'] as const;

const derived = {
  scheme: nullable(enumSchema(APPLICATION_SCHEMES, 'How the key is sent; OAUTH: as an access token that the service renews.')),
  capability: closedObject({
    kind: enumSchema(CAPABILITIES, 'ALL: every known action is performed by the service. NOT_AVAILABLE: none is.'),
    actions: Type.Integer({ description: 'Actions that the service performs.' }),
    of: Type.Integer({ description: 'Known actions, including those that only the automation platform performs.' }),
  }),
};

export const ListedApplication = closedObject({
  key: catalogueEntry.key,
  version: catalogueEntry.version,
  name: catalogueEntry.name,
  category: catalogueEntry.category,
  summary: catalogueEntry.summary,
  automation: catalogueEntry.automation,
  ...derived,
});
export type ListedApplication = Static<typeof ListedApplication>;

export const Application = closedObject({ ...catalogueEntry, ...derived });
export type Application = Static<typeof Application>;

export const toolCatalogueEndpoints = {
  listApplications: defineEndpoint({
    ...onTool({
      method: 'GET',
      path: '/v1/tool-catalogue',
      summary: 'Search the catalogue of applications whose actions can become tools.',
      permissions: ['integration:read'],
    }),
    query: closedObject({
      ...listQuery.properties,
      q: Type.Optional(Type.String({ maxLength: 120, description: 'Beginnings of words of the application or its actions.' })),
      category: Type.Optional(enumSchema(APPLICATION_CATEGORIES)),
      scheme: Type.Optional(enumSchema(APPLICATION_SCHEMES)),
      capability: Type.Optional(enumSchema(CAPABILITIES, 'Default: ALL and SOME, and without a restriction if q is sent.')),
    }),
    result: collection(ListedApplication),
    emits: [],
    refuses: [],
  }),
  getApplication: defineEndpoint({
    ...onTool({
      method: 'GET',
      path: '/v1/tool-catalogue/{application}',
      summary: 'Get an application of the catalogue with its actions and the values to enter.',
      permissions: ['integration:read'],
    }),
    result: Application,
    emits: [],
    refuses: ['NOT_FOUND'],
  }),
};
