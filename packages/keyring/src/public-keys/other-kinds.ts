/** Object identifiers of common key types, as hex of their DER (RFC 3279, RFC 4055, RFC 5480, RFC 8410). */
const KINDS: Readonly<Record<string, string>> = {
  '2a864886f70d010101': 'RSA',
  '2a864886f70d01010a': 'RSA-PSS',
  '2a8648ce380401': 'DSA',
  '2a8648ce3d0201': 'EC (ECDSA)',
  '2b656e': 'X25519',
  '2b656f': 'X448',
  '2b6571': 'Ed448',
};

const LENGTH = '(?:82....|81..|[0-7].)';
/** DER of a SubjectPublicKeyInfo: a sequence of a sequence that begins with the identifier of the algorithm. */
const SPKI_BEGINS = new RegExp(`^30${LENGTH}30${LENGTH}06..(${Object.keys(KINDS).join('|')})`);
const BEGIN_BYTES = 32;

/** Returns the common name of the key type of a DER SPKI key other than Ed25519; undefined for anything else. */
export const findOtherKind = (der: Buffer): string | undefined =>
  KINDS[SPKI_BEGINS.exec(der.subarray(0, BEGIN_BYTES).toString('hex'))?.[1] ?? ''];
