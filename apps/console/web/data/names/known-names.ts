import { useEffect, useState } from 'react';
import { may } from '../../layout/permitted.ts';
import { call } from '../call.ts';
import type { Session } from '../session.ts';

/** What has an id and a name, and what it is. */
export type Known = { readonly id: string; readonly name: string; readonly what: string };

type Row = { readonly id: string; readonly name?: string; readonly user?: { readonly id: string; readonly name: string } };
type Told = readonly Row[] | { readonly items: readonly Row[] };

/** As many as a page of the plane holds: what is beyond is looked up as it is met. */
const MOST = 200;
const LISTS = [
  { what: 'agent', path: `/v1/agents?limit=${MOST}`, needs: 'agent:read' },
  { what: 'tool', path: `/v1/tools?limit=${MOST}`, needs: 'tool:read' },
  { what: 'policy', path: `/v1/policies?limit=${MOST}`, needs: 'policy:read' },
  { what: 'member', path: `/v1/members?limit=${MOST}`, needs: 'member:read' },
  { what: 'role', path: '/v1/roles', needs: 'role:read' },
  { what: 'API key', path: '/v1/api-keys', needs: 'apikey:read' },
  { what: 'credential', path: '/v1/credentials', needs: 'credential:read' },
  { what: 'webhook', path: '/v1/webhooks', needs: 'webhook:read' },
  { what: 'environment', path: '/v1/environments', needs: 'environment:read' },
  { what: 'workspace', path: '/v1/workspaces', needs: 'workspace:read' },
] as const;

/** A member is known by that id and by the one of the person, who acts by it. */
const knownOf = (what: string, { id, name, user }: Row): readonly Known[] => {
  if (user)
    return [
      { id: user.id, name: user.name, what: 'person' },
      { id, name: user.name, what },
    ];
  return name === undefined ? [] : [{ id, name, what }];
};

/** Names of what whoever asks may see, all that can be had; empty until they are there. */
export const useKnownNames = (session: Session): readonly Known[] => {
  const [known, setKnown] = useState<readonly Known[]>([]);
  useEffect(() => {
    const look = async (): Promise<void> => {
      const { user, organization } = session;
      const own = [{ id: organization.id, name: organization.name, what: 'organization' }, ...(user ? [{ ...user, what: 'person' }] : [])];
      const lists = await Promise.all(
        LISTS.filter(({ needs }) => may(session, needs)).map(async ({ what, path }) => {
          const answer = await call<Told>('GET', path);
          if (!answer.ok) return [];
          return ('items' in answer.body ? answer.body.items : answer.body).flatMap((row) => knownOf(what, row));
        }),
      );
      const all = [...own, ...lists.flat()];
      setKnown([...new Map(all.map((each) => [each.id, each])).values()]);
    };
    void look();
  }, [session]);
  return known;
};
