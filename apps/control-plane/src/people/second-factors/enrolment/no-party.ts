/** Message for a plane whose host is an IP address. */
export const NO_PARTY = 'Passkeys require a domain name, and this service is reached by an IP address. The operator must set SVC_BASE_URL.';
