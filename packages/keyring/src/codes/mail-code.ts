import { createHmac, type KeyObject, randomInt } from 'node:crypto';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { constantTimeEqual } from '../bytes/constant-time-equal.ts';

const { digitCount } = LIMITS.codes;

/** A one-time code to be mailed [one-time password]: so many decimal digits, each of them as likely as any other. */
export const newMailCode = (): string => String(randomInt(10 ** digitCount)).padStart(digitCount, '0');

/** What is kept of a code: an HMAC-SHA256, since all codes are soon tried by whoever has a hash without key. `boundTo` names its one row. */
export const hashCode = (key: KeyObject, code: string, boundTo: string): Buffer =>
  createHmac('sha256', key).update(`${boundTo}\n${code}`, 'utf8').digest();

/** Whether it is the code of that row, in a time that tells nothing of how much of it is right. */
export const isCode = (key: KeyObject, code: string, boundTo: string, kept: Uint8Array): boolean =>
  constantTimeEqual(hashCode(key, code, boundTo), kept);
