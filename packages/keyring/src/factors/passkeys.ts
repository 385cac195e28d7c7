import { hash, type KeyObject } from 'node:crypto';
import type { PasskeyAssertion, PasskeyAttestation } from '@svc/contract/people/proofs.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { type Ceremony, newPasskeyChallenge, passkeyChallengeEnd } from './passkey-challenge.ts';
import type { RelyingParty } from './relying-party.ts';

/** Loaded when the first passkey is asked for: it brings a library of certificates along. */
const loadWebAuthn = () => import('@simplewebauthn/server');
const loadHelpers = () => import('@simplewebauthn/server/helpers');

/** A passkey as it is kept. */
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
// The library wants bytes in a buffer of their own.
const bytesOf = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => Uint8Array.from(bytes);
const challengeOf = ({ key, ceremony, now }: Asking) => bytesOf(newPasskeyChallenge(key, ceremony, now));

type Person = { readonly id: string; readonly name: string; readonly email: string };

/** What `navigator.credentials.create` takes: a passkey that the authenticator keeps (resident key), and that asks who uses it. */
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

/** What `navigator.credentials.get` takes; without passkeys any that the person has here will do. */
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

/** A challenge that was met: what has to be kept of it, and until when. */
export type MetChallenge = { readonly hash: Buffer; readonly end: Date };

/** Takes the challenge that a client says it signed, if it is one of this ceremony, and remembers which it was. */
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

/** Whatever is wrong with it, the library throws; it is then no passkey of this ceremony, and why is nobody's business. */
const orUndefined = <Value>(asked: Promise<Value>): Promise<Value | undefined> => asked.catch(() => undefined);

/** Nothing is read of who made an authenticator, so nothing of it is looked at: neither certificates nor what they point to. */
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

/** The passkey that an authenticator made for this ceremony; undefined where it is none. */
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

/** What a passkey says in this ceremony: the count of its signatures, which has to have grown where it counts. Undefined where it is wrong. */
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
