/** A key pair made by this browser. The private key never leaves the page unless the person saves it. */
export type AgentKey = { readonly publicKey: string; readonly privateKey: string };

const base64 = (bytes: ArrayBuffer): string => btoa(String.fromCharCode(...new Uint8Array(bytes)));

/** Creates an Ed25519 key pair; undefined where the browser cannot. */
export const createAgentKey = async (): Promise<AgentKey | undefined> => {
  // Only there over https and on localhost, and not for Ed25519 in every browser.
  const [made] = await Promise.allSettled([
    Promise.resolve().then(() => crypto.subtle.generateKey({ name: 'Ed25519' }, true, ['sign', 'verify'])),
  ]);
  if (made.status === 'rejected') return undefined;
  const { publicKey, privateKey } = made.value as CryptoKeyPair;
  const [spki, pkcs8] = await Promise.all([crypto.subtle.exportKey('spki', publicKey), crypto.subtle.exportKey('pkcs8', privateKey)]);
  return { publicKey: base64(spki), privateKey: base64(pkcs8) };
};
