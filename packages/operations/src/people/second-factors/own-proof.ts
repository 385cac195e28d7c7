/** Message for a session whose proofs count in one organization only and that changes something which counts in all. */
export const OWN_PROOF =
  'This session rests on the single sign-on of one organization: step up with a password or passkey of your own, and with a second factor of your own if you have one.';
