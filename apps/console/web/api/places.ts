import type { Session } from './session.ts';

export type Place = { readonly path: string; readonly name: string; readonly needs?: string };

/** Where somebody who is signed in may go, and the permission without which there is nothing to see. */
const PLACES: readonly Place[] = [
  { path: '/account', name: 'Account' },
  { path: '/approvals', name: 'Approvals', needs: 'approval:read' },
  { path: '/notifications', name: 'Notifications' },
  { path: '/members', name: 'Members', needs: 'member:read' },
  { path: '/audit', name: 'Audit', needs: 'audit:read' },
  { path: '/compliance', name: 'Compliance', needs: 'audit:read' },
  { path: '/credentials', name: 'Credentials', needs: 'credential:read' },
  { path: '/webhooks', name: 'Webhooks', needs: 'webhook:read' },
  { path: '/notification-channels', name: 'Notification channels', needs: 'webhook:read' },
  { path: '/sessions', name: 'Sessions' },
  { path: '/second-factor', name: 'Second factors' },
  { path: '/password', name: 'Password' },
  { path: '/identities', name: 'Linked identities' },
];

export const may = ({ permissions }: Pick<Session, 'permissions'>, needs: string | undefined): boolean =>
  needs === undefined || permissions.includes(needs);

export const placesOf = (session: Pick<Session, 'permissions'>): readonly Place[] => PLACES.filter(({ needs }) => may(session, needs));

/** The place of which somebody has no permission to see anything; undefined where this is none. */
export const closedTo = (session: Pick<Session, 'permissions'>, path: string): Place | undefined =>
  PLACES.find((place) => place.path === path && !may(session, place.needs));

const NAMES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(PLACES.map(({ path, name }) => [path, name.toLowerCase()])),
  '/account': 'your account',
  '/cli': 'let a terminal in',
  '/compliance': 'the compliance report',
  '/device-approvals': 'sign-ins that wait for you',
};

/** What a path of these pages is called in a sentence; undefined where it is none of them. */
export const nameOfPlace = (path: string): string | undefined => NAMES[path.split('?', 1)[0] ?? ''];
