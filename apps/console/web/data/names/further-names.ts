import { useEffect, useState } from 'react';
import { may } from '../../layout/permitted.ts';
import { call } from '../call.ts';
import type { Session } from '../session.ts';
import type { Known } from './known-names.ts';

/** What there may be more of than the lists hold. */
const MANY = [
  { what: 'agent', prefix: 'agt_', path: '/v1/agents', needs: 'agent:read', hasSearch: true },
  { what: 'tool', prefix: 'tool_', path: '/v1/tools', needs: 'tool:read', hasSearch: true },
  { what: 'policy', prefix: 'pol_', path: '/v1/policies', needs: 'policy:read', hasSearch: false },
] as const;

type Row = { readonly id: string; readonly name: string };

const lookUp = async (id: string, session: Session): Promise<readonly Known[]> => {
  const kind = MANY.find(({ prefix, needs }) => id.startsWith(prefix) && may(session, needs));
  if (!kind) return [];
  const answer = await call<Row>('GET', `${kind.path}/${id}`);
  return answer.ok ? [{ id, name: answer.body.name, what: kind.what }] : [];
};

/** By id, each looked up once for as long as the page is there. */
const lookedUp = new Map<string, Promise<readonly Known[]>>();

const lookUpOnce = (id: string, session: Session): Promise<readonly Known[]> => {
  const under = lookedUp.get(id) ?? lookUp(id, session);
  lookedUp.set(id, under);
  return under;
};

/** What is known, and beyond it what these ids name; nothing is looked up before the lists are there. */
export const useNamesOf = (ids: readonly string[], known: readonly Known[], session: Session): readonly Known[] => {
  const [found, setFound] = useState<readonly Known[]>([]);
  const missing = known.length === 0 ? '' : ids.filter((id) => !known.some((each) => each.id === id)).join(' ');
  useEffect(() => {
    if (missing === '') return;
    void Promise.all(missing.split(' ').map((id) => lookUpOnce(id, session))).then((all) => setFound(all.flat()));
  }, [missing, session]);
  return found.length === 0 ? known : [...known, ...found];
};

/** What has this name, or one that it is a part of, beyond the lists. */
export const namedLike = async (name: string, session: Session): Promise<readonly Known[]> => {
  const query = new URLSearchParams({ q: name, limit: '200' });
  const lists = await Promise.all(
    MANY.filter(({ needs, hasSearch }) => hasSearch && may(session, needs)).map(async ({ what, path }) => {
      const answer = await call<{ readonly items: readonly Row[] }>('GET', `${path}?${query}`);
      return answer.ok ? answer.body.items.map((row) => ({ id: row.id, name: row.name, what })) : [];
    }),
  );
  return lists.flat();
};
