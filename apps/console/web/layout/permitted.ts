import type { Session } from '../data/session.ts';

export type Place = { readonly path: string; readonly name: string; readonly needs?: string };
type Places = readonly Place[];

/** Where somebody who is signed in may go, and the permission without which there is nothing to see. */
const PLACES_OF_ORGANIZATION: Places = [
  { path: '/approvals', name: 'Approvals', needs: 'approval:read' },
  { path: '/audit', name: 'Audit', needs: 'audit:read' },
  { path: '/compliance', name: 'Compliance', needs: 'audit:read' },
  { path: '/members', name: 'Members', needs: 'member:read' },
  { path: '/credentials', name: 'Credentials', needs: 'credential:read' },
  { path: '/webhooks', name: 'Webhooks', needs: 'webhook:read' },
  { path: '/notification-channels', name: 'Notification channels', needs: 'webhook:read' },
];
const OWN_PLACES: Places = [
  { path: '/account', name: 'Account' },
  { path: '/notifications', name: 'Notifications' },
  { path: '/sessions', name: 'Sessions' },
  { path: '/second-factor', name: 'Second factors' },
  { path: '/password', name: 'Password' },
  { path: '/identities', name: 'Linked identities' },
];
const PLACES: Places = [...PLACES_OF_ORGANIZATION, ...OWN_PLACES];

export const may = ({ permissions }: Pick<Session, 'permissions'>, needs: string | undefined): boolean =>
  needs === undefined || permissions.includes(needs);

/** What the organization has, as far as somebody may see it, apart from what is their own. */
export const placesOf = (session: Pick<Session, 'permissions'>): { readonly ofOrganization: Places; readonly own: Places } => ({
  ofOrganization: PLACES_OF_ORGANIZATION.filter(({ needs }) => may(session, needs)),
  own: OWN_PLACES,
});

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
