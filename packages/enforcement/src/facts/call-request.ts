import type { ExecutionRequest } from '@svc/domain/tools/request/execution-request.ts';

/** The kinds of calls, each with its request. */
export type CallRequests = { readonly http: ExecutionRequest };
export type CallKind = keyof CallRequests;

/** A request that is made for an action, by kind. */
export type CallRequest<Kind extends CallKind = CallKind> = { [Each in Kind]: { readonly kind: Each } & CallRequests[Each] }[Kind];
