import { getUsageError } from '../exit-codes.ts';
import { isObject, parseJson } from '../files/json-file.ts';
import type { Cli } from '../session/cli.ts';
import type { CommandRow, FlagRow } from '../table/command-table.ts';
import { askSecret, askText } from '../terminal/ask.ts';
import { readBytes, readFlag, readSource } from './read-value.ts';
import { resolveId, resolveMember } from './resolve-name.ts';

/** One call, as the client takes it. */
export type CallInput = {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly workspaceId?: string;
  readonly environmentId?: string;
  readonly idempotencyKey?: string;
};

const camel = (flag: string): string => flag.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

type Options = Readonly<Record<string, unknown>>;

const readFlags = async (cli: Cli, flags: readonly FlagRow[], options: Options): Promise<Record<string, unknown>> => {
  const found: Record<string, unknown> = {};
  for (const row of flags) {
    const value = options[camel(row.flag)];
    if (value !== undefined) found[row.member] = await resolveMember(cli, row.member, await readFlag(cli.io, row, value));
  }
  return found;
};

const SCOPES: Readonly<Record<string, 'workspace' | 'environment'>> = { workspace_id: 'workspace', environment_id: 'environment' };

/** Fills required members that the scope of the command gives, such as environment_id. */
const fillScope = async (cli: Cli, row: CommandRow, body: Record<string, unknown>): Promise<void> => {
  for (const { member, place, required } of row.flags) {
    const scope = place === 'body' && required ? SCOPES[member] : undefined;
    const value = scope === undefined ? undefined : cli[scope];
    if (value !== undefined && body[member] === undefined) body[member] = await resolveMember(cli, member, value);
  }
};

const askMissing = async (cli: Cli, missing: readonly FlagRow[], body: Record<string, unknown>): Promise<void> => {
  if (!cli.io.interactive) {
    const names = missing.map(({ flag }) => `--${flag}`).join(', ');
    throw getUsageError(
      `${names} ${missing.length === 1 ? 'is' : 'are'} required.`,
      'Pass them as options, or the whole body with --body file.json (or --body -).',
    );
  }
  for (const row of missing) {
    if (row.kind === 'secret') body[row.member] = await askSecret(cli.io, row.description ?? row.member);
    else
      body[row.member] = await resolveMember(
        cli,
        row.member,
        await readFlag(cli.io, row, await askText(cli.io, `${row.flag}: ${row.description ?? ''}`)),
      );
  }
};

const readBody = async (cli: Cli, row: CommandRow, options: Options): Promise<unknown> => {
  if (row.wire === 'file') {
    if (typeof options.body !== 'string') throw getUsageError('--body is required: the file to upload, or "-" for standard input.');
    return readBytes(cli.io, options.body);
  }
  if (row.body === 'none') return undefined;
  const given = typeof options.body === 'string' ? parseJson(await readSource(cli.io, options.body), `--body ${options.body}`) : {};
  if (!isObject(given)) throw getUsageError('--body must hold a JSON object.');
  const flags = row.flags.filter(({ place }) => place === 'body');
  const body: Record<string, unknown> = { ...given, ...(await readFlags(cli, flags, options)) };
  await fillScope(cli, row, body);
  const missing = flags.filter(({ required, member }) => required && body[member] === undefined);
  if (missing.length > 0) await askMissing(cli, missing, body);
  return Object.keys(body).length === 0 && row.body === 'optional' ? undefined : body;
};

/** Reads arguments, flags, body and scope of a command into one call. */
export const readInput = async (cli: Cli, row: CommandRow, args: readonly string[], options: Options): Promise<CallInput> => {
  const params: Record<string, string> = {};
  for (const [index, { name }] of row.params.entries()) params[name] = await resolveId(cli, name, args[index] ?? '');
  const queryFlags = row.flags.filter(({ place }) => place === 'query');
  const query = await readFlags(cli, queryFlags, options);
  const missing = queryFlags.filter(({ required, member }) => required && query[member] === undefined);
  if (missing.length > 0) await askMissing(cli, missing, query);
  const body = await readBody(cli, row, options);
  const { idempotencyKey } = cli.options;
  return {
    params,
    query,
    ...(body === undefined ? {} : { body }),
    ...(cli.workspace === undefined ? {} : { workspaceId: await resolveId(cli, 'workspaceId', cli.workspace) }),
    ...(cli.environment === undefined ? {} : { environmentId: await resolveId(cli, 'environmentId', cli.environment) }),
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
  };
};
