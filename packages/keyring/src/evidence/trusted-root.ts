import { TrustedRoot } from '@sigstore/protobuf-specs';
import { type TrustMaterial, toTrustMaterial } from '@sigstore/verify';

type ReadRoot = { readonly root: TrustMaterial } | { readonly fault: string };

const lists = ['tlogs', 'certificateAuthorities', 'ctlogs', 'timestampAuthorities'] as const;

const findFault = (root: TrustedRoot, itemsMax: number): string | undefined => {
  if (lists.some((name) => root[name].length > itemsMax)) return `has more than ${itemsMax} authorities or logs of a kind`;
  if (root.certificateAuthorities.length === 0) return 'has no certificate authority';
  if (root.tlogs.length === 0) return 'has no transparency log';
  if (root.ctlogs.length === 0) return 'has no certificate transparency log';
  // A log without a start date would be trusted for any time.
  const logs = [...root.tlogs, ...root.ctlogs].every(({ publicKey, logId }) => publicKey?.validFor?.start && publicKey.rawBytes && logId);
  if (!logs) return 'has a log without a key or without the time from which the key is valid';
  const authorities = [...root.certificateAuthorities, ...root.timestampAuthorities];
  return authorities.every(({ validFor, certChain }) => validFor?.start && certChain && certChain.certificates.length > 0)
    ? undefined
    : 'has an authority without certificates or without the time from which it is valid';
};

/** Reads the authorities and logs of a signing service (TrustedRoot in JSON). `fault` continues a sentence about it. */
export const readTrustedRoot = (json: unknown, itemsMax: number): ReadRoot => {
  try {
    const root = TrustedRoot.fromJSON(json);
    const fault = findFault(root, itemsMax);
    return fault === undefined ? { root: toTrustMaterial(root) } : { fault };
  } catch {
    return { fault: 'cannot be read as the authorities and logs of a signing service' };
  }
};
