const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

const notAKey = (): TypeError => new TypeError('privateKey must be the base64 PKCS8 form of an Ed25519 private key.');

const bytesOf = (base64: string): Uint8Array<ArrayBuffer> => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));

export type SigningKey = { readonly sign: (bytes: Uint8Array<ArrayBuffer>) => Promise<ArrayBuffer> };

/**
 * Takes a private key in. From the first signature on it lives only inside the runtime, where it can sign and cannot be read.
 * Throws TypeError, which says nothing of what was given: at once for a text that is no key, at the first signature for a key of another kind.
 */
export const importPrivateKey = (base64: string): SigningKey => {
  const text = typeof base64 === 'string' ? base64.trim() : '';
  if (text === '' || !BASE64.test(text)) throw notAKey();
  let bytes: Uint8Array<ArrayBuffer> | undefined = bytesOf(text);
  const load = async () => {
    if (!bytes) throw notAKey();
    const given = bytes;
    bytes = undefined;
    try {
      return await crypto.subtle.importKey('pkcs8', given, { name: 'Ed25519' }, false, ['sign']);
    } catch {
      throw notAKey();
    } finally {
      given.fill(0);
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
