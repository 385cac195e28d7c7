import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

/** CBOR (RFC 8949) of integers, bytes, texts and maps: the subset that authenticators use. */
type Cbor = number | string | Uint8Array | ReadonlyMap<string | number, Cbor>;

const head = (major: number, count: number): Buffer => {
  if (count < 24) return Buffer.from([(major << 5) | count]);
  if (count < 256) return Buffer.from([(major << 5) | 24, count]);
  return Buffer.from([(major << 5) | 25, count >> 8, count & 0xff]);
};

export const encodeCbor = (value: Cbor): Buffer => {
  if (typeof value === 'number') return value >= 0 ? head(0, value) : head(1, -1 - value);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value]);
  return Buffer.concat([head(5, value.size), ...[...value].flatMap(([key, item]) => [encodeCbor(key), encodeCbor(item)])]);
};

const sha256 = (data: string | Uint8Array): Buffer => createHash('sha256').update(data).digest();
const PRESENT = 0x01;
const VERIFIED = 0x04;
const ATTESTED = 0x40;

/** Deviations of a forged ceremony. */
export type Bent = {
  readonly origin?: string;
  readonly rpId?: string;
  readonly challenge?: string;
  readonly isUnverified?: boolean;
  readonly type?: string;
  /** The signature count; defaults to the next one. */
  readonly signCount?: number;
  readonly key?: KeyObject;
};

type Options = { readonly challenge: string; readonly rp?: { readonly id: string }; readonly rpId?: string };

const getClientData = (origin: string, type: string, options: Options, bent: Bent): Buffer =>
  Buffer.from(
    JSON.stringify({
      type: bent.type ?? type,
      challenge: bent.challenge ?? options.challenge,
      origin: bent.origin ?? origin,
      crossOrigin: false,
    }),
  );

const getAuthenticatorData = (options: Options, signCount: number, bent: Bent, attested: Buffer = Buffer.alloc(0)): Buffer => {
  const flags = PRESENT | (bent.isUnverified ? 0 : VERIFIED) | (attested.length > 0 ? ATTESTED : 0);
  const count = Buffer.alloc(4);
  count.writeUInt32BE(bent.signCount ?? signCount);
  return Buffer.concat([sha256(bent.rpId ?? options.rp?.id ?? options.rpId ?? ''), Buffer.from([flags]), count, attested]);
};

/** Creates a passkey: its private half, and the public one in the format of authenticators (COSE, RFC 9052). */
const newPasskey = () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const cose = new Map<number, Cbor>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, Buffer.from(x, 'base64url')],
    [-3, Buffer.from(y, 'base64url')],
  ]);
  return { privateKey, cose: encodeCbor(cose), id: randomBytes(32) };
};

/** Creates a software authenticator (WebAuthn) with one ES256 passkey that claims user verification. */
export const newAuthenticator = (origin: string) => {
  const { privateKey, cose, id } = newPasskey();
  let signCount = 0;
  let userHandle = '';
  const credential = { id: id.toString('base64url'), rawId: id.toString('base64url'), type: 'public-key', clientExtensionResults: {} };
  return {
    id: credential.id,
    /** Returns the result of `navigator.credentials.create`. */
    create: (options: Options & { readonly user: { readonly id: string } }, bent: Bent = {}) => {
      userHandle = options.user.id;
      const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, cose]);
      const attestation = new Map<string, Cbor>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', getAuthenticatorData(options, signCount, bent, attested)],
      ]);
      const response = {
        clientDataJSON: getClientData(origin, 'webauthn.create', options, bent).toString('base64url'),
        attestationObject: encodeCbor(attestation).toString('base64url'),
        transports: ['internal'],
      };
      return { ...credential, response };
    },
    /** Returns the result of `navigator.credentials.get`. */
    get: (options: Options, bent: Bent = {}) => {
      signCount += 1;
      const data = getAuthenticatorData(options, signCount, bent);
      const client = getClientData(origin, 'webauthn.get', options, bent);
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), bent.key ?? privateKey);
      const response = {
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: signature.toString('base64url'),
        userHandle,
      };
      return { ...credential, response };
    },
  };
};

export type Authenticator = ReturnType<typeof newAuthenticator>;
