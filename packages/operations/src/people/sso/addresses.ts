const SAML = '/v1/auth/sso/saml';

/** Where a provider has a browser post its answer [assertion consumer service]: one for each connection, so that none is taken for another. */
export const acsUrl = (baseUrl: string, connectionId: string): string => `${baseUrl}${SAML}/${connectionId}`;

/** What a provider calls this service: the address at which its metadata is, one for each connection, so that no audience is another's. */
export const entityIdOf = (baseUrl: string, connectionId: string): string => `${acsUrl(baseUrl, connectionId)}/metadata`;
