/** Returns the address of the service for directories. */
export const getScimBaseUrl = ({ urls }: { readonly urls: { readonly base: string } }): string => `${urls.base}/scim/v2`;
