import { Type } from 'typebox';

/** Public key as responses state it. */
export const publicKey = Type.String({ minLength: 1, maxLength: 200, description: 'Ed25519 public key, base64-encoded SPKI.' });

const jwkMember = (description: string, example: string) =>
  Type.Optional(Type.String({ maxLength: 4_000, description, examples: [example] }));
/** RFC 8037 without strictness: the reader checks each member, so that a private key or another key type gets an exact error. */
const publicJwk = Type.Object(
  {
    kty: Type.String({ maxLength: 100, description: 'OKP.', examples: ['OKP'] }),
    crv: jwkMember('Ed25519.', 'Ed25519'),
    x: jwkMember('The 32 bytes of the key, base64url-encoded.', '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo'),
    use: jwkMember('sig, if present.', 'sig'),
    alg: jwkMember('EdDSA or Ed25519, if present.', 'EdDSA'),
    kid: jwkMember('Ignored.', 'key-1'),
  },
  { maxProperties: 16, description: 'JWK of an Ed25519 public key: kty, crv and x.' },
);
/**
 * Public key in any accepted form; responses always use base64 of the SPKI form. The maximum exceeds the length of any such key, so that
 * other texts get an exact error.
 */
export const publicKeyInput = Type.Unsafe<string | Readonly<Record<string, unknown>>>({
  anyOf: [Type.String({ minLength: 1, maxLength: 8_000, description: 'Base64-encoded SPKI, or PEM.' }), publicJwk],
  description: 'Ed25519 public key: base64-encoded SPKI, PEM (BEGIN PUBLIC KEY) or a JWK. Never a private key.',
});
