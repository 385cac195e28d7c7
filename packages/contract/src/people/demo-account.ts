/** No mail reaches it: the name is reserved for examples (RFC 2606), so no person's account ends like this. */
const DOMAIN = 'demo.example';

export const demoAddress = (name: string): string => `${name}@${DOMAIN}`;

/** Whether an e-mail address is one of the demo's: its accounts set nothing up for anybody. In lower case. */
export const isDemoAddress = (email: string): boolean => email.endsWith(`@${DOMAIN}`);
