/** Outcomes of agent sign-ins, named after the failed check. Values of the log field and of the metric label. */
export const SIGN_IN_OUTCOMES = [
  'passed',
  /** Malformed assertion. */
  'shape',
  /** The assertion is signed by a different agent than the request names. */
  'agent_named',
  'agent_known',
  /** The key generation never existed. */
  'key_known',
  'signature',
  'audience',
  'window',
  'revocation',
  'generation',
  'status',
  /** The agent's environment or workspace is archived, or its organization is pending deletion. */
  'archived',
  /** Missing or invalid proof of possession (DPoP). */
  'proof',
  'nonce',
  /** The agent exceeded its rate limit for tokens. */
  'budget',
  /** The queue of assertions to verify was full. */
  'turn',
  /** A dependency did not respond. */
  'availability',
] as const;

export type SignInOutcome = (typeof SIGN_IN_OUTCOMES)[number];
export type FailedSignInCheck = Exclude<SignInOutcome, 'passed'>;
