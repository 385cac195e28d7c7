import type { EventActor } from '@svc/postgres/change/change.ts';
import type { TenantScope } from '@svc/postgres/connection/in-tenant.ts';

/** The user, API key or program that changes something, its scope, and the time of its request. */
export type CallContext = { readonly scope: TenantScope; readonly actor: EventActor; readonly now: Date };
