/** How an agent's sign-in may end, by the check it did not pass; the words of the log and of the metric. */
export const SIGN_IN_OUTCOMES = [
  'passed',
  /** No assertion by its shape. */
  'shape',
  /** Signed by another agent than the request names. */
  'agent_named',
  'agent_known',
  /** Of a generation of the key that never was. */
  'key_known',
  'signature',
  'audience',
  'window',
  'revocation',
  'generation',
  'status',
  /** Its environment or workspace is archived, or its organization waits for its end. */
  'archived',
  /** Proof of possession of the key that the token is to be bound to. */
  'proof',
  'nonce',
  /** The agent's own budget of tokens. */
  'budget',
  /** Too many assertions waited to be verified. */
  'turn',
  /** Something it depends on did not answer. */
  'availability',
] as const;

export type SignInOutcome = (typeof SIGN_IN_OUTCOMES)[number];
export type FailedSignInCheck = Exclude<SignInOutcome, 'passed'>;
