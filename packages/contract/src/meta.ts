import { Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { closed } from './schema.ts';

const health = closed({ status: Type.Literal('ok'), checks: Type.Record(Type.String(), Type.String()) });
const open = <const Rest extends object>(rest: Rest) => ({
  method: 'GET' as const,
  credential: 'none' as const,
  budget: 'address' as const,
  wire: 'json' as const,
  emits: [] as const,
  ...rest,
});

const LIVE = 'The process answers.';
const READY = 'The process can serve: its database answers and their clocks agree, and Redis answers where it is set.';

/** Asked by whoever watches over the process, whatever else goes on; answered without any work. */
const watched = <const Rest extends object>(rest: Rest) => ({
  ...open(rest),
  area: 'health' as const,
  budget: { none: 'whoever watches over the service has to be told how it is, however often it asks' } as const,
  emergency: true as const,
  result: health,
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
    budget: 'caller',
    permissions: { none: 'the address of the service is no secret from whoever uses it' },
    wire: 'json',
    result: closed({ version: Type.String(), base_url: Type.String(), gateway_url: Type.String() }),
    emits: [],
    refuses: [],
  }),
  controlLive: endpoint(watched({ plane: 'control', path: '/health/live', summary: LIVE, refuses: [] })),
  controlReady: endpoint(watched({ plane: 'control', path: '/health/ready', summary: READY, refuses: ['DEPENDENCY_UNAVAILABLE'] })),
  gatewayLive: endpoint(watched({ plane: 'gateway', path: '/health/live', summary: LIVE, refuses: [] })),
  gatewayReady: endpoint(watched({ plane: 'gateway', path: '/health/ready', summary: READY, refuses: ['DEPENDENCY_UNAVAILABLE'] })),
};
