import { readWitnessKey, type WitnessKey } from '@svc/keyring/log/cosignature.ts';

/** Returns why nothing can be sent to an address, as the end of a sentence. */
export const findReceiverFault = (text: string): string | undefined => {
  const url = URL.parse(text);
  const isOne = url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '' && url.hash === '';
  return isOne ? undefined : 'is not an http or https address';
};

export type Witness = { readonly key: WitnessKey; readonly url: string };

/** Parses the setting of a witness, `key address`; returns a sentence if it is invalid. */
export const readWitness = (item: string): Witness | string => {
  const [text = '', url = '', ...more] = item.split(/\s+/);
  const key = readWitnessKey(text);
  if (key === undefined)
    return `"${item}" must begin with the key of a witness (name+id+base64) for Ed25519 cosignatures, with a matching id`;
  return more.length === 0 && findReceiverFault(url) === undefined && !url.includes('?')
    ? { key, url: url.replace(/(?<!\/)\/+$/, '') }
    : `the key of ${key.name} must be followed by an http or https address, such as https://witness.example`;
};

export const findWitnessFault = (item: string): string | undefined => {
  const read = readWitness(item);
  return typeof read === 'string' ? read : undefined;
};
