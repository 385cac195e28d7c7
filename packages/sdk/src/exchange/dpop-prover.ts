import { base64Url, encoded, encoder } from '../wire/encode-parts.ts';
import type { GatewayRequest } from './exchange.ts';

const JTI_BYTES = 18;
/** How a token that is bound to a key begins in the header Authorization. */
const BOUND = 'DPoP ';

/** Proofs that this client holds the key that its tokens are bound to (RFC 9449). */
export type DpopProver = {
  readonly isRequired: () => boolean;
  readonly require: () => void;
  /** Public address of the gateway, which proofs name. Set with each sign-in. */
  readonly useAddress: (address: string) => void;
  readonly useNonce: (nonce: string) => void;
  /** The header DPoP of a request; undefined for one that needs none. Each proof is used once. */
  readonly prove: (request: GatewayRequest) => Promise<string | undefined>;
};

type Options = { readonly nowMs: () => number; readonly isRequired: boolean; readonly signInPaths: readonly string[] };

const hashText = async (text: string): Promise<string> =>
  base64Url(new Uint8Array(await crypto.subtle.digest('SHA-256', encoder.encode(text))));

/** Makes a key when the first proof is needed. It can sign and cannot be read. */
export const newDpopProver = ({ nowMs, isRequired: startsRequired, signInPaths }: Options): DpopProver => {
  let isRequired = startsRequired;
  let [address, nonce] = ['', ''];
  let key: Promise<CryptoKeyPair> | undefined;
  const loadKey = (): Promise<CryptoKeyPair> => {
    key ??= crypto.subtle.generateKey({ name: 'Ed25519' }, false, ['sign', 'verify']) as Promise<CryptoKeyPair>;
    return key;
  };
  const sign = async ({ method, path }: GatewayRequest, token: string | undefined): Promise<string> => {
    const { privateKey, publicKey } = await loadKey();
    const { kty, crv, x } = await crypto.subtle.exportKey('jwk', publicKey);
    const header = encoded({ alg: 'EdDSA', typ: 'dpop+jwt', jwk: { kty, crv, x } });
    const payload = encoded({
      ...{ htm: method, htu: `${address}${path.split('?', 1)[0]}`, iat: Math.floor(nowMs() / 1000), nonce },
      jti: base64Url(crypto.getRandomValues(new Uint8Array(JTI_BYTES))),
      ...(token === undefined ? {} : { ath: await hashText(token) }),
    });
    const signature = await crypto.subtle.sign({ name: 'Ed25519' }, privateKey, encoder.encode(`${header}.${payload}`));
    return `${header}.${payload}.${base64Url(new Uint8Array(signature))}`;
  };
  return {
    isRequired: () => isRequired,
    require: () => {
      isRequired = true;
    },
    useAddress: (given) => {
      address = given;
    },
    useNonce: (given) => {
      nonce = given;
    },
    prove: async (request) => {
      const { authorization } = request.headers ?? {};
      if (authorization?.startsWith(BOUND)) return sign(request, authorization.slice(BOUND.length));
      return isRequired && signInPaths.includes(request.path) ? sign(request, undefined) : undefined;
    },
  };
};

/** The header Authorization of a token as `TokenHolder` keeps it. */
export const writeAuthorization = (token: string): string => (token.startsWith(BOUND) ? token : `Bearer ${token}`);

/** A token as `TokenHolder` keeps it: with its scheme if it is bound to a key. */
export const withScheme = ({ token, token_type }: { readonly token: string; readonly token_type: string }): string =>
  token_type === 'DPoP' ? `${BOUND}${token}` : token;
