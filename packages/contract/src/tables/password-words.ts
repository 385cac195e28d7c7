/** Words of the service itself and of who works with it, which a guesser tries beside those that are known of a person: no password is made of them. */
export const PASSWORD_WORDS = [
  'agent governance',
  'agentgovernance',
  'governance',
  'control plane',
  'controlplane',
  'gateway',
  'policy engine',
  'owner',
  'administrator',
  'approver',
  'auditor',
  'developer',
  'operator',
  'viewer',
] as const;
