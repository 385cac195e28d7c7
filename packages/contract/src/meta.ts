import { Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { closed } from './schema.ts';

const health = closed({ status: Type.Literal('ok'), checks: Type.Record(Type.String(), Type.String()) });
const open = <const Rest extends object>(rest: Rest) => ({
  method: 'GET' as const,
  credential: 'none' as const,
  emits: [] as const,
  ...rest,
});

export const metaEndpoints = {
  listErrorCodes: endpoint({
    ...open({
      plane: 'control',
      area: 'meta',
      path: '/v1/meta/error-codes',
      summary: 'Every error code with its status, retry class and remedy.',
      refuses: [],
    }),
    result: Type.Array(
      closed({
        code: Type.String(),
        status: Type.Integer(),
        retry: Type.String(),
        message: Type.String(),
        when: Type.String(),
        remedy: Type.String(),
        docs_url: Type.String({ description: 'The code explained, on either plane.' }),
      }),
    ),
  }),
  listEventTypes: endpoint({
    ...open({
      plane: 'control',
      area: 'meta',
      path: '/v1/meta/event-types',
      summary: 'Every event type, and those a webhook can subscribe to.',
      refuses: [],
    }),
    result: closed({ all: Type.Array(Type.String()), webhook_subscribable: Type.Array(Type.String()) }),
  }),
  getInfo: endpoint({
    plane: 'control',
    area: 'meta',
    method: 'GET',
    path: '/v1/meta/info',
    summary: 'Version and both public URLs.',
    credential: 'caller',
    result: closed({ version: Type.String(), base_url: Type.String(), gateway_url: Type.String() }),
    emits: [],
    refuses: [],
  }),
  controlLive: endpoint({
    ...open({ plane: 'control', area: 'health', path: '/health/live', summary: 'The process answers.', refuses: [] }),
    result: health,
  }),
  controlReady: endpoint({
    ...open({
      plane: 'control',
      area: 'health',
      path: '/health/ready',
      summary: 'The process can serve: its database answers and their clocks agree, and Redis answers where it is set.',
      refuses: ['DEPENDENCY_UNAVAILABLE'],
    }),
    emergency: true,
    result: health,
  }),
  gatewayLive: endpoint({
    ...open({ plane: 'gateway', area: 'health', path: '/health/live', summary: 'The process answers.', refuses: [] }),
    result: health,
  }),
  gatewayReady: endpoint({
    ...open({
      plane: 'gateway',
      area: 'health',
      path: '/health/ready',
      summary: 'The process can serve: its database answers and their clocks agree, and Redis answers where it is set.',
      refuses: ['DEPENDENCY_UNAVAILABLE'],
    }),
    emergency: true,
    result: health,
  }),
};
