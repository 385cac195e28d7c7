import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { CallOutcome, OperationName } from '@svc/client/client.ts';
import { listItems, nextPageQuery } from '@svc/client/list-all.ts';
import { isObject } from '../files/json-file.ts';
import { printResult } from '../output/print.ts';
import type { Cli, CliConnection } from '../session/cli.ts';
import { refuseKey, withStepUp } from '../session/require-person.ts';
import type { CommandRow } from '../table/command-table.ts';
import { confirmDanger } from '../terminal/ask.ts';
import { type CallInput, readInput } from './read-input.ts';
import { buildCurlCommand, describePermission, formatPermissionLines } from './show-row.ts';

type Answered = { readonly body: unknown; readonly headers: Headers };

const LIST_ITEMS_MAX = 100_000;

/** Sends an operation that is known by its row. The table and the client come from the same rows. */
const send = async ({ client }: CliConnection, operation: OperationName, input: object): Promise<Answered> => {
  const request = client.request as (name: OperationName, given: object) => Promise<CallOutcome<unknown>>;
  const outcome = await request(operation, input);
  if (!outcome.ok) throw outcome.error;
  return { body: outcome.body, headers: outcome.headers };
};

/** Every item of a list, over all its pages. */
const sendAll = async (connection: CliConnection, operation: OperationName, input: CallInput): Promise<readonly unknown[]> => {
  const items: unknown[] = [];
  let query: object | undefined = input.query;
  while (query !== undefined && items.length < LIST_ITEMS_MAX) {
    const { body, headers }: Answered = await send(connection, operation, { ...input, query });
    items.push(...listItems(body));
    query = nextPageQuery(body, headers, query);
  }
  return items;
};

const writeResponse = async (cli: Cli, response: Response, output: unknown): Promise<void> => {
  if (response.body === null) return;
  const target = typeof output === 'string' && output !== '-' ? createWriteStream(output, { mode: 0o600 }) : cli.io.stdout;
  await pipeline(Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0]), target, { end: target !== cli.io.stdout });
};

const SHOWN_ONCE = ['token', 'secret', 'private_key', 'signing_secret'];

const noteOnce = (cli: Cli, body: unknown): void => {
  const members = isObject(body) && isObject(body.data) ? body.data : body;
  const names = SHOWN_ONCE.filter((name) => isObject(members) && typeof members[name] === 'string');
  if (names.length > 0) cli.io.note(`Keep ${names.join(' and ')} now: it is not shown again.`);
};

const notePages = (cli: Cli, row: CommandRow, body: unknown, headers: Headers): void => {
  if (row.paging === 'none' || nextPageQuery(body, headers, {}) === undefined) return;
  cli.io.note(`There is more: add --all, or --limit for larger pages.`);
};

const subject = (row: CommandRow, args: readonly string[]): string => `svc ${[...row.words, ...args].join(' ')}?`;

/** Runs a command that is one operation: reads its input, asks where the row says so, sends it and prints the result. */
export const runRow = async (
  cli: Cli,
  row: CommandRow,
  args: readonly string[],
  options: Readonly<Record<string, unknown>>,
): Promise<void> => {
  if (cli.options.showPermission) {
    printResult(cli, describePermission(row), () => formatPermissionLines(row).forEach(cli.io.out));
    return;
  }
  if (cli.options.showCall) {
    const input = await readInput(cli, row, args, options);
    const curl = buildCurlCommand(cli, row, input);
    printResult(cli, { curl }, () => cli.io.out(curl));
    return;
  }
  const connection = await cli.connect();
  refuseKey(row, connection);
  const input = await readInput(cli, row, args, options);
  if (row.danger) await confirmDanger(cli.io, subject(row, args), cli.options.yes === true);
  if (options.all === true) {
    printResult(cli, await sendAll(connection, row.operation, input));
    return;
  }
  const { body, headers } = await withStepUp(cli, () => send(connection, row.operation, input));
  if (body instanceof Response) await writeResponse(cli, body, options.output);
  else printResult(cli, body ?? { done: true });
  if (!cli.json) {
    noteOnce(cli, body);
    notePages(cli, row, body, headers);
  }
};
