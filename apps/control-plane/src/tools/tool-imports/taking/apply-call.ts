import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Call } from '@svc/http/calls/call.ts';

export type ApplyCall = Call<Endpoints['applyToolImport']>;
