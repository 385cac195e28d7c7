import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { loadCurrent } from '@svc/enforcement/ports/load-current.ts';
import { findInboundTool } from '../../../agents/identity/callers/authenticate-peer.ts';
import type { GatewayDeps } from '../../../deps.ts';
import type { A2aCall, A2aMessageRequest } from '../answering/decide-message.ts';

type Asked = Pick<A2aMessageRequest, 'caller' | 'tool'> & {
  readonly call: Pick<A2aCall, 'requestId' | 'traceId'>;
  readonly deps: GatewayDeps;
};

/** True if an inbound connection can be used now; read again if anything of its environment changed. */
export const isConnectionVerified = async ({ call, deps, caller, tool }: Asked): Promise<boolean> => {
  const current = await loadCurrent(deps.pipeline, call, caller.organizationId, caller.agentId);
  if (current === undefined || isRefusal(current)) return false;
  return findInboundTool(current, tool.a2a.connection_id)?.a2a.status === 'VERIFIED';
};
