import type { JsonObject } from '@svc/contract/rows/json-object.ts';
import { readList, readMembers, readText, toLine } from '../draft/reading.ts';
import { findSchemeFault } from '../url-scheme.ts';
import type { Api } from './api.ts';

export type ApiServer =
  | {
      readonly url: string;
      /** Fixed query of the address, without its question mark. */
      readonly query: string;
      readonly notes: readonly string[];
    }
  | { readonly refused: string };

const SERVERS_MAX = 100;
const VARIABLE = /\{([^{}]*)\}/g;
const NO_SERVER = 'The document contains no server address. Send base_url, for example https://api.example.com/v1.';

const absolute = (url: string, address: string | undefined): string | undefined => {
  const at = URL.parse(url, address);
  return at !== null && (at.protocol === 'https:' || at.protocol === 'http:') && at.username === '' && at.password === ''
    ? at.href
    : undefined;
};

const filled = (server: JsonObject): { readonly url: string; readonly used: readonly string[] } => {
  const variables = readMembers(server.variables);
  const used: string[] = [];
  const url = readText(server.url).replace(VARIABLE, (_, name: string) => {
    const { default: value } = readMembers(variables[name]);
    used.push(name);
    return readText(value);
  });
  return { url, used };
};

const firstUrl = (servers: unknown): string => readText(readMembers(readList(servers)[0]).url);

/** One address applies to all operations, and some services have some operations on another host, such as for uploads. */
const elsewhere = (root: JsonObject, operation: JsonObject, path: JsonObject): readonly string[] => {
  const own = firstUrl(operation.servers) || firstUrl(path.servers);
  return own === '' || own === firstUrl(root.servers)
    ? []
    : [`The document lists ${toLine(own, 200)} as its server, unlike other operations; base_url is used anyway.`];
};

type Called = { readonly href: string; readonly used: readonly string[] };

/** The first server that can be called, or the reason that none can. */
const firstCallable = (servers: readonly unknown[], address: string | undefined): Called | { readonly refused: string } => {
  let fault: string | undefined;
  for (const server of servers.length === 0 ? [{}] : servers.slice(0, SERVERS_MAX)) {
    const members = readMembers(server);
    const { url, used } = filled({ ...members, url: members.url ?? '/' });
    const href = absolute(url, address);
    if (href !== undefined) return { href, used };
    fault ??= findSchemeFault(url);
  }
  return { refused: fault === undefined ? NO_SERVER : `Its server ${fault}` };
};

/** Address of an operation: the one that the caller gives, or the first callable server of the nearest list. Without a slash at its end. */
export const buildServerUrl = ({ root, options }: Api, operation: JsonObject, path: JsonObject): ApiServer => {
  const { base_url, address } = options;
  if (base_url !== undefined) return { url: base_url.replace(/(?<!\/)\/+$/, ''), query: '', notes: elsewhere(root, operation, path) };
  const servers = [operation.servers, path.servers, root.servers].map(readList).find((list) => list.length > 0) ?? [];
  const called = firstCallable(servers, address);
  if ('refused' in called) return called;
  const { href, used } = called;
  const notes = [
    ...(used.length === 0
      ? []
      : [
          `The address uses the default value of ${used.map((name) => toLine(name, 40)).join(', ')} from the document; to use another value, send base_url.`,
        ]),
    ...(servers.length > 1 ? [`The document lists ${servers.length} servers; the first is used.`] : []),
  ];
  const url = new URL(href);
  return { url: (url.origin + url.pathname).replace(/(?<!\/)\/+$/, ''), query: url.search.slice(1), notes };
};
