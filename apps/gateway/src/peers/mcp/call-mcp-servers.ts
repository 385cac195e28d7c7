import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler, HandlerResult } from '@svc/http/calls/call.ts';
import type { GatewayDeps } from '../../deps.ts';
import { answerMcp } from './answering/answer-mcp.ts';

type CallMcpServers = Endpoints['callMcpServers'];

export const callMcpServers: Handler<CallMcpServers, GatewayDeps> = (call, deps) =>
  answerMcp(call, deps, null) as Promise<HandlerResult<CallMcpServers>>;
