const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

const notAKey = (): TypeError =>
  new TypeError('privateKey must be an Ed25519 private key: PEM (BEGIN PRIVATE KEY) or base64-encoded PKCS #8.');

/** RFC 7468: exactly one block, as openssl writes it, with any line lengths. */
const PEM = /^-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\s]*)-----END PRIVATE KEY-----$/;

const toBytes = (base64: string): Uint8Array<ArrayBuffer> => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));

export type SigningKey = { readonly sign: (bytes: Uint8Array<ArrayBuffer>) => Promise<ArrayBuffer> };

/**
 * Imports a private key from PEM or base64 PKCS8. From the first signature on it exists only inside the runtime as a non-extractable key.
 * Throws TypeError without details of the input: at once for a text that is no key, at the first signature for a key of another kind.
 */
export const importPrivateKey = (given: string): SigningKey => {
  const whole = typeof given === 'string' ? given.trim() : '';
  const text = PEM.exec(whole)?.[1]?.replaceAll(/\s/g, '') ?? whole;
  if (text === '' || !BASE64.test(text)) throw notAKey();
  let bytes: Uint8Array<ArrayBuffer> | undefined = toBytes(text);
  const load = async () => {
    if (!bytes) throw notAKey();
    const pkcs8 = bytes;
    bytes = undefined;
    try {
      return await crypto.subtle.importKey('pkcs8', pkcs8, { name: 'Ed25519' }, false, ['sign']);
    } catch {
      throw notAKey();
    } finally {
      pkcs8.fill(0);
    }
  };
  let key: ReturnType<typeof load> | undefined;
  return {
    sign: async (message) => {
      key ??= load();
      return crypto.subtle.sign({ name: 'Ed25519' }, await key, message);
    },
  };
};
