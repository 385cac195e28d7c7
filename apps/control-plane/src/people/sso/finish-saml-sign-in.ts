import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { getAcsUrl } from '@svc/operations/people/sso/addresses.ts';
import type { PeopleDeps } from '../deps.ts';
import { finishReturn } from './sign-in/finish-return.ts';

export const finishSamlSignIn: Handler<Endpoints['finishSamlSignIn'], PeopleDeps> = (call, deps) =>
  finishReturn(call, deps, getAcsUrl(deps.urls.base, call.params.connectionId));
