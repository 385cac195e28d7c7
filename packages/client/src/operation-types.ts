import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { BodyOf, Endpoint, ParamsOf, QueryOf, ResultOf } from '@svc/contract/rows/endpoint.ts';

type OperationOf<Row extends Endpoint> = {
  readonly params: ParamsOf<Row>;
  readonly query: QueryOf<Row>;
  readonly body: Row extends { readonly bodyOptional: true } ? BodyOf<Row> | undefined : BodyOf<Row>;
  readonly result: ResultOf<Row>;
};

/**
 * Path parameters, query, body and result of each operation, by name. Derived from the rows of the contract; the build replaces this file
 * with the same types written out, so that the published package needs nothing else of the project.
 */
export type OperationTypes = { readonly [Name in keyof Endpoints]: OperationOf<Endpoints[Name]> };
