import { LIMITS } from '@svc/contract/tables/limits.ts';
import {
  allowInsecureRequests,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  clockSkew,
  clockTolerance,
  customFetch,
  enableNonRepudiationChecks,
  None,
  type ServerMetadata,
} from 'openid-client';
import { isInsecure } from './discover.ts';
import type { ProviderFetch } from './provider-fetch.ts';

export type OidcClient = {
  readonly organization_id: string;
  readonly issuer: string;
  readonly client_id: string;
  /** Null for a public client. */
  readonly client_secret: string | null;
  readonly scopes: readonly string[];
};

/** Secrets that only the browser which began the attempt can prove. */
export type OidcSecrets = { readonly state: string; readonly nonce: string; readonly verifier: string };

const getAuthentication = (metadata: ServerMetadata, secret: string | null) => {
  if (secret === null) return None();
  const methods = metadata.token_endpoint_auth_methods_supported;
  return Array.isArray(methods) && methods.includes('client_secret_post') && !methods.includes('client_secret_basic')
    ? ClientSecretPost(secret)
    : ClientSecretBasic(secret);
};

/** Configures requests to a provider and the checks of its responses. */
export const configureConfiguration = (
  metadata: ServerMetadata,
  client: OidcClient,
  way: ProviderFetch,
  skewSeconds: number,
): Configuration => {
  const about = { [clockSkew]: skewSeconds, [clockTolerance]: LIMITS.sso.clockToleranceSeconds };
  const configuration = new Configuration(metadata, client.client_id, about, getAuthentication(metadata, client.client_secret));
  configuration[customFetch] = way.fetch;
  configuration.timeout = LIMITS.sso.requestMs / 1000;
  if (isInsecure(client.issuer)) allowInsecureRequests(configuration);
  // Keys are fetched at each sign-in, so that a key is valid as soon as it is published and no longer.
  enableNonRepudiationChecks(configuration);
  return configuration;
};
