import type { Bodies } from './bodies-of.ts';

const signedBy = { id: 'AAAA', rawId: 'AAAA', type: 'public-key' };
const assertion = { ...signedBy, response: { clientDataJSON: 'AAAA', authenticatorData: 'AAAA', signature: 'AAAA' } };
const attestation = { ...signedBy, response: { clientDataJSON: 'AAAA', attestationObject: 'AAAA' } };

export const factorBodies: Bodies = {
  verifyMfa: { mfa_challenge: 'x', code: '000000' },
  prepareMfa: { mfa_challenge: 'x', method: 'DEVICE' },
  enrolTotp: {},
  confirmTotp: { code: '000000' },
  confirmFactor: {},
  preparePasskey: {},
  enrolPasskey: { passkey: attestation },
  regenerateRecoveryCodes: {},
  startPasskeySignIn: {},
  verifyPasskeySignIn: { passkey: assertion },
  resetMemberMfa: {},
  approveDevice: { number: 41 },
  denyDevice: {},
};
