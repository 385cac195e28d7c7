import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler, HandlerResult } from '@svc/http/calls/call.ts';
import type { GatewayDeps } from '../../deps.ts';
import { answerPeer } from './inbound/answer-peer.ts';

type CallAgent = Endpoints['callAgent'];

export const callAgent: Handler<CallAgent, GatewayDeps> = (call, deps) => answerPeer(call, deps) as Promise<HandlerResult<CallAgent>>;
