/**
 * Where an authorization server sends a person back to. Each credential has an address of its own, so that an answer of one server is never
 * taken for that of another, whether it tells its issuer or not [mix-up attack].
 */
export const connectionCallback = (baseUrl: string, credentialId: string): string => `${baseUrl}/v1/credentials/${credentialId}/callback`;
