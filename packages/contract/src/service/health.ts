import { Type } from 'typebox';
import { defineEndpoint } from '../rows/endpoint.ts';
import { closedObject } from '../rows/schema.ts';

const health = closedObject({ status: Type.Literal('ok'), checks: Type.Record(Type.String(), Type.String()) });
export const open = <const Rest extends object>(rest: Rest) => ({
  method: 'GET' as const,
  credential: 'none' as const,
  budget: 'address' as const,
  wire: 'json' as const,
  emits: [] as const,
  ...rest,
});

const LIVE = 'Check whether the process responds.';
const READY =
  'Check whether the process can serve requests: its database responds, their clocks agree, and Redis, if configured, responds.';

/** Builds the row of a probe for process supervisors, which works in any situation and costs nothing. */
const watched = <const Rest extends object>(rest: Rest) => ({
  ...open(rest),
  area: 'service' as const,
  budget: { none: 'monitoring must get a response independent of other requests from its address' } as const,
  emergency: true as const,
  result: health,
});

export const healthEndpoints = {
  controlLive: defineEndpoint(watched({ plane: 'control', path: '/health/live', summary: LIVE, refuses: [] })),
  controlReady: defineEndpoint(watched({ plane: 'control', path: '/health/ready', summary: READY, refuses: ['DEPENDENCY_UNAVAILABLE'] })),
  gatewayLive: defineEndpoint(watched({ plane: 'gateway', path: '/health/live', summary: LIVE, refuses: [] })),
  gatewayReady: defineEndpoint(watched({ plane: 'gateway', path: '/health/ready', summary: READY, refuses: ['DEPENDENCY_UNAVAILABLE'] })),
};
