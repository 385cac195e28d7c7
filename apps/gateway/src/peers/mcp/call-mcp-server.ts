import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler, HandlerResult } from '@svc/http/calls/call.ts';
import type { GatewayDeps } from '../../deps.ts';
import { answerMcp } from './answering/answer-mcp.ts';

type CallMcpServer = Endpoints['callMcpServer'];

export const callMcpServer: Handler<CallMcpServer, GatewayDeps> = (call, deps) =>
  answerMcp(call, deps, call.params.serverId) as Promise<HandlerResult<CallMcpServer>>;
