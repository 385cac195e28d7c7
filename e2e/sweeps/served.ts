import { call } from '@svc/testing/people/client.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';

type Schema = { readonly type?: string; readonly enum?: readonly unknown[]; readonly format?: string };
type Parameter = { readonly name: string; readonly in: string; readonly schema: Schema };

/** An operation in a served document. */
export type Served = {
  readonly plane: 'control' | 'gateway';
  readonly base: string;
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly hasBody: boolean;
  readonly query: readonly Parameter[];
  readonly takesKey: boolean;
};

type Told = { readonly operationId: string; readonly requestBody?: object; readonly parameters?: readonly Parameter[] };

/** Returns every operation of the OpenAPI documents of both planes. */
export const listServedOperations = async ({ controlUrl, gatewayUrl }: Planes): Promise<Served[]> => {
  const of = async (plane: Served['plane'], base: string): Promise<Served[]> => {
    const { paths } = (await call(base, 'GET', '/openapi.json')).json as { paths: Record<string, Record<string, Told>> };
    return Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId, requestBody, parameters = [] }]) => ({
        ...{ plane, base, path, name: operationId, method: method.toUpperCase(), hasBody: requestBody !== undefined },
        query: parameters.filter((parameter) => parameter.in === 'query'),
        takesKey: parameters.some((parameter) => parameter.name === 'Idempotency-Key'),
      })),
    );
  };
  return [...(await of('control', controlUrl)), ...(await of('gateway', gatewayUrl))];
};

/** Concurrency that keeps both cores busy without queueing. */
const AT_ONCE = 12;

/** Runs work for each item, some concurrently. */
export const runForEach = async <Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> => {
  const left = items.values();
  const workers = Array.from({ length: AT_ONCE }, async () => {
    for (const item of left) await work(item);
  });
  await Promise.all(workers);
};
