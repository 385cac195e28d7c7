/** Returns true if a normalised host is an IP address rather than a name. The last label of a name is never all digits. */
export const isAddress = (host: string): boolean => host.startsWith('[') || /(^|\.)[0-9]+$/.test(host);
