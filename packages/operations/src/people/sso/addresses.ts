const SAML = '/v1/auth/sso/saml';

/** Returns the assertion consumer service of a connection: one per connection, so that none is mistaken for another. */
export const getAcsUrl = (baseUrl: string, connectionId: string): string => `${baseUrl}${SAML}/${connectionId}`;

/** Returns the entity id of this service: the address of its metadata, one per connection, so that audiences differ. */
export const getEntityId = (baseUrl: string, connectionId: string): string => `${getAcsUrl(baseUrl, connectionId)}/metadata`;
