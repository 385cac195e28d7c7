import type { Endpoints } from '@svc/contract/endpoints.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { setAgentArtifacts as set } from '@svc/operations/risk/trust/set-agent-artifacts.ts';
import type { RiskDeps } from '../deps.ts';

export const setAgentArtifacts: Handler<Endpoints['setAgentArtifacts'], RiskDeps> = (call) =>
  call.change((change) => set(change, { ...asActing(call), agentId: call.params.agentId, digests: call.body.artifact_digests }));
