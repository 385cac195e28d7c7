import type { KeyObject } from 'node:crypto';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { Secret, TOTP } from 'otpauth';
import { openEnvelope, sealEnvelope } from '../sealed/envelope.ts';

/**
 * The form that every authenticator app supports (RFC 6238), though the standard has stronger hashes: HMAC-SHA-1, six digits, 30 seconds.
 */
const FORM = { algorithm: 'SHA1', digits: LIMITS.codes.digitCount, period: 30 } as const;
/** The length of the digest, as RFC 4226 recommends. */
const SECRET_BYTES = 20;
/** The name that the app shows above the codes. */
const ISSUER = 'Agent Governance';

/** The user and row that a TOTP secret is sealed for. */
export type TotpPlace = { readonly user_id: string; readonly id: string };

const getPlace = ({ user_id, id }: TotpPlace): string => `second_factors/${user_id}/${id}/secret`;

export type NewTotp = { readonly sealed: Buffer; readonly secret: string; readonly url: string };

/** Creates a TOTP secret: sealed, to be stored, and in the two forms that the user can enter. */
export const newTotp = (sealingKey: KeyObject, place: TotpPlace, label: string): NewTotp => {
  const secret = new Secret({ size: SECRET_BYTES });
  const url = new TOTP({ ...FORM, secret, issuer: ISSUER, label }).toString();
  return { sealed: sealEnvelope(sealingKey, secret.bytes, getPlace(place)), secret: secret.base32, url };
};

/** ASCII digits only: a lenient reading of Unicode digits would turn one code into many. */
const isCode = (text: string): boolean => /^[0-9]{6}$/.test(text);

/** Returns the time step of a code, within the allowed steps around now; undefined if it matches none. Compares in constant time. */
export const findTotpStep = (sealingKey: KeyObject, place: TotpPlace, sealed: Uint8Array, code: string, now: Date): number | undefined => {
  if (!isCode(code)) return undefined;
  const bytes = openEnvelope(sealingKey, sealed, getPlace(place));
  const secret = new Secret({ buffer: Uint8Array.from(bytes).buffer });
  const aside = TOTP.validate({ ...FORM, secret, token: code, timestamp: now.getTime(), window: LIMITS.secondFactors.stepsAsideMax });
  return aside === null ? undefined : Math.floor(now.getTime() / (FORM.period * 1000)) + aside;
};
