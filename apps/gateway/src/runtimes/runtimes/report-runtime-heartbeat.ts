import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { randomHex } from '@svc/keyring/bytes/random-hex.ts';
import { reportHeartbeat } from '@svc/operations/runtimes/runtimes/report-heartbeat.ts';
import type { GatewayDeps } from '../../deps.ts';

const NONCE_BYTES = 16;

export const reportRuntimeHeartbeat: Handler<Endpoints['reportRuntimeHeartbeat'], GatewayDeps> = (call) => {
  const { organizationId, agentId } = call.agent;
  const caller = { organizationId, agentId, runtimeId: call.params.runtimeId, now: call.now };
  return call.change((change) => reportHeartbeat(change, caller, call.body, randomHex(NONCE_BYTES)));
};
