/** Outcomes of agents' sign-ins, by the failed check; the words of the log and of the metric. */
export const SIGN_IN_OUTCOMES = [
  'passed',
  /** Malformed assertion. */
  'shape',
  /** Signed by another agent than the request names. */
  'agent_named',
  'agent_known',
  /** A generation of the key that never existed. */
  'key_known',
  'signature',
  'audience',
  'window',
  'revocation',
  'generation',
  'status',
  /** Its environment or workspace is archived, or its organization awaits deletion. */
  'archived',
  /** Proof of possession of the key that the token is to be bound to. */
  'proof',
  'nonce',
  /** The agent's own rate limit of tokens. */
  'budget',
  /** Too many assertions waited for verification. */
  'turn',
  /** A dependency did not respond. */
  'availability',
] as const;

export type SignInOutcome = (typeof SIGN_IN_OUTCOMES)[number];
export type FailedSignInCheck = Exclude<SignInOutcome, 'passed'>;
