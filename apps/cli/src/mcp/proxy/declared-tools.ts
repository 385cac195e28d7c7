import { randomUUID } from 'node:crypto';
import type { JsonObject } from '@svc/contract/rows/json-object.ts';
import type { Governance } from '@svc/sdk/governance.ts';
import { newMessage } from '@svc/stdio/messages/message.ts';
import type { ServerLink } from '@svc/stdio/messages/server-link.ts';
import { isObject } from '../../files/json-file.ts';
import { type Definition, getDeclaredName, getDefinitionPin, isDefinition, readPin } from './definitions.ts';

/** The tools that the agent may call are read again after this time, and for each list. */
const FRESH_MS = 30_000;
const PAGES_MAX = 50;

export type Usability = 'USABLE' | 'CHANGED' | 'UNKNOWN';

/** The tools that the agent may call, compared with what the server lists now. */
export type DeclaredTools = {
  /** Reads the tools of the agent at the gateway. Throws if it cannot be reached. */
  readonly refresh: () => Promise<void>;
  /** Keeps the definitions of a list that the server gave. */
  readonly learn: (definitions: readonly unknown[]) => void;
  /** Forgets the definitions: the server reports that its list changed. */
  readonly forget: () => void;
  /** True if the agent may call the tool, and its definition is the registered one. Needs `refresh` and `learn` before. */
  readonly isListed: (name: string) => boolean;
  /** `meta` is that of the call, which a listing of the current protocol needs too. */
  readonly check: (name: string, meta: JsonObject) => Promise<Usability>;
};

/** Lists the tools of a server, page by page. */
export const listDefinitions = async (link: ServerLink, meta: JsonObject = {}): Promise<readonly Definition[]> => {
  const found: Definition[] = [];
  let cursor: unknown;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const id = `svc-${randomUUID()}`;
    const params = { ...(cursor === undefined ? {} : { cursor }), ...(Object.keys(meta).length === 0 ? {} : { _meta: meta }) };
    const { result } = (await link.request(id, newMessage({ id, method: 'tools/list', params }))).value;
    if (!isObject(result) || !Array.isArray(result.tools)) break;
    found.push(...result.tools.filter(isDefinition));
    cursor = result.nextCursor;
    if (typeof cursor !== 'string') break;
  }
  return found;
};

export const newDeclaredTools = (governance: Governance, link: ServerLink, prefix: string): DeclaredTools => {
  let declared = new Map<string, string | undefined>();
  let freshUntilMs = 0;
  const seen = new Map<string, string>();
  const refresh = async (): Promise<void> => {
    const { tools } = await governance.handshake();
    declared = new Map(tools.map(({ name, description }) => [name, readPin(description)]));
    freshUntilMs = performance.now() + FRESH_MS;
  };
  const learn = (definitions: readonly unknown[]): void => {
    for (const definition of definitions.filter(isDefinition)) seen.set(definition.name, getDefinitionPin(definition));
  };
  const usability = (name: string): Usability => {
    const key = getDeclaredName(prefix, name);
    if (!declared.has(key)) return 'UNKNOWN';
    const pin = declared.get(key);
    return pin === undefined || pin === seen.get(name) ? 'USABLE' : 'CHANGED';
  };
  return {
    refresh,
    learn,
    forget: () => seen.clear(),
    isListed: (name) => usability(name) === 'USABLE',
    check: async (name, meta) => {
      if (performance.now() > freshUntilMs) await refresh();
      if (!seen.has(name) && declared.get(getDeclaredName(prefix, name)) !== undefined) learn(await listDefinitions(link, meta));
      return usability(name);
    },
  };
};
