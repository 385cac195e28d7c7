import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import type { PeopleDeps } from '../deps.ts';
import { formatOnboarding } from './progress/tell-onboarding.ts';

export const getOnboarding: Handler<Endpoints['getOnboarding'], PeopleDeps> = (call, { urls }) =>
  readInTenant(call.database, call.scope, (tx) => formatOnboarding(tx, call, urls));
