import { createSign, generateKeyPairSync, randomBytes } from 'node:crypto';

/** A key with its self-signed certificate (X.509). */
export type SelfSigned = { readonly privateKey: string; readonly certificate: string };

const der = (tag: number, ...parts: readonly Buffer[]): Buffer => {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
};
const sequence = (...parts: readonly Buffer[]): Buffer => der(0x30, ...parts);
const identifier = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'));
const time = (at: Date): Buffer => der(0x18, Buffer.from(`${at.toISOString().replaceAll(/[-:T]/g, '').slice(0, 14)}Z`));

const SHA256_WITH_RSA = sequence(identifier('2a864886f70d01010b'), der(0x05));
const COMMON_NAME = identifier('550403');
const DAY_MS = 86_400_000;

const pem = (bytes: Buffer): string =>
  `-----BEGIN CERTIFICATE-----\n${bytes.toString('base64').replaceAll(/.{64}/g, '$&\n').trim()}\n-----END CERTIFICATE-----\n`;

const getName = (name: string): Buffer => sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from(name)))));

type Certified = { readonly name: string; readonly issuer: string; readonly days: number; readonly spki: Buffer };

/** Builds the content of a certificate before it is signed. */
const getBody = ({ name, issuer, days, spki }: Certified): Buffer => {
  const now = Date.now();
  const validity = sequence(time(new Date(now - 2 * DAY_MS)), time(new Date(now + days * DAY_MS)));
  const version = der(0xa0, der(0x02, Buffer.from([2])));
  const serial = der(0x02, Buffer.from([1, ...Buffer.from(name).subarray(0, 8)]));
  return sequence(version, serial, SHA256_WITH_RSA, getName(issuer), validity, getName(name), spki);
};

const signed = (body: Buffer, signature: Buffer): string => pem(sequence(body, SHA256_WITH_RSA, der(0x03, Buffer.from([0]), signature)));

type SelfSignedOptions = Partial<Record<'days' | 'bits', number> & Record<'name' | 'issuer', string>>;

/** Valid from a day ago, for so many days from now. */
export const newSelfSigned = ({ days = 30, bits = 2_048, name = 'a test', issuer }: SelfSignedOptions = {}): SelfSigned => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: bits });
  const body = getBody({ name, issuer: issuer ?? name, days, spki: publicKey.export({ format: 'der', type: 'spki' }) });
  const certificate = signed(body, createSign('sha256').update(body).sign(privateKey));
  return { privateKey: privateKey.export({ format: 'pem', type: 'pkcs8' }) as string, certificate };
};

/** Encodes a positive integer of so many bytes. */
const integer = (bytes: number, first: number): Buffer => der(0x02, Buffer.from([0, first]), randomBytes(bytes - 2), Buffer.from([1]));

/**
 * Builds a chain of fake certificates, about 1,300 bytes each, that take some ten milliseconds each to verify: the exponents are as long as
 * the keys.
 */
export const buildNewExpensiveChain = (name: string, length: number): SelfSigned => {
  const key = newSelfSigned({ name, issuer: 'dear 1' });
  const dear = Array.from({ length }, (_, index) => {
    const numbers = sequence(integer(384, 0xff), integer(384, 0xbf));
    const spki = sequence(sequence(identifier('2a864886f70d010101'), der(0x05)), der(0x03, Buffer.from([0]), numbers));
    const body = getBody({ name: `dear ${index + 1}`, issuer: `dear ${Math.min(index + 2, length)}`, days: 30, spki });
    return signed(body, Buffer.concat([Buffer.from([1]), randomBytes(383)]));
  });
  return { privateKey: key.privateKey, certificate: [key.certificate, ...dear].join('') };
};
