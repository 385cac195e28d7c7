import type { KeyObject } from 'node:crypto';
import { keyedDigest } from '@svc/keyring/bytes/keyed-digest.ts';
import { openEnvelope, sealEnvelope } from '@svc/keyring/sealed/envelope.ts';
import { deriveKey } from '@svc/keyring/sealed/master-key.ts';

/** Data of a sign-up until its address is proved. */
export type Applicant = {
  readonly email: string;
  readonly name: string;
  readonly organizationName: string;
  readonly passwordHash: string;
  readonly setup_token: string | null;
};

/** Keys that protect pending sign-ups. */
export type SignUpDesk = {
  /** Digest of an address, independent of case. */
  readonly emailKey: (email: string) => string;
  readonly seal: (id: string, applicant: Applicant) => Buffer;
  readonly open: (waiting: { readonly id: string; readonly sealed: Buffer }) => Applicant;
  /** Key for the hashes of codes. */
  readonly codeKey: KeyObject;
};

const getPlace = (id: string): string => `sign_ups/${id}`;

export const getNewSignUpDesk = (masterKey: KeyObject): SignUpDesk => {
  const [sealing, digests, codeKey] = [
    deriveKey(masterKey, 'sign-up-sealing'),
    deriveKey(masterKey, 'address-digests'),
    deriveKey(masterKey, 'code-hashing'),
  ];
  return {
    emailKey: (email) => keyedDigest(digests, `sign-up ${email.toLowerCase()}`),
    seal: (id, applicant) => sealEnvelope(sealing, Buffer.from(JSON.stringify(applicant)), getPlace(id)),
    open: ({ id, sealed }) => JSON.parse(openEnvelope(sealing, sealed, getPlace(id)).toString('utf8')) as Applicant,
    codeKey,
  };
};
