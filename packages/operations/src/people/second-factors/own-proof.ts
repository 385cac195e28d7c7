/** Response to a session that acts on what counts in every organization with proofs that count in one. */
export const OWN_PROOF =
  'This session rests on the single sign-on of one organization: step up with a password or passkey of your own, and with a second factor of your own if you have one.';
