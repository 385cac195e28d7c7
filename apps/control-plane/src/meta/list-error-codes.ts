import type { ResultOf } from '@svc/contract/endpoint.ts';
import type { Endpoints } from '@svc/contract/endpoints.ts';
import { docsUrlOf, ERROR_CODES, ERRORS } from '@svc/contract/errors.ts';
import type { Handler } from '@svc/http/call.ts';
import { written } from '@svc/http/written.ts';
import type { ControlDeps } from '../deps.ts';

const table = written<ResultOf<Endpoints['listErrorCodes']>>(
  JSON.stringify(ERROR_CODES.map((code) => ({ code, ...ERRORS[code], docs_url: docsUrlOf(code) }))),
);

export const listErrorCodes: Handler<Endpoints['listErrorCodes'], ControlDeps> = () => table;
