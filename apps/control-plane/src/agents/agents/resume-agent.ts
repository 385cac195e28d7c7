import type { Endpoints } from '@svc/contract/endpoints.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { resumeAgent as resume } from '@svc/operations/agents/agents/resume-agent.ts';
import type { AgentsDeps } from '../deps.ts';

export const resumeAgent: Handler<Endpoints['resumeAgent'], AgentsDeps> = (call) =>
  call.change((change) =>
    resume(change, {
      ...asActing(call),
      body: call.body,
      agentId: call.params.agentId,
      holds: call.holds,
      steppedUpUntil: call.caller.steppedUpUntil,
    }),
  );
