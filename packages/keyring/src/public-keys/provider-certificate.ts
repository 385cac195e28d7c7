import { X509Certificate } from 'node:crypto';

/** The pinned certificate of an identity provider's signing key. Its issuer is not checked. */
export type ProviderCertificate = {
  readonly pem: string;
  /** Fingerprint of the whole certificate, in hexadecimal digits. */
  readonly sha256: string;
  readonly not_before: string;
  readonly not_after: string;
};

const RSA_BITS = { from: 2_048, to: 8_192 };
const ONE_PEM = /^-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----$/;
const BASE64 = /^[A-Za-z0-9+/=\s]+$/;

const parseCertificate = (text: string): X509Certificate | undefined => {
  const trimmed = text.trim();
  const isPem = ONE_PEM.test(trimmed);
  if (!isPem && !BASE64.test(trimmed)) return undefined;
  try {
    return new X509Certificate(isPem ? trimmed : Buffer.from(trimmed, 'base64'));
  } catch {
    return undefined;
  }
};

/** Parses one certificate in PEM, or in base64 as in SAML metadata; returns the fault if it is not accepted. */
export const readProviderCertificate = (text: string): ProviderCertificate | { readonly fault: string } => {
  const certificate = parseCertificate(text);
  if (certificate === undefined) return { fault: 'Must be one X.509 certificate, in PEM or base64.' };
  const { asymmetricKeyType, asymmetricKeyDetails } = certificate.publicKey;
  const bits = asymmetricKeyDetails?.modulusLength ?? 0;
  if (asymmetricKeyType !== 'rsa' || bits < RSA_BITS.from || bits > RSA_BITS.to)
    return { fault: `The key of the certificate must be an RSA key of ${RSA_BITS.from} to ${RSA_BITS.to} bits.` };
  return {
    pem: certificate.toString(),
    sha256: certificate.fingerprint256.replaceAll(':', '').toLowerCase(),
    not_before: certificate.validFromDate.toISOString(),
    not_after: certificate.validToDate.toISOString(),
  };
};

/** Returns true if a certificate is valid at a time. */
export const isCertificateValid = (pem: string, now: Date): boolean => {
  const read = readProviderCertificate(pem);
  return !('fault' in read) && Date.parse(read.not_before) <= now.getTime() && now.getTime() <= Date.parse(read.not_after);
};
