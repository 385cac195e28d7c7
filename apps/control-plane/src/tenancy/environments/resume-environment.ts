import type { Endpoints } from '@svc/contract/endpoints.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { resumeEnvironment as resume } from '@svc/operations/tenancy/environments/resume-environment.ts';
import type { TenancyDeps } from '../deps.ts';

export const resumeEnvironment: Handler<Endpoints['resumeEnvironment'], TenancyDeps> = (call) => {
  return call.change((change) => resume(change, { ...asActing(call), environmentId: call.params.environmentId, body: call.body }));
};
