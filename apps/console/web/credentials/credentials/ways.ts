import type { CredentialScheme, Placement } from '@svc/contract/credentials/credentials.ts';

/** A field of a form, with the name of the member that it fills. */
export type Field = { readonly name: string; readonly label: string; readonly description?: string; readonly required?: boolean };

type Way = {
  readonly label: string;
  readonly scheme: CredentialScheme;
  /** The members of the placement that the way fixes. */
  readonly placement?: Placement;
  readonly fields: readonly Field[];
};

/** The ways to send a secret. */
const WAYS = {
  bearer: { label: 'Bearer token', scheme: 'BEARER', fields: [] },
  header: {
    label: 'Header',
    scheme: 'HEADER',
    fields: [
      { name: 'placement/header', label: 'Header', description: 'For example X-API-Key.' },
      {
        name: 'placement/prefix',
        label: 'Prefix',
        description: 'Word before the secret, for example Token.',
        required: false,
      },
    ],
  },
  template: {
    label: 'Header with a template',
    scheme: 'HEADER',
    fields: [
      { name: 'placement/header', label: 'Header', description: 'For example Authorization.' },
      { name: 'placement/template', label: 'Template', description: 'Value with {secret} once, for example Token token={secret}.' },
    ],
  },
  password: {
    label: 'HTTP Basic password',
    scheme: 'BASIC',
    fields: [{ name: 'placement/username', label: 'User name', required: false }],
  },
  username: { label: 'HTTP Basic user name', scheme: 'BASIC', placement: { secret_is: 'USERNAME' }, fields: [] },
  query: { label: 'Query parameter', scheme: 'QUERY', fields: [{ name: 'placement/parameter', label: 'Parameter' }] },
  body: { label: 'Body field', scheme: 'BODY_FIELD', fields: [{ name: 'placement/field', label: 'Field' }] },
} as const satisfies Readonly<Record<string, Way>>;

export type WayName = keyof typeof WAYS;

export const getWay = (name: WayName): Way => WAYS[name];

export const WAYS_TO_CHOOSE = (Object.keys(WAYS) as WayName[]).map((value) => ({ value, label: WAYS[value].label }));
