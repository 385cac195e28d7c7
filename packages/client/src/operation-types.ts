import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Endpoint, EndpointBody, EndpointQuery, EndpointResult, ParamsOf } from '@svc/contract/rows/endpoint.ts';

type OperationOf<Row extends Endpoint> = {
  readonly params: ParamsOf<Row>;
  readonly query: EndpointQuery<Row>;
  readonly body: Row extends { readonly bodyOptional: true } ? EndpointBody<Row> | undefined : EndpointBody<Row>;
  readonly result: EndpointResult<Row>;
};

/**
 * Path parameters, query, body and result of each operation, by name. Derived from the rows of the contract; the build replaces this file
 * with the same types written out, so that the published package needs nothing else of the project.
 */
export type OperationTypes = { readonly [Name in keyof Endpoints]: OperationOf<Endpoints[Name]> };
