import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import type { GatewayDeps } from '../../deps.ts';
import { findConnectedTool } from './answering/connected-tool.ts';

const MODES = ['text/plain', 'application/json'];

/** Returns the gateway's card for a connection. The card of the remote agent is never passed on: its signature covers another address. */
export const getA2aCard: Handler<Endpoints['getA2aCard'], GatewayDeps> = async (call, deps) => {
  const { a2aConnectionId } = call.params;
  const found = await findConnectedTool(deps, call.agent, a2aConnectionId);
  if (isRefusal(found)) return found;
  const { a2a } = found.tool;
  if (a2a.status !== 'VERIFIED') return call.refuse('A2A_CONNECTION_BLOCKED');
  const url = `${deps.tokenScope.audience}/gateway/v1/a2a/${a2aConnectionId}`;
  return {
    name: a2a.name,
    description: a2a.description === '' ? `The remote agent ${a2a.name}, through the gateway.` : a2a.description,
    version: '1.0.0',
    supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    capabilities: { streaming: a2a.streaming, pushNotifications: a2a.push_notifications },
    securitySchemes: { agent: { httpAuthSecurityScheme: { scheme: 'Bearer' } } },
    securityRequirements: [{ schemes: { agent: { list: [] } } }],
    defaultInputModes: MODES,
    defaultOutputModes: MODES,
    skills: [{ id: a2a.slug, name: a2a.name, description: a2a.description || a2a.name, tags: [a2a.slug] }],
  };
};
