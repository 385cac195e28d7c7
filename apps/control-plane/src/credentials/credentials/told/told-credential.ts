import type { Credential } from '@svc/contract/credentials/credentials.ts';

/** Without a secret that is over. */
export const toldCredential = (credential: Credential, now: Date): Credential => {
  const { previous_ends_at } = credential;
  return previous_ends_at !== null && Date.parse(previous_ends_at) <= now.getTime()
    ? { ...credential, previous_ends_at: null }
    : credential;
};

/** What the record tells of it: whatever says where it is sent, and for what. */
export const auditedCredential = ({ name, scheme, placement, destinations, tools, status, generation }: Credential) => ({
  name,
  scheme,
  placement,
  destinations,
  tools,
  status,
  generation,
});
