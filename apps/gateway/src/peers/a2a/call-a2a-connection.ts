import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler, HandlerResult } from '@svc/http/calls/call.ts';
import type { GatewayDeps } from '../../deps.ts';
import { answerA2a } from './answering/answer-a2a.ts';

type CallA2aConnection = Endpoints['callA2aConnection'];

export const callA2aConnection: Handler<CallA2aConnection, GatewayDeps> = (call, deps) =>
  answerA2a(call, deps) as Promise<HandlerResult<CallA2aConnection>>;
