import { type Static, Type } from 'typebox';
import { defineEndpoint } from '../rows/endpoint.ts';
import { closedObject, enumSchema, reason } from '../rows/schema.ts';
import { LIMITS } from '../tables/limits.ts';
import { onTool } from './tools.ts';

/** Methods that a proxy can ask about. */
export const ROUTE_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

const { routesPerToolMax, routePathCharsMax, mappingCharsMax } = LIMITS.routes;

export const ToolRoute = closedObject({
  mapping: Type.String({
    minLength: 1,
    maxLength: mappingCharsMax,
    pattern: '^[a-z0-9]+(-[a-z0-9]+)*$',
    examples: ['orders-api'],
    description: 'Name of the API at the proxy: the last part of the address that the proxy asks.',
  }),
  method: enumSchema(ROUTE_METHODS),
  path: Type.String({
    minLength: 1,
    maxLength: routePathCharsMax,
    pattern: '^/',
    examples: ['/orders/{order}'],
    description: 'Path of the request. A segment {name} is a parameter. A trailing slash is part of the path.',
  }),
});
export type ToolRoute = Static<typeof ToolRoute>;

const routes = Type.Array(ToolRoute, {
  maxItems: routesPerToolMax,
  description: 'Requests that are decided as calls of the tool.',
});
export const ToolRoutes = closedObject({ routes });
export type ToolRoutes = Static<typeof ToolRoutes>;

export const toolRouteEndpoints = {
  getToolRoutes: defineEndpoint({
    ...onTool({
      method: 'GET',
      path: '/v1/tools/{toolId}/routes',
      summary: 'List the requests at a proxy that are decided as calls of a tool.',
      permissions: ['tool:read'],
    }),
    result: ToolRoutes,
    emits: [],
    refuses: ['NOT_FOUND'],
  }),
  setToolRoutes: defineEndpoint({
    ...onTool({
      method: 'PUT',
      path: '/v1/tools/{toolId}/routes',
      summary:
        'Set the requests at a proxy that are decided as calls of a tool of kind SDK. Two tools of an environment cannot have the same route.',
      permissions: ['tool:update'],
    }),
    body: closedObject({ routes, reason }),
    example: { routes: [{ mapping: 'orders-api', method: 'GET', path: '/orders/{order}' }], reason: 'Orders go through the proxy.' },
    result: ToolRoutes,
    emits: ['tool.updated'],
    refuses: ['NOT_FOUND', 'VALIDATION_FAILED', 'ALREADY_EXISTS', 'UNPROCESSABLE'],
    automation: { members: { routes: 'PERSON' } },
  }),
};
