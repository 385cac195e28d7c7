import { buildRefusal, type Refusal, refuseBody } from '@svc/contract/rows/refusal.ts';
import type { ToolRoute, ToolRoutes } from '@svc/contract/tools/tool-routes.ts';
import { routeFault, routeKey } from '@svc/domain/tools/routes/match-route.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { lockOtherRoutes, lockToolRoutes, putToolRoutes } from '@svc/postgres/tools/tool-routes.ts';
import type { CallContext } from '../../people/auth/acting.ts';

type RoutesRequest = CallContext & { readonly toolId: string; readonly routes: readonly ToolRoute[]; readonly reason: string };

const findRouteFault = (routes: readonly ToolRoute[]): Refusal<'VALIDATION_FAILED'> | undefined => {
  const keys = routes.map(routeKey);
  for (const [index, route] of routes.entries()) {
    const fault = routeFault(route);
    if (fault !== undefined) return refuseBody(`/routes/${index}/path`, fault);
    if (keys.indexOf(routeKey(route)) < index) return refuseBody(`/routes/${index}`, 'must differ from the routes before it');
  }
  return undefined;
};

/** Sets the requests at a proxy that are decided as calls of a tool. */
export const setToolRoutes = async (
  { tx, emit }: Change<'tool.updated'>,
  { scope, toolId, routes, reason, now }: RoutesRequest,
): Promise<ToolRoutes | Refusal<'NOT_FOUND' | 'VALIDATION_FAILED' | 'ALREADY_EXISTS' | 'UNPROCESSABLE'>> => {
  const { organization_id } = scope;
  const fault = findRouteFault(routes);
  if (fault) return fault;
  const tool = await lockToolRoutes(tx, organization_id, toolId);
  if (tool === undefined) return buildRefusal('NOT_FOUND');
  if (tool.kind !== 'SDK' && routes.length > 0)
    return buildRefusal('UNPROCESSABLE', 'Only a tool of kind SDK can have routes: the proxy sends the request itself after the decision.');
  const others = await lockOtherRoutes(tx, { organization_id, environment_id: tool.environment_id, id: tool.id });
  const keys = new Set(routes.map(routeKey));
  const other = others.find((each) => each.routes.some((route) => keys.has(routeKey(route))));
  if (other !== undefined) return buildRefusal('ALREADY_EXISTS', `The tool ${other.name} has one of these routes.`, { tool: other.name });
  await putToolRoutes(tx, organization_id, toolId, routes, now);
  emit('tool.updated', { ...about.tool(tool), data: { before: { routes: tool.routes }, after: { routes }, reason } });
  return { routes: [...routes] };
};
