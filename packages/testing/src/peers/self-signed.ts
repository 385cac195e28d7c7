import { createSign, generateKeyPairSync, randomBytes } from 'node:crypto';

/** A key with its self-signed certificate (X.509). */
export type SelfSigned = { readonly privateKey: string; readonly certificate: string };

const encodeDer = (tag: number, ...parts: readonly Buffer[]): Buffer => {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
};
const encodeSequence = (...parts: readonly Buffer[]): Buffer => encodeDer(0x30, ...parts);
const encodeIdentifier = (hex: string): Buffer => encodeDer(0x06, Buffer.from(hex, 'hex'));
const encodeTime = (at: Date): Buffer => encodeDer(0x18, Buffer.from(`${at.toISOString().replaceAll(/[-:T]/g, '').slice(0, 14)}Z`));

const SHA256_WITH_RSA = encodeSequence(encodeIdentifier('2a864886f70d01010b'), encodeDer(0x05));
const COMMON_NAME = encodeIdentifier('550403');
const DAY_MS = 86_400_000;

const encodePem = (bytes: Buffer): string =>
  `-----BEGIN CERTIFICATE-----\n${bytes.toString('base64').replaceAll(/.{64}/g, '$&\n').trim()}\n-----END CERTIFICATE-----\n`;

const encodeName = (name: string): Buffer =>
  encodeSequence(encodeDer(0x31, encodeSequence(COMMON_NAME, encodeDer(0x0c, Buffer.from(name)))));

type CertificateFields = { readonly name: string; readonly issuer: string; readonly days: number; readonly spki: Buffer };

/** Builds the content of a certificate before it is signed (TBSCertificate). */
const buildTbsCertificate = ({ name, issuer, days, spki }: CertificateFields): Buffer => {
  const now = Date.now();
  const validity = encodeSequence(encodeTime(new Date(now - 2 * DAY_MS)), encodeTime(new Date(now + days * DAY_MS)));
  const version = encodeDer(0xa0, encodeDer(0x02, Buffer.from([2])));
  const serial = encodeDer(0x02, Buffer.from([1, ...Buffer.from(name).subarray(0, 8)]));
  return encodeSequence(version, serial, SHA256_WITH_RSA, encodeName(issuer), validity, encodeName(name), spki);
};

const buildCertificate = (body: Buffer, signature: Buffer): string =>
  encodePem(encodeSequence(body, SHA256_WITH_RSA, encodeDer(0x03, Buffer.from([0]), signature)));

type CertificateOptions = Partial<Record<'days' | 'bits', number> & Record<'name' | 'issuer', string>>;

/** Creates a key with a self-signed certificate, valid from two days ago until `days` days from now. */
export const createSelfSigned = ({ days = 30, bits = 2_048, name = 'a test', issuer }: CertificateOptions = {}): SelfSigned => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: bits });
  const body = buildTbsCertificate({ name, issuer: issuer ?? name, days, spki: publicKey.export({ format: 'der', type: 'spki' }) });
  const certificate = buildCertificate(body, createSign('sha256').update(body).sign(privateKey));
  return { privateKey: privateKey.export({ format: 'pem', type: 'pkcs8' }) as string, certificate };
};

/** Encodes a random positive odd integer of `bytes` bytes that begins with `first`. */
const encodeInteger = (bytes: number, first: number): Buffer =>
  encodeDer(0x02, Buffer.from([0, first]), randomBytes(bytes - 2), Buffer.from([1]));

/**
 * Builds a chain of fake certificates, about 1,300 bytes each, that take about 10 ms each to verify: the exponents are as long as the
 * keys.
 */
export const buildExpensiveChain = (name: string, length: number): SelfSigned => {
  const key = createSelfSigned({ name, issuer: 'expensive 1' });
  const certificates = Array.from({ length }, (_, index) => {
    const numbers = encodeSequence(encodeInteger(384, 0xff), encodeInteger(384, 0xbf));
    const spki = encodeSequence(
      encodeSequence(encodeIdentifier('2a864886f70d010101'), encodeDer(0x05)),
      encodeDer(0x03, Buffer.from([0]), numbers),
    );
    const body = buildTbsCertificate({
      name: `expensive ${index + 1}`,
      issuer: `expensive ${Math.min(index + 2, length)}`,
      days: 30,
      spki,
    });
    return buildCertificate(body, Buffer.concat([Buffer.from([1]), randomBytes(383)]));
  });
  return { privateKey: key.privateKey, certificate: [key.certificate, ...certificates].join('') };
};
