import type { Endpoints } from '@svc/contract/endpoints.ts';
import { buildRefusal, isRefusal } from '@svc/contract/rows/refusal.ts';
import { accessDecision } from '@svc/domain/actions/access/access-decision.ts';
import { matchRoute, type RouteMatch } from '@svc/domain/tools/routes/match-route.ts';
import type { RequestTarget } from '@svc/domain/tools/routes/request-target.ts';
import type { Command } from '@svc/enforcement/facts/decision-request.ts';
import type { EnvironmentSnapshot, ToolSnapshot } from '@svc/enforcement/facts/snapshots.ts';
import { buildDecisionResponse, type GovernAnswer } from '@svc/enforcement/govern/answer.ts';
import { govern } from '@svc/enforcement/govern/govern.ts';
import { loadSnapshots } from '@svc/enforcement/ports/gather-facts.ts';
import { type Current, loadCurrent } from '@svc/enforcement/ports/load-current.ts';
import type { Call, Handler } from '@svc/http/calls/call.ts';
import type { GatewayDeps } from '../../deps.ts';
import { type ProxiedRequest, readProxiedRequest } from './proxied/read-proxied-request.ts';

type ProxyCall = Call<Endpoints['authorizeProxiedRequest']>;

/** Routes changed while a request was decided, so often at most. */
const ROUTED_MAX = 4;
const NAME_CHARS_MAX = 100;
const DELEGATION_HEADER = 'svc-delegation-id';

const findTool = ({ tools }: EnvironmentSnapshot, mapping: string, { method, segments }: ProxiedRequest): RouteMatch<ToolSnapshot> =>
  matchRoute(
    [...new Set(tools.values())].filter(({ kind }) => kind === 'SDK'),
    { mapping, method, segments },
  );

/** Name under which a request that matches no route is recorded. No tool can have it. */
const unroutedName = (mapping: string, { method, segments }: ProxiedRequest): string =>
  `${mapping}: ${method} /${segments.join('/')}`.slice(0, NAME_CHARS_MAX).toWellFormed();

const newParameters = (request: ProxiedRequest, path: Readonly<Record<string, string>>) => {
  const query: RequestTarget['query'] = request.query;
  return {
    method: request.method,
    path,
    query,
    ...(request.body === undefined ? {} : { body: request.body }),
  };
};

const newCommand = (call: ProxyCall, deps: GatewayDeps, request: ProxiedRequest, match: RouteMatch<ToolSnapshot>): Command => {
  const { agent } = call;
  const parameters = newParameters(request, 'tool' in match ? match.parameters : {});
  const parametersJson = JSON.stringify(parameters);
  const delegationId = call.header(DELEGATION_HEADER);
  return {
    askedBy: 'act',
    organizationId: agent.organizationId,
    agentId: agent.agentId,
    principal: { type: 'AGENT', id: agent.agentId, name: null },
    session: { id: agent.sessionId, generation: agent.generation, series: agent.sessionSeries, context: agent.context },
    source: { ip: call.sourceIp, sdk_name: agent.sdkName ?? undefined },
    request: {
      tool: 'tool' in match ? match.tool.name : unroutedName(call.params.mapping, request),
      parameters,
      ...(delegationId === undefined ? {} : { delegation_id: delegationId }),
    },
    parametersJson,
    parametersBytes: Buffer.byteLength(parametersJson),
    requestId: call.requestId,
    traceId: call.traceId,
    idempotency: null,
    onCall: call.onCall,
    inTurn: call.inTurn,
    watcher: call.watcher,
    attach: deps.oneAtATime,
  };
};

const NONE = {
  NO_ROUTE: 'No tool has a route for this request.',
  AMBIGUOUS: 'More than one tool has a route for this request.',
} as const;

/** The answer to the proxy. It forwards the request only if the action may happen without a change of the request. */
const answer = (governed: GovernAnswer, match: RouteMatch<ToolSnapshot>, agentId: string) => {
  const decision = buildDecisionResponse(governed);
  const { decision: isPermitted, context } = accessDecision(decision, []);
  if (isPermitted) return { decision: true, context: { ...context, agent_id: agentId } };
  const reason = 'none' in match ? NONE[match.none] : String(context?.reason ?? decision.reason);
  return buildRefusal(governed.code ?? 'ACTION_BLOCKED', reason, { ...decision.details, decision });
};

/**
 * Decides a request that a proxy is about to forward. The route is looked up again after the decision was recorded, which compares epochs, so
 * that a request is never permitted by a route that was changed.
 */
export const authorizeProxiedRequest: Handler<Endpoints['authorizeProxiedRequest'], GatewayDeps> = async (call, deps) => {
  const { agent, params } = call;
  const request = readProxiedRequest(call);
  if (isRefusal(request)) return request;
  const load = () => loadSnapshots(deps.pipeline, { ...agent, requestId: call.requestId, traceId: call.traceId });
  // A request that was matched on an old snapshot would leave a record of its own.
  const current = await loadCurrent(deps.pipeline, call, agent.organizationId, agent.agentId);
  if (isRefusal(current)) return buildRefusal('IDENTITY_SERVICE_UNAVAILABLE');
  if (current === undefined) return buildRefusal('NOT_FOUND');
  let known: Current = current;
  for (let attempt = 0; attempt < ROUTED_MAX; attempt += 1) {
    const match = findTool(known.environment, params.mapping, request);
    const governed = await govern(deps.pipeline, newCommand(call, deps, request, match));
    if (isRefusal(governed)) return governed;
    if ('replayed' in governed) throw new Error('a request without idempotency key was replayed');
    const next = await load();
    if (isRefusal(next)) return next;
    const again = next.environment === known.environment ? match : findTool(next.environment, params.mapping, request);
    known = next;
    const isSame = 'tool' in match && 'tool' in again ? match.tool.id === again.tool.id : !('tool' in match) && !('tool' in again);
    if (isSame) return answer(governed, match, agent.agentId);
  }
  return buildRefusal('DEPENDENCY_UNAVAILABLE', 'The routes kept changing during the decision. Try again.');
};
