import { formatCommandWords, isCommand, kebab } from '@svc/client/commands/command-words.ts';
import { OPERATIONS } from '@svc/client/operations.ts';
import type { ControlOperation } from './client.ts';

/** The input of an operation, without the options of its call. */
export type SentInput = {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
};

export type CallText = { readonly name: string; readonly code: string };

/** Quotes one argument for a POSIX shell; words that need no quotes are left as they are. */
export const quoteArgument = (text: string): string => (/^[\w.,:/@=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);

const isGiven = ([, value]: readonly [string, unknown]): boolean => value !== undefined && value !== '';

const fillPath = (path: string, params: SentInput['params'] = {}): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? `{${name}}`));

const queryText = (query: SentInput['query'] = {}): string => {
  const text = String(
    new URLSearchParams(
      Object.entries(query)
        .filter(isGiven)
        .map(([name, value]) => [name, String(value)]),
    ),
  );
  return text === '' ? '' : `?${text}`;
};

const curlText = (operation: ControlOperation, { params, query, body }: SentInput, origin: string): string => {
  const { method, path } = OPERATIONS[operation];
  const lines = [
    `curl${method === 'GET' ? '' : ` -X ${method}`} ${quoteArgument(`${origin}${fillPath(path, params)}${queryText(query)}`)}`,
    `  -H "authorization: Bearer $TOKEN"${body === undefined ? '' : " -H 'content-type: application/json'"}`,
    ...(body === undefined ? [] : [`  -d ${quoteArgument(JSON.stringify(body))}`]),
  ];
  return lines.join(' \\\n');
};

const flagText = ([member, value]: readonly [string, unknown]): string => {
  const flag = `--${kebab(member)}`;
  if (value === true) return flag;
  const isList = Array.isArray(value) && value.every((each) => typeof each === 'string' && !each.includes(','));
  if (isList) return `${flag} ${quoteArgument(value.join(','))}`;
  return `${flag} ${quoteArgument(typeof value === 'object' ? JSON.stringify(value) : String(value))}`;
};

const commandText = (operation: ControlOperation, { params = {}, query = {}, body = {} }: SentInput): string => {
  const { method, path } = OPERATIONS[operation];
  const members = [...Object.entries(query), ...Object.entries(body as object)].filter(isGiven);
  if (!isCommand(operation)) return `svc api ${method} ${quoteArgument(`${fillPath(path, params)}${queryText(query)}`)}`;
  return ['svc', ...formatCommandWords(operation), ...Object.values(params).map(quoteArgument), ...members.map(flagText)].join(' ');
};

const clientText = (operation: ControlOperation, { params, query, body }: SentInput): string => {
  const input = {
    ...(params === undefined ? {} : { params }),
    ...(query === undefined ? {} : { query }),
    ...(body === undefined ? {} : { body }),
  };
  return `await client.${operation}(${Object.keys(input).length === 0 ? '' : JSON.stringify(input, null, 2)});`;
};

/** One call of the control plane as a person types it: with curl, with the command line, and with the TypeScript client. */
export const callTexts = (operation: ControlOperation, input: SentInput, origin: string): readonly CallText[] => [
  { name: 'curl', code: curlText(operation, input, origin) },
  { name: 'svc', code: commandText(operation, input) },
  { name: 'TypeScript', code: clientText(operation, input) },
];

/** Several calls one after the other, in each of the languages. */
export const getSequenceTexts = (calls: readonly (readonly CallText[])[]): readonly CallText[] =>
  (calls[0] ?? []).map(({ name }) => ({
    name,
    code: calls.map((texts) => texts.find((each) => each.name === name)?.code ?? '').join('\n\n'),
  }));
