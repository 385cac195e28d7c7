import { hash, type KeyObject } from 'node:crypto';
import type { PasskeyAssertion, PasskeyAttestation } from '@svc/contract/people/proofs.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { type Ceremony, newPasskeyChallenge, passkeyChallengeEnd } from './passkey-challenge.ts';
import type { RelyingParty } from './relying-party.ts';

/** Loaded for the first passkey: it imports a certificate library. */
const loadWebAuthn = () => import('@simplewebauthn/server');
const loadHelpers = () => import('@simplewebauthn/server/helpers');

/** A passkey as stored. */
export type StoredPasskey = {
  readonly credential_id: Buffer;
  readonly public_key: Buffer;
  readonly sign_count: number;
  readonly transports: readonly string[];
};

export type Asking = { readonly key: KeyObject; readonly party: RelyingParty; readonly ceremony: Ceremony; readonly now: Date };
export type Options = Record<string, unknown>;

const timeout = LIMITS.secondFactors.passkeyLifetimeSeconds * 1000;
/** Ed25519, ES256 and RS256. */
const ALGORITHMS = [-8, -7, -257];
const idOf = ({ credential_id }: Pick<StoredPasskey, 'credential_id'>): string => credential_id.toString('base64url');
// The library requires bytes in a buffer of their own.
const bytesOf = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => Uint8Array.from(bytes);
const challengeOf = ({ key, ceremony, now }: Asking) => bytesOf(newPasskeyChallenge(key, ceremony, now));

type Person = { readonly id: string; readonly name: string; readonly email: string };

/** Returns the options of `navigator.credentials.create`: a resident key with user verification. */
export const newAttestationOptions = async (asking: Asking, person: Person, enrolled: readonly StoredPasskey[]): Promise<Options> => {
  const { generateRegistrationOptions } = await loadWebAuthn();
  const options = await generateRegistrationOptions({
    rpName: 'Agent Governance',
    rpID: asking.party.id,
    userID: bytesOf(Buffer.from(person.id)),
    userName: person.email,
    userDisplayName: person.name,
    challenge: challengeOf(asking),
    timeout,
    attestationType: 'none',
    authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
    excludeCredentials: enrolled.map((each) => ({ id: idOf(each), transports: [...each.transports] })),
    supportedAlgorithmIDs: ALGORITHMS,
  });
  return { ...options };
};

/** Returns the options of `navigator.credentials.get`; without a list, any passkey of the user for this site is accepted. */
export const newAssertionOptions = async (asking: Asking, enrolled: readonly StoredPasskey[] = []): Promise<Options> => {
  const { generateAuthenticationOptions } = await loadWebAuthn();
  const options = await generateAuthenticationOptions({
    rpID: asking.party.id,
    challenge: challengeOf(asking),
    timeout,
    userVerification: 'required',
    allowCredentials: enrolled.map((each) => ({ id: idOf(each), transports: [...each.transports] })),
  });
  return { ...options };
};

/** A used challenge: the hash to store, and until when. */
export type MetChallenge = { readonly hash: Buffer; readonly end: Date };

/** Returns a check of the challenge that a client claims to have signed; it accepts one of this ceremony and remembers it. */
const newExpectation = ({ key, ceremony, now }: Asking) => {
  let met: MetChallenge | undefined;
  return {
    expectedChallenge: (challenge: string): boolean => {
      const end = passkeyChallengeEnd(key, ceremony, challenge, now);
      met = end && { hash: hash('sha256', challenge, 'buffer'), end };
      return met !== undefined;
    },
    met: () => met,
  };
};

/** Returns undefined if the library throws: the passkey is invalid for this ceremony, and the reason is not disclosed. */
const orUndefined = <Value>(asked: Promise<Value>): Promise<Value | undefined> => asked.catch(() => undefined);

/** Attestation of the authenticator's maker is not used, so certificates and their references are not read. */
const isUnattested = async ({ response }: PasskeyAttestation): Promise<boolean> => {
  const { decodeAttestationObject, isoBase64URL } = await loadHelpers();
  const attestation = decodeAttestationObject(isoBase64URL.toBuffer(response.attestationObject));
  const format = attestation.get('fmt');
  return format === 'none' || (format === 'packed' && attestation.get('attStmt').get('x5c') === undefined);
};

type Response<Method extends 'verifyRegistrationResponse' | 'verifyAuthenticationResponse'> = Parameters<
  Awaited<ReturnType<typeof loadWebAuthn>>[Method]
>[0]['response'];

export type NewPasskey = StoredPasskey & { readonly met: MetChallenge };

/** Reads a passkey that an authenticator created for this ceremony; undefined if it is invalid. */
export const readAttestation = async (asking: Asking, given: PasskeyAttestation): Promise<NewPasskey | undefined> => {
  if (!(await orUndefined(isUnattested(given)))) return undefined;
  const { verifyRegistrationResponse } = await loadWebAuthn();
  const { expectedChallenge, met } = newExpectation(asking);
  const read = await orUndefined(
    verifyRegistrationResponse({
      response: given as unknown as Response<'verifyRegistrationResponse'>,
      expectedChallenge,
      expectedOrigin: [...asking.party.origins],
      expectedRPID: asking.party.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    }),
  );
  const challenge = met();
  if (!read?.verified || !challenge) return undefined;
  const { id, publicKey, counter } = read.registrationInfo.credential;
  return {
    credential_id: Buffer.from(id, 'base64url'),
    public_key: Buffer.from(publicKey),
    sign_count: counter,
    transports: given.response.transports ?? [],
    met: challenge,
  };
};

export type Assertion = { readonly signCount: number; readonly met: MetChallenge };

/**
 * Verifies a passkey assertion of this ceremony and returns its signature counter, which must have increased if it is in use. Undefined if
 * it is invalid.
 */
export const readAssertion = async (asking: Asking, stored: StoredPasskey, given: PasskeyAssertion): Promise<Assertion | undefined> => {
  const { verifyAuthenticationResponse } = await loadWebAuthn();
  const { expectedChallenge, met } = newExpectation(asking);
  const read = await orUndefined(
    verifyAuthenticationResponse({
      response: given as unknown as Response<'verifyAuthenticationResponse'>,
      expectedChallenge,
      expectedOrigin: [...asking.party.origins],
      expectedRPID: asking.party.id,
      requireUserVerification: true,
      credential: { id: idOf(stored), publicKey: bytesOf(stored.public_key), counter: stored.sign_count },
    }),
  );
  const challenge = met();
  return read?.verified && challenge ? { signCount: read.authenticationInfo.newCounter, met: challenge } : undefined;
};
