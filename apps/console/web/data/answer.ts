import type { ServiceError } from '@svc/client/errors.ts';

export type ApiError = ServiceError;
/** The result of a request, or why there is none. */
export type ApiAnswer<Body> = { readonly ok: true; readonly body: Body } | { readonly ok: false; readonly error: ServiceError };
