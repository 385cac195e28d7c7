import type { PasskeyAssertion } from '@svc/contract/people/proofs.ts';
import type { Ceremony } from '@svc/keyring/factors/passkey-challenge.ts';
import type { SentFactor } from '@svc/operations/people/second-factors/check-factor.ts';

type Body = { readonly code?: string; readonly recovery_code?: string; readonly passkey?: PasskeyAssertion };

/** Reads the second-factor proofs in a body; its passkey is for one ceremony. */
export const readFactors = ({ code, recovery_code, passkey }: Body, ceremony: Ceremony): SentFactor[] => [
  ...(code === undefined ? [] : [{ kind: 'TOTP', code } as const]),
  ...(recovery_code === undefined ? [] : [{ kind: 'RECOVERY_CODE', code: recovery_code } as const]),
  ...(passkey === undefined ? [] : [{ kind: 'PASSKEY', assertion: passkey, ceremony } as const]),
];
