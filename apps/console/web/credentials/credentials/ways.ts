import type { CredentialScheme, Placement } from '@svc/contract/credentials/credentials.ts';

/** A field of a form, named as the plane names the member that it fills. */
export type Field = { readonly name: string; readonly label: string; readonly description?: string; readonly required?: boolean };

type Way = {
  readonly label: string;
  readonly scheme: CredentialScheme;
  /** Of the placement, what the way says by itself. */
  readonly placement?: Placement;
  readonly fields: readonly Field[];
};

/** How a secret may be sent. */
const WAYS = {
  bearer: { label: 'As a bearer token', scheme: 'BEARER', fields: [] },
  header: {
    label: 'In a header',
    scheme: 'HEADER',
    fields: [
      { name: 'placement/header', label: 'Header', description: 'Such as X-API-Key.' },
      {
        name: 'placement/prefix',
        label: 'Word before the secret',
        description: 'Such as Token, where the service wants one.',
        required: false,
      },
    ],
  },
  password: {
    label: 'By HTTP basic, as the password',
    scheme: 'BASIC',
    fields: [{ name: 'placement/username', label: 'User name', required: false }],
  },
  username: { label: 'By HTTP basic, as the user name', scheme: 'BASIC', placement: { secret_is: 'USERNAME' }, fields: [] },
  query: { label: 'In the address', scheme: 'QUERY', fields: [{ name: 'placement/parameter', label: 'Parameter' }] },
  body: { label: 'In the body', scheme: 'BODY_FIELD', fields: [{ name: 'placement/field', label: 'Field' }] },
} as const satisfies Readonly<Record<string, Way>>;

export type WayName = keyof typeof WAYS;

export const wayOf = (name: WayName): Way => WAYS[name];

export const WAYS_TO_CHOOSE = (Object.keys(WAYS) as WayName[]).map((value) => ({ value, label: WAYS[value].label }));
