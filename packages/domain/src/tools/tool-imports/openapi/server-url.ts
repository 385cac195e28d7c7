import { lineOf, listOf, type Members, membersOf, textOf } from '../draft/reading.ts';
import type { Api } from './api.ts';

export type Server = { readonly url: string; readonly notes: readonly string[] } | { readonly refused: string };

const VARIABLE = /\{([^{}]*)\}/g;
const NO_SERVER = 'The document contains no server address. Send base_url, for example https://api.example.com/v1.';

const absolute = (url: string, address: string | undefined): string | undefined => {
  const at = URL.parse(url, address);
  return at !== null && (at.protocol === 'https:' || at.protocol === 'http:') && at.username === '' && at.password === ''
    ? at.href
    : undefined;
};

const filled = (server: Members): { readonly url: string; readonly used: readonly string[] } => {
  const variables = membersOf(server.variables);
  const used: string[] = [];
  const url = textOf(server.url).replace(VARIABLE, (_, name: string) => {
    const { default: value } = membersOf(variables[name]);
    used.push(name);
    return textOf(value);
  });
  return { url, used };
};

const firstUrl = (servers: unknown): string => textOf(membersOf(listOf(servers)[0]).url);

/** One address is said for all operations, and some services have some of theirs at a host of its own, such as for uploads. */
const elsewhere = (root: Members, operation: Members, path: Members): readonly string[] => {
  const own = firstUrl(operation.servers) || firstUrl(path.servers);
  return own === '' || own === firstUrl(root.servers)
    ? []
    : [`The document lists ${lineOf(own, 200)} as its server, unlike other operations; base_url is used anyway.`];
};

/** Where an operation is called: as the caller says, or as the nearest list of servers does by its first. Without a slash at its end. */
export const serverUrl = ({ root, options }: Api, operation: Members, path: Members): Server => {
  const { base_url, address } = options;
  if (base_url !== undefined) return { url: base_url.replace(/(?<!\/)\/+$/, ''), notes: elsewhere(root, operation, path) };
  const servers = [operation.servers, path.servers, root.servers].map(listOf).find((list) => list.length > 0) ?? [];
  const first = membersOf(servers[0]);
  const { url, used } = filled({ ...first, url: first.url ?? '/' });
  const href = absolute(url, address);
  if (href === undefined) return { refused: NO_SERVER };
  const notes = [
    ...(used.length === 0
      ? []
      : [
          `The address uses the default value of ${used.map((name) => lineOf(name, 40)).join(', ')} from the document; to use another value, send base_url.`,
        ]),
    ...(servers.length > 1 ? [`The document lists ${servers.length} servers; the first is used.`] : []),
  ];
  return { url: href.split(/[?#]/, 1)[0]?.replace(/(?<!\/)\/+$/, '') ?? '', notes };
};
