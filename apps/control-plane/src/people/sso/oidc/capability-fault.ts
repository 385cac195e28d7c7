import { truncateText } from '@svc/policy/values/truncate-text.ts';
import type { ServerMetadata } from 'openid-client';

/** Signature algorithms that ID tokens are verified with: those with a public key. */
const ALGORITHMS: ReadonlySet<unknown> = new Set([
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512'],
  ...['EdDSA', 'Ed25519', 'ML-DSA-44', 'ML-DSA-65', 'ML-DSA-87'],
]);
const SECRET_METHODS: ReadonlySet<unknown> = new Set(['client_secret_basic', 'client_secret_post']);
const PUBLIC_METHODS: ReadonlySet<unknown> = new Set(['none', ...SECRET_METHODS]);

const isUnusable = (listed: unknown, usable: ReadonlySet<unknown>): listed is readonly unknown[] =>
  Array.isArray(listed) && !listed.some((each) => usable.has(each));

const listOf = (values: readonly unknown[]): string => truncateText(values.length === 0 ? 'nothing' : values.join(', '), 200);

/** Lists of which each must contain one of these, and the message if it does not. */
const NEEDED: readonly (readonly [keyof ServerMetadata, ReadonlySet<unknown>, (listed: string) => string])[] = [
  [
    'id_token_signing_alg_values_supported',
    ALGORITHMS,
    (listed) => `The provider signs ID tokens with ${listed} alone. Have it sign with a key pair, such as RS256 or ES256.`,
  ],
  ['response_types_supported', new Set(['code']), () => 'The provider does not support the response type code.'],
  ['response_modes_supported', new Set(['query']), () => 'The provider does not support the response mode query.'],
  ['grant_types_supported', new Set(['authorization_code']), () => 'The provider does not support the grant authorization_code.'],
];

/** Returns why no client of this service can use a provider, by its metadata; undefined if one can. */
export const findCapabilityFault = (metadata: ServerMetadata): string | undefined => {
  for (const [name, usable, sentence] of NEEDED) {
    const listed = metadata[name];
    if (isUnusable(listed, usable)) return sentence(listOf(listed));
  }
  if (metadata.require_pushed_authorization_requests === true)
    return 'The provider requires pushed authorization requests (PAR), which are not supported. Turn the requirement off for this client.';
  if (metadata.require_signed_request_object === true)
    return 'The provider requires a signed request object, which is not supported. Turn the requirement off for this client.';
  return undefined;
};

/**
 * Returns why a client cannot authenticate at the provider; undefined if it can. Without a secret the client is public, which many
 * providers do not list.
 */
export const findClientFault = (
  { token_endpoint_auth_methods_supported: listed }: ServerMetadata,
  hasSecret: boolean,
): string | undefined => {
  if (!isUnusable(listed, hasSecret ? SECRET_METHODS : PUBLIC_METHODS)) return undefined;
  return `The provider authenticates clients by ${listOf(listed)} alone. This service sends a client secret (client_secret_basic or client_secret_post)${
    hasSecret ? '' : ', or none'
  }: change the authentication method of the client at the provider.`;
};
