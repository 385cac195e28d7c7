import type { SamlConfig } from '@node-saml/node-saml';
import { getAcsUrl, getEntityId } from '@svc/operations/people/sso/addresses.ts';

/** Connection settings by which requests are built and responses are checked. */
export type SamlClient = {
  readonly id: string;
  readonly issuer: string;
  readonly sso_url: string | null;
  readonly certificates: readonly string[];
};

// Loaded when the first connection is used: most installations have none.
const load = () => import('@node-saml/node-saml');

/** Times, audience and request id are checked by `assertionFault`, with the clock of the plane and signed data only. */
const getConfiguration = ({ id, issuer, sso_url, certificates }: SamlClient, baseUrl: string): SamlConfig => ({
  callbackUrl: getAcsUrl(baseUrl, id),
  issuer: getEntityId(baseUrl, id),
  audience: false,
  idpIssuer: issuer,
  idpCert: [...certificates],
  entryPoint: sso_url ?? '',
  identifierFormat: null,
  disableRequestedAuthnContext: true,
  wantAssertionsSigned: true,
  wantAuthnResponseSigned: false,
  acceptedClockSkewMs: -1,
});

/** Returns the URL of a sign-in. The request states only the requester and the destination. */
export const buildSamlRequestUrl = async (
  client: SamlClient,
  baseUrl: string,
  { requestId, relayState }: { readonly requestId: string; readonly relayState: string },
): Promise<string> => {
  const { SAML } = await load();
  const saml = new SAML({ ...getConfiguration(client, baseUrl), generateUniqueId: () => requestId });
  return saml.getAuthorizeUrlAsync(relayState, undefined, {});
};

/** Returns the bytes that a key of the provider signed, exactly as signed; undefined if no key did. */
export const findSignedAssertion = async (client: SamlClient, baseUrl: string, xml: string): Promise<string | undefined> => {
  const { SAML } = await load();
  try {
    const answer = { SAMLResponse: Buffer.from(xml, 'utf8').toString('base64') };
    const { profile } = await new SAML(getConfiguration(client, baseUrl)).validatePostResponseAsync(answer);
    return profile?.getAssertionXml?.();
  } catch {
    return undefined;
  }
};

export const buildSamlMetadata = async (client: SamlClient, baseUrl: string): Promise<string> => {
  const { generateServiceProviderMetadata } = await load();
  const { callbackUrl, issuer } = getConfiguration(client, baseUrl);
  return generateServiceProviderMetadata({
    ...{ callbackUrl, issuer, identifierFormat: null, wantAssertionsSigned: true },
    generateUniqueId: () => `_${client.id}`,
  });
};
