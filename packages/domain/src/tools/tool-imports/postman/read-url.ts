import { startOf } from '@svc/policy/values/start-of.ts';
import type { DraftParameter, ImportOptions } from '../draft/proposal.ts';
import { lineOf, listOf, type Members, membersOf, textOf, unkeptIn } from '../draft/reading.ts';

export type Variables = ReadonlyMap<string, string>;
export type Collection = { readonly variables: Variables; readonly options: ImportOptions };
export type Names = (written: string, otherwise: string) => string;

export type ReadUrl =
  | { readonly url: string; readonly query: readonly Members[]; readonly parameters: readonly DraftParameter[] }
  | { readonly refused: string };

const VARIABLE = /\{\{([^{}]+)\}\}/g;
const ROUNDS_MAX = 5;

/** A text with the variables that the collection itself sets; others stay as they are. */
const filled = (text: string, variables: Variables): string => {
  let current = text;
  for (let round = 0; round < ROUNDS_MAX && current.length < 10_000; round += 1) {
    const next = current.replace(VARIABLE, (written, name: string) => variables.get(name.trim()) || written);
    if (next === current) break;
    current = next;
  }
  return current;
};

/** The address of a request as one text, however the collection writes it. */
export const rawOf = (url: unknown): string => {
  if (typeof url === 'string') return url;
  const { raw, protocol, host, path } = membersOf(url);
  if (typeof raw === 'string' && raw !== '') return raw;
  const joined = (value: unknown, mark: string): string =>
    Array.isArray(value) ? value.map((part) => textOf(part) || textOf(membersOf(part).value)).join(mark) : textOf(value);
  return `${textOf(protocol) || 'https'}://${joined(host, '.')}/${joined(path, '/')}`;
};

const pairsOf = (query: string): readonly Members[] =>
  query === ''
    ? []
    : query.split('&').map((pair) => ({ key: pair.split('=', 1)[0] ?? '', value: pair.slice((pair.split('=', 1)[0] ?? '').length + 1) }));

/** Where a request goes: up to its path, either by its own words or by the base that the caller names. */
const baseOf = (
  raw: string,
  { variables, options }: Collection,
): { readonly base: string; readonly path: string } | { readonly refused: string } => {
  const [start = ''] = /^(?:https?:\/\/)?(?:\{\{[^{}]*\}\}|[^/{}])*/.exec(raw) ?? [];
  const path = raw.slice(start.length);
  // What stands before the first / of it would be a part of the host.
  if (path !== '' && !path.startsWith('/'))
    return {
      refused:
        'Its address has a brace before the path, but the host of a tool is fixed. Write the host, or a collection variable in double braces.',
    };
  if (options.base_url !== undefined) return { base: options.base_url.replace(/(?<!\/)\/+$/, ''), path };
  const base = filled(start, variables);
  const unset = /\{\{([^{}]*)\}\}/.exec(base)?.[1];
  if (unset !== undefined)
    return { refused: `Its address uses the variable ${lineOf(unset, 60)}, which the collection does not set. Send base_url.` };
  const url = URL.parse(/^https?:\/\//i.test(base) ? base : `https://${base}`);
  if (url === null || url.hostname === '' || url.username !== '') return { refused: 'Its address is not a valid service address. Send base_url.' };
  return { base: (url.origin + url.pathname).replace(/(?<!\/)\/+$/, ''), path };
};

const SEGMENT_LITERAL = /[^A-Za-z0-9!$&'()*+,.:;=@_~%-]/gu;

/** One part of a path: a parameter where it names a variable, and else what it is. */
const segmentOf = (segment: string, names: Names, parameters: DraftParameter[], described: ReadonlyMap<string, string>): string => {
  const [, name] = /^:([A-Za-z_][^:]*)$/.exec(segment) ?? /^\{\{([^{}]+)\}\}$/.exec(segment) ?? /^\{([^{}]+)\}$/.exec(segment) ?? [];
  if (name === undefined) return segment.replace(VARIABLE, '').replace(SEGMENT_LITERAL, (character) => encodeURIComponent(character));
  const plain = names(name.trim(), 'path');
  parameters.push({ name: plain, schema: { type: 'string' }, required: true, description: described.get(name.trim()) ?? '' });
  return `{${plain}}`;
};

/** The address of a request as a template. */
export const readUrl = (written: unknown, collection: Collection, names: Names): ReadUrl => {
  const [raw = ''] = startOf(rawOf(written), 4_000).split('#', 1);
  const at = raw.indexOf('?');
  const found = baseOf(at === -1 ? raw : raw.slice(0, at), collection);
  if ('refused' in found) return found;
  const unkept = unkeptIn(found.path);
  if (unkept !== undefined) return { refused: `Its path contains ${unkept}.` };
  const { query, variable } = membersOf(written);
  const described = new Map(
    listOf(variable)
      .map(membersOf)
      .map((each) => [textOf(each.key), textOf(each.description)]),
  );
  const parameters: DraftParameter[] = [];
  const path = found.path
    .split('/')
    .map((segment) => segmentOf(segment, names, parameters, described))
    .join('/');
  const pairs = Array.isArray(query) ? query.map(membersOf) : pairsOf(at === -1 ? '' : raw.slice(at + 1));
  return { url: found.base + path, query: pairs, parameters };
};
