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

export type Client = {
  readonly organization_id: string;
  readonly issuer: string;
  readonly client_id: string;
  /** Null for a client that is public. */
  readonly client_secret: string | null;
  readonly scopes: readonly string[];
};

/** What only the browser that began can prove, by what it keeps. */
export type Secrets = { readonly state: string; readonly nonce: string; readonly verifier: string };

const authenticationOf = (metadata: ServerMetadata, secret: string | null) => {
  if (secret === null) return None();
  const methods = metadata.token_endpoint_auth_methods_supported;
  return Array.isArray(methods) && methods.includes('client_secret_post') && !methods.includes('client_secret_basic')
    ? ClientSecretPost(secret)
    : ClientSecretBasic(secret);
};

/** What is asked of a provider, and how it is believed. */
export const configurationOf = (metadata: ServerMetadata, client: Client, way: ProviderFetch, skewSeconds: number): Configuration => {
  const about = { [clockSkew]: skewSeconds, [clockTolerance]: LIMITS.sso.clockToleranceSeconds };
  const configuration = new Configuration(metadata, client.client_id, about, authenticationOf(metadata, client.client_secret));
  configuration[customFetch] = way.fetch;
  configuration.timeout = LIMITS.sso.requestMs / 1000;
  if (isInsecure(client.issuer)) allowInsecureRequests(configuration);
  // Keys are asked for at each sign-in, so that one is good from the moment it is published and no longer than that.
  enableNonRepudiationChecks(configuration);
  return configuration;
};
