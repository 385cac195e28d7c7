import { createHmac, type KeyObject, randomInt } from 'node:crypto';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { constantTimeEqual } from '../bytes/constant-time-equal.ts';

const { digitCount } = LIMITS.codes;

/** Returns a one-time code for a mail: decimal digits, each equally likely [one-time password]. */
export const newMailCode = (): string => String(randomInt(10 ** digitCount)).padStart(digitCount, '0');

/**
 * Returns the stored form of a code: an HMAC-SHA256, since an unkeyed hash of so short a code is found by brute force. `boundTo` names its
 * one row.
 */
export const hashCode = (key: KeyObject, code: string, boundTo: string): Buffer =>
  createHmac('sha256', key).update(`${boundTo}\n${code}`, 'utf8').digest();

/** Compares a code with the stored form for its row, in constant time. */
export const isCode = (key: KeyObject, code: string, boundTo: string, kept: Uint8Array): boolean =>
  constantTimeEqual(hashCode(key, code, boundTo), kept);
