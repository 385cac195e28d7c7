import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { EndpointResult } from '@svc/contract/rows/endpoint.ts';
import { ERROR_CODES, ERRORS, getDocsUrl } from '@svc/contract/tables/errors.ts';
import { serializeResponse } from '@svc/http/answers/written.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import type { ServiceDeps } from '../deps.ts';

const table = serializeResponse<EndpointResult<Endpoints['listErrorCodes']>>(
  JSON.stringify(
    ERROR_CODES.map((code) => {
      const { status, retry, message, when, remedy } = ERRORS[code];
      return { code, status, retry, message, when, remedy, docs_url: getDocsUrl(code) };
    }),
  ),
);

export const listErrorCodes: Handler<Endpoints['listErrorCodes'], ServiceDeps> = () => table;
