import { Type } from 'typebox';
import { defineEndpoint } from '../rows/endpoint.ts';
import { closedObject } from '../rows/schema.ts';
import { open } from './health.ts';

export const infoEndpoints = {
  listErrorCodes: defineEndpoint({
    ...open({
      plane: 'control',
      area: 'service',
      path: '/v1/meta/error-codes',
      summary: 'List all error codes with status, retry class and remedy.',
      refuses: [],
    }),
    result: Type.Array(
      closedObject({
        code: Type.String(),
        status: Type.Integer(),
        retry: Type.String(),
        message: Type.String(),
        when: Type.String(),
        remedy: Type.String(),
        docs_url: Type.String({ description: 'Page that explains the code, on either plane.' }),
      }),
    ),
  }),
  listEventTypes: defineEndpoint({
    ...open({
      plane: 'control',
      area: 'service',
      path: '/v1/meta/event-types',
      summary: 'List all event types, and those for webhooks.',
      refuses: [],
    }),
    result: closedObject({
      all: Type.Array(Type.String(), { description: 'All event types that the service emits.' }),
      webhook_subscribable: Type.Array(Type.String()),
      added: Type.Array(Type.String(), {
        description: 'Types in `all` that are not part of the published interface. Webhooks cannot subscribe to them.',
      }),
      waiting: Type.Record(Type.String(), Type.String(), {
        description: 'Types that are not emitted yet, each with the feature that it depends on.',
      }),
    }),
  }),
  getInfo: defineEndpoint({
    plane: 'control',
    area: 'service',
    method: 'GET',
    path: '/v1/meta/info',
    summary: 'Get the version and both public URLs.',
    credential: 'caller',
    budget: 'caller',
    permissions: { none: 'the address of the service is public' },
    wire: 'json',
    result: closedObject({ version: Type.String(), base_url: Type.String(), gateway_url: Type.String() }),
    emits: [],
    refuses: [],
  }),
};
