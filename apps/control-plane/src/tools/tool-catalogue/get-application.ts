import { describeApplication } from '@svc/catalogue/describe-application.ts';
import { findApplication } from '@svc/catalogue/read-applications.ts';
import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import type { ToolsDeps } from '../deps.ts';

export const getApplication: Handler<Endpoints['getApplication'], ToolsDeps> = async (call) => {
  const entry = findApplication(call.params.application);
  return entry ? describeApplication(entry) : call.refuse('NOT_FOUND');
};
