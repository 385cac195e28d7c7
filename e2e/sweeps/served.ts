import { call } from '@svc/testing/people/client.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';

type Schema = { readonly type?: string; readonly enum?: readonly unknown[]; readonly format?: string };
type Parameter = { readonly name: string; readonly in: string; readonly schema: Schema };

/** An operation as a served document tells it. */
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

/** Every operation of the OpenAPI documents that both planes serve. */
export const servedOperations = async ({ controlUrl, gatewayUrl }: Planes): Promise<Served[]> => {
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

/** So many at once keep both cores busy and nobody waiting. */
const AT_ONCE = 12;

/** Each of them, some at a time. */
export const forEach = async <Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> => {
  const left = items.values();
  const workers = Array.from({ length: AT_ONCE }, async () => {
    for (const item of left) await work(item);
  });
  await Promise.all(workers);
};
