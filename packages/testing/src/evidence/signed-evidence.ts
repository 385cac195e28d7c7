import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';

const base64url = (value: object | string | Buffer): string =>
  (Buffer.isBuffer(value) ? value : Buffer.from(typeof value === 'string' ? value : JSON.stringify(value))).toString('base64url');

/** A key of a provider of evidence, with functions that sign. */
export type EvidenceKey = {
  readonly jwk: { readonly kty: string; readonly crv: string; readonly x: string; readonly kid: string };
  readonly privateKey: KeyObject;
  /** Signs a compact JWS. Members of `header` replace those of a genuine one. */
  readonly token: (claims: object, header?: object) => string;
  /** Signs a DSSE envelope of an in-toto statement. */
  readonly envelope: (statement: object, payloadType?: string) => string;
  /** Signs an agent card with a detached signature over its canonical form. Members must be given in their order. */
  readonly card: (card: object) => string;
};

/** Signs with Ed25519. */
export const newEvidenceKey = (kid = 'evidence-key'): EvidenceKey => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const { x = '' } = publicKey.export({ format: 'jwk' });
  const header = (more: object) => base64url({ alg: 'EdDSA', kid, ...more });
  const signed = (text: string | Buffer) => sign(null, Buffer.from(text), privateKey);
  return {
    jwk: { kty: 'OKP', crv: 'Ed25519', x, kid },
    privateKey,
    token: (claims, more = {}) => {
      const text = `${header(more)}.${base64url(claims)}`;
      return `${text}.${base64url(signed(text))}`;
    },
    envelope: (statement, payloadType = 'application/vnd.in-toto+json') => {
      const payload = Buffer.from(JSON.stringify(statement));
      const covered = Buffer.concat([Buffer.from(`DSSEv1 ${payloadType.length} ${payloadType} ${payload.length} `), payload]);
      const sig = signed(covered).toString('base64');
      return JSON.stringify({ payloadType, payload: payload.toString('base64'), signatures: [{ keyid: kid, sig }] });
    },
    card: (card) => {
      const protectedHeader = header({});
      const signature = base64url(signed(`${protectedHeader}.${base64url(card)}`));
      return JSON.stringify({ ...card, signatures: [{ protected: protectedHeader, signature }] });
    },
  };
};

/** Builds an in-toto statement about an artifact. */
export const newStatement = (sha256: string, predicateType: string, predicate: object = {}) => ({
  _type: 'https://in-toto.io/Statement/v1',
  subject: [{ name: 'agent', digest: { sha256 } }],
  predicateType,
  predicate,
});

const readFixture = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8');

/**
 * Returns a genuine bundle of a signing service, with its authorities and logs: a case of the public sigstore conformance suite
 * (Apache-2.0).
 */
export const getGenuineBundle = () => ({
  bundle: readFixture('bundle.sigstore.json'),
  trustedRoot: JSON.parse(readFixture('trusted_root.json')) as Record<string, unknown>,
  artifact: '330a043220fa13e01d68a7db39c89e12b0c4c3b6a0346fe624b0903f1303b5b2',
  identity: {
    issuer: 'https://token.actions.githubusercontent.com',
    subject:
      'https://github.com/sigstore-conformance/extremely-dangerous-public-oidc-beacon/.github/workflows/extremely-dangerous-oidc-beacon.yml@refs/heads/main',
  },
});

export const sha256Hex = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Formats a time like the API, so many days from now. */
export const formatInDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();
