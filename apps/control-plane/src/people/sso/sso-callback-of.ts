import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { getCallbackUrl } from '@svc/operations/people/sso/callback-url.ts';
import type { PeopleDeps } from '../deps.ts';
import { finishReturn } from './sign-in/finish-return.ts';

export const ssoCallbackOf: Handler<Endpoints['ssoCallbackOf'], PeopleDeps> = (call, deps) =>
  finishReturn(call, deps, getCallbackUrl(deps.urls.base, call.params.connectionId));
