import type { DirectoryGroup } from '@svc/postgres/people/scim/groups.ts';
import type { DirectoryUser } from '@svc/postgres/people/scim/users.ts';

export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const GROUP_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group';

type Told = Readonly<Record<string, unknown>>;

const given = (members: Told): Told =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null && value !== undefined));

const toIso = (time: string): string => new Date(time).toISOString();

/** Formats a user (RFC 7643, section 4.1). */
export const formatUser = (user: DirectoryUser, base: string): Told => {
  const formatted = user.display_name ?? ([user.given_name, user.family_name].filter(Boolean).join(' ') || null);
  return given({
    schemas: [USER_SCHEMA],
    id: user.id,
    externalId: user.external_id,
    userName: user.user_name,
    name: given({ formatted, givenName: user.given_name, familyName: user.family_name }),
    displayName: user.display_name,
    active: user.active,
    emails: [{ value: user.email, type: 'work', primary: true }],
    groups: user.groups.map(({ id, display_name }) => ({ value: id, display: display_name, type: 'direct', $ref: `${base}/Groups/${id}` })),
    meta: {
      resourceType: 'User',
      created: toIso(user.created_at),
      lastModified: toIso(user.updated_at),
      location: `${base}/Users/${user.id}`,
    },
  });
};

/** Formats a group (RFC 7643, section 4.2). */
export const formatGroup = (group: DirectoryGroup, base: string): Told =>
  given({
    schemas: [GROUP_SCHEMA],
    id: group.id,
    externalId: group.external_id,
    displayName: group.display_name,
    members: group.members.map(({ id, user_name }) => ({ value: id, display: user_name, type: 'User', $ref: `${base}/Users/${id}` })),
    meta: {
      resourceType: 'Group',
      created: toIso(group.created_at),
      lastModified: toIso(group.updated_at),
      location: `${base}/Groups/${group.id}`,
    },
  });

const ALWAYS = ['schemas', 'id', 'meta'];

const findNames = (text: string | undefined): string[] =>
  (text ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase().split('.')[0] ?? '')
    .filter((name) => name !== '');

export type ScimAttributeSelection = { readonly attributes?: string; readonly excludedAttributes?: string };

/** Selects the requested attributes by top-level name (RFC 7644, section 3.9). */
const askedFor = ({ attributes, excludedAttributes }: ScimAttributeSelection): ((name: string) => boolean) => {
  const [only, without] = [findNames(attributes), findNames(excludedAttributes)];
  return (name) => ALWAYS.includes(name) || (only.length > 0 ? only.includes(name.toLowerCase()) : !without.includes(name.toLowerCase()));
};

export const isRequested = (name: string, asked: ScimAttributeSelection): boolean => askedFor(asked)(name);

/** Returns the requested attributes of a resource. */
export const selectAttributes = (told: Told, asked: ScimAttributeSelection): Told => {
  const isChosen = askedFor(asked);
  return Object.fromEntries(Object.entries(told).filter(([name]) => isChosen(name)));
};
