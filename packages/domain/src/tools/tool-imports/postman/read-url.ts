import type { JsonObject } from '@svc/contract/rows/json-object.ts';
import { truncateText } from '@svc/policy/values/truncate-text.ts';
import type { DraftParameter, ImportOptions } from '../draft/proposal.ts';
import { describeUnstorable, readList, readMembers, readText, toLine } from '../draft/reading.ts';
import { findSchemeFault } from '../url-scheme.ts';
import { fillVariables, type Variables } from './variables.ts';

export type Collection = { readonly variables: Variables; readonly options: ImportOptions };
export type UrlNames = (written: string, otherwise: string) => string;

export type ReadUrl =
  | { readonly url: string; readonly query: readonly JsonObject[]; readonly parameters: readonly DraftParameter[] }
  | { readonly refused: string };

/** The address of a request as one text, however the collection writes it. */
export const readRawUrl = (url: unknown): string => {
  if (typeof url === 'string') return url;
  const { raw, protocol, host, path } = readMembers(url);
  // A text without a scheme uses the separate one.
  const isBare = typeof raw === 'string' && !/^(?:[a-z][a-z\d+.-]*:(?![\d{])|\{\{|\/\/)/i.test(raw);
  if (typeof raw === 'string' && raw !== '')
    return isBare && /^[a-z][a-z\d+.-]*$/i.test(readText(protocol)) ? `${readText(protocol)}://${raw}` : raw;
  const joined = (value: unknown, mark: string): string =>
    Array.isArray(value) ? value.map((part) => readText(part) || readText(readMembers(part).value)).join(mark) : readText(value);
  return `${readText(protocol) || 'https'}://${joined(host, '.')}/${joined(path, '/')}`;
};

const listPairs = (query: string): readonly JsonObject[] =>
  query === ''
    ? []
    : query.split('&').map((pair) => ({ key: pair.split('=', 1)[0] ?? '', value: pair.slice((pair.split('=', 1)[0] ?? '').length + 1) }));

type Base = { readonly base: string; readonly path: string; readonly query: string };

/** Returns the URL of a request up to its path, by its own text or by the base that the caller names. */
const readBase = (raw: string, { variables, options }: Collection): Base | { readonly refused: string } => {
  const [start = ''] = /^(?:[a-z][a-z\d+.-]*:\/\/)?(?:\{\{[^{}]*\}\}|[^/{}])*/i.exec(raw) ?? [];
  const path = raw.slice(start.length);
  const filled = fillVariables(start, variables);
  const fault = findSchemeFault(filled);
  if (fault !== undefined) return { refused: `Its address ${fault}` };
  // Text before the first / of the path would be a part of the host.
  if (path !== '' && !path.startsWith('/'))
    return {
      refused:
        'Its address has a brace before the path, but the host of a tool is fixed. Write the host, or a collection variable in double braces.',
    };
  if (options.base_url !== undefined) return { base: options.base_url.replace(/(?<!\/)\/+$/, ''), path, query: '' };
  const unset = /\{\{([^{}]*)\}\}/.exec(filled)?.[1];
  if (unset !== undefined)
    return { refused: `Its address uses the variable ${toLine(unset, 60)}, which the collection does not set. Send base_url.` };
  const url = URL.parse(/^https?:\/\//i.test(filled) ? filled : `https://${filled}`);
  if (url === null || url.hostname === '' || url.username !== '')
    return { refused: 'Its address is not a valid service address. Send base_url.' };
  return { base: (url.origin + url.pathname).replace(/(?<!\/)\/+$/, ''), path, query: url.search.slice(1) };
};

const SEGMENT_LITERAL = /[^A-Za-z0-9!$&'()*+,.:;=@_~%-]/gu;

/** Converts one path segment, with a parameter for each variable in it. */
const getSegment = (segment: string, names: UrlNames, parameters: DraftParameter[], described: ReadonlyMap<string, string>): string => {
  const [, name] = /^:([A-Za-z_][^:]*)$/.exec(segment) ?? /^\{\{([^{}]+)\}\}$/.exec(segment) ?? /^\{([^{}]+)\}$/.exec(segment) ?? [];
  const placed = (written: string): string => {
    const plain = names(written.trim(), 'path');
    parameters.push({ name: plain, schema: { type: 'string' }, required: true, description: described.get(written.trim()) ?? '' });
    return `{${plain}}`;
  };
  if (name !== undefined) return placed(name);
  return segment
    .split(/(\{\{[^{}]+\}\})/)
    .map((part) =>
      part.startsWith('{{') && part.endsWith('}}')
        ? placed(part.slice(2, -2))
        : part.replace(SEGMENT_LITERAL, (character) => encodeURIComponent(character)),
    )
    .join('');
};

/** The address of a request as a template. */
export const readUrl = (written: unknown, collection: Collection, names: UrlNames): ReadUrl => {
  const [raw = ''] = truncateText(readRawUrl(written), 4_000).split('#', 1);
  const at = raw.indexOf('?');
  const found = readBase(at === -1 ? raw : raw.slice(0, at), collection);
  if ('refused' in found) return found;
  const unkept = describeUnstorable(found.path);
  if (unkept !== undefined) return { refused: `Its path contains ${unkept}.` };
  const { query, variable } = readMembers(written);
  const described = new Map(
    readList(variable)
      .map(readMembers)
      .map((each) => [readText(each.key), readText(each.description)]),
  );
  const parameters: DraftParameter[] = [];
  const path = found.path
    .split('/')
    .map((segment) => getSegment(segment, names, parameters, described))
    .join('/');
  const pairs = Array.isArray(query) ? query.map(readMembers) : listPairs(at === -1 ? '' : raw.slice(at + 1));
  return { url: found.base + path, query: [...listPairs(found.query), ...pairs], parameters };
};
