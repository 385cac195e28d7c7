import { readBase64, readBase64Url } from '../bytes/canonical-base64.ts';
import { findOtherKind } from './other-kinds.ts';
import { type ReadPublicKey, readPublicKey, SPKI_HEAD } from './read-public-key.ts';

/** A public key in one of its usual forms: base64 of its SPKI form, PEM, or a JWK. */
export type GivenPublicKey = string | Readonly<Record<string, unknown>>;

const FORMS = 'base64 of its SPKI form, PEM (BEGIN PUBLIC KEY), or a JWK (kty OKP, crv Ed25519, x)';
const refused = (reason: string): ReadPublicKey => ({ ok: false, reason });
const PRIVATE = refused(
  'This is a private key, which allows its holder to act as the agent. It was not stored. Treat it as compromised, create a new key pair, and send only the public key.',
);

/** Far more than the longest PEM or JWK of an Ed25519 key, so that an RSA key can be named as such. */
const CHARS_MAX = 4_000;
/** The beginning of a DER PKCS8 private key of any algorithm: a sequence whose first member is the version. */
const PKCS8_BEGINS = /^30(?:8[12](?:..){1,2}|..)02010[01]30/;

const isPkcs8 = (der: Buffer | null): boolean => der !== null && PKCS8_BEGINS.test(der.subarray(0, 12).toString('hex'));

const otherKind = (kind: string): ReadPublicKey =>
  refused(`The key type ${kind} is not supported; must be Ed25519. Create a key pair with "openssl genpkey -algorithm ed25519".`);

const ofText = (text: string): ReadPublicKey => {
  const der = readBase64(text);
  if (isPkcs8(der)) return PRIVATE;
  const kind = der === null ? undefined : findOtherKind(der);
  return kind === undefined ? readPublicKey(text) : otherKind(kind);
};

const BEGIN = '-----BEGIN PUBLIC KEY-----';
const END = '-----END PUBLIC KEY-----';

/** Reads PEM (RFC 7468): one block and nothing else; line breaks do not matter. */
const ofPem = (pem: string): ReadPublicKey => {
  const text = pem.trim();
  if (/\\[rn]/.test(text))
    return refused('The PEM contains escaped line breaks (a backslash and a letter). Send real line breaks, or none.');
  if (text.startsWith('-----BEGIN RSA PUBLIC KEY-----')) return otherKind('RSA');
  if (!text.startsWith(BEGIN) || !text.endsWith(END) || text.length > CHARS_MAX)
    return refused(`The public key must be one PEM block: send ${FORMS}.`);
  return ofText(text.slice(BEGIN.length, -END.length).replaceAll(/[ \t\r\n]/g, ''));
};

/** Reads a JWK (RFC 8037). A stated use must be signing; members about its owner are ignored. */
const ofJwk = (jwk: Readonly<Record<string, unknown>>): ReadPublicKey => {
  if ('d' in jwk || 'k' in jwk) return PRIVATE;
  const raw = typeof jwk.x === 'string' && jwk.x.length < CHARS_MAX ? readBase64Url(jwk.x) : null;
  if (jwk.kty !== 'OKP' || jwk.crv !== 'Ed25519' || raw === null) return refused(`The JWK must be an Ed25519 public key: send ${FORMS}.`);
  if (jwk.use !== undefined && jwk.use !== 'sig') return refused('The JWK must be a key for signing (use).');
  if (jwk.alg !== undefined && jwk.alg !== 'EdDSA' && jwk.alg !== 'Ed25519')
    return refused('The algorithm of the JWK must be EdDSA (alg).');
  return readPublicKey(Buffer.concat([SPKI_HEAD, raw]).toString('base64'));
};

/**
 * Reads an Ed25519 public key in any of its forms; the same key has one `spki` and one thumbprint in every form, and a weak one is rejected
 * in
 * each. A private key is rejected as such. `reason` is a sentence for the caller and never repeats the input.
 */
export const parsePublicKey = (given: GivenPublicKey): ReadPublicKey => {
  if (typeof given !== 'string') return ofJwk(given);
  if (given.includes('PRIVATE KEY-----') || /^\s*\{.*"[dk]"\s*:/s.test(given)) return PRIVATE;
  if (given.includes('-----BEGIN')) return ofPem(given);
  if (given.trimStart().startsWith('{')) return refused('A JWK must be a JSON object, not a string.');
  if (given.startsWith('ssh-')) return refused(`The OpenSSH format is not supported: send ${FORMS}.`);
  return ofText(given);
};
