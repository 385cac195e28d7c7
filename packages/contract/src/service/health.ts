import { Type } from 'typebox';
import { endpoint } from '../rows/endpoint.ts';
import { closed } from '../rows/schema.ts';

const health = closed({ status: Type.Literal('ok'), checks: Type.Record(Type.String(), Type.String()) });
export const open = <const Rest extends object>(rest: Rest) => ({
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
  area: 'service' as const,
  budget: { none: 'monitoring must get a response independent of other requests from its address' } as const,
  emergency: true as const,
  result: health,
});

export const healthEndpoints = {
  controlLive: endpoint(watched({ plane: 'control', path: '/health/live', summary: LIVE, refuses: [] })),
  controlReady: endpoint(watched({ plane: 'control', path: '/health/ready', summary: READY, refuses: ['DEPENDENCY_UNAVAILABLE'] })),
  gatewayLive: endpoint(watched({ plane: 'gateway', path: '/health/live', summary: LIVE, refuses: [] })),
  gatewayReady: endpoint(watched({ plane: 'gateway', path: '/health/ready', summary: READY, refuses: ['DEPENDENCY_UNAVAILABLE'] })),
};
