import type { Placement } from '@svc/contract/credentials/credentials.ts';
import type { OauthTerms } from '@svc/contract/credentials/oauth.ts';
import type { CatalogueEntry } from '@svc/contract/tools/catalogue-entry.ts';
import { type Filled, fillText, type GivenSecret } from './fill-values.ts';

type Credential = NonNullable<CatalogueEntry['credential']>;

const filledPlacement = (placement: Placement, filled: Filled): Placement => {
  const { username } = placement;
  return username === undefined ? placement : { ...placement, username: fillText(username, filled) };
};

const filledOauth = ({ oauth }: Credential, filled: Filled): OauthTerms | undefined =>
  oauth && {
    ...oauth,
    token_url: fillText(oauth.token_url, filled),
    ...(oauth.authorization_url === undefined ? {} : { authorization_url: fillText(oauth.authorization_url, filled) }),
    client_id: filled.client_id ?? '',
  };

/** The members of a new credential that an application decides: how and with what its requests are authenticated. */
export const buildCredentialBody = (credential: Credential, filled: Filled, secrets: readonly GivenSecret[]) => {
  const read = (name: string | undefined): string | undefined => secrets.find((given) => given.name === name)?.secret;
  const { scheme, placement, secret: secretName, extras = [] } = credential;
  const oauth = filledOauth(credential, filled);
  const [secret, client_secret, refresh_token] = [read(secretName), read('client_secret'), read('refresh_token')];
  return {
    scheme,
    placement: filledPlacement(placement, filled),
    ...(oauth === undefined ? {} : { oauth }),
    ...(secret === undefined ? {} : { secret }),
    ...(oauth === undefined || client_secret === undefined ? {} : { client_secret }),
    ...(oauth === undefined || refresh_token === undefined ? {} : { refresh_token }),
    ...(extras.length === 0
      ? {}
      : { extras: extras.map(({ in: position, name, secret: from }) => ({ in: position, name, secret: read(from) ?? '' })) }),
  };
};
