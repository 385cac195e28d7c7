import { readFailure } from '@svc/client/errors.ts';
import { listItems, nextPageQuery } from '@svc/client/list-all.ts';
import { bearerTransport } from '@svc/client/transports/bearer.ts';
import { readSource } from '../calls/read-value.ts';
import { getUsageError } from '../exit-codes.ts';
import { parseJson } from '../files/json-file.ts';
import { printResult } from '../output/print.ts';
import type { RunCommand } from '../session/hand-command.ts';
import { readTimeout } from '../session/read-timeout.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const PAGES_MAX = 1_000;
const TIMEOUT_MS = 30_000;

const readPairs = (value: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries(
    (Array.isArray(value) ? value : []).map((pair) => {
      const [name = '', ...rest] = String(pair).split('=');
      return [name, rest.join('=')];
    }),
  );

/** The path of a request on the plane itself: another address would get the credential. */
const checkPath = (path: string): string => {
  if (!path.startsWith('/') || path.startsWith('//')) throw getUsageError('The path begins with one "/", such as /v1/agents.');
  return path;
};

export const callApi: RunCommand = async (cli, [given = '', path = ''], options) => {
  const method = given.toUpperCase();
  if (!METHODS.includes(method)) throw getUsageError(`"${given}" is not a method.`, `Use one of: ${METHODS.join(', ')}.`);
  const { url, token } = await cli.connect();
  const transport = bearerTransport({ url, ...(token === undefined ? {} : { token }) });
  const body = typeof options.body === 'string' ? JSON.stringify(parseJson(await readSource(cli.io, options.body), '--body')) : undefined;
  const headers = {
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(cli.options.idempotencyKey === undefined ? {} : { 'idempotency-key': cli.options.idempotencyKey }),
  };
  const signal = AbortSignal.timeout(readTimeout(cli.options.timeout) ?? TIMEOUT_MS);
  const send = async (query: object): Promise<Response> => {
    const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
    const response = await transport.send({
      method,
      path: `${checkPath(path)}${search.size > 0 ? `?${search}` : ''}`,
      headers,
      signal,
      ...(body === undefined ? {} : { body }),
    });
    if (!response.ok) throw await readFailure(response);
    return response;
  };
  const items: unknown[] = [];
  let query: object | undefined = readPairs(options.query);
  for (let page = 0; query !== undefined && page < PAGES_MAX; page += 1) {
    const response: Response = await send(query);
    const text = await response.text();
    if (!/json/.test(response.headers.get('content-type') ?? '')) {
      cli.io.stdout.write(text);
      return;
    }
    const answer: unknown = text === '' ? null : JSON.parse(text);
    if (options.paginate !== true) {
      printResult(cli, answer, () => cli.io.out(JSON.stringify(answer, undefined, cli.io.table ? 2 : undefined)));
      return;
    }
    items.push(...listItems(answer));
    query = nextPageQuery(answer, response.headers, query);
  }
  printResult(cli, items, () => cli.io.out(JSON.stringify(items)));
};
