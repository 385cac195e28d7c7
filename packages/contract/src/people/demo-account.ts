/** Reserved for examples (RFC 2606), so it receives no mail and no person's address ends like this. */
const DOMAIN = 'demo.example';

export const getDemoAddress = (name: string): string => `${name}@${DOMAIN}`;

/** True for a demo account, in lower case. Demo accounts do not complete the setup. */
export const isDemoAddress = (email: string): boolean => email.endsWith(`@${DOMAIN}`);
