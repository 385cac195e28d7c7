import { parseAddress } from './address.ts';

/** An address as the number its bits are: of IPv4 a number, of IPv6 a bigint, so that the two families never meet. */
export type AddressNumber = number | bigint;

export const numberOfBytes = (bytes: readonly number[]): AddressNumber =>
  bytes.length === 4
    ? bytes.reduce((sum, byte) => sum * 256 + byte, 0)
    : BigInt(`0x${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`);

/** More addresses than a request can hold, so that the conditions on one request read each of them once. */
const REMEMBERED_MAX = 16_384;
/** Longer than any address without a zone; whoever sends megabytes instead fills no memory. */
const REMEMBERED_LENGTH_MAX = 45;
const remembered = new Map<string, AddressNumber | null>();

/** The number of the address a text stands for, or null when it stands for none; memoised. */
export const addressNumber = (text: string): AddressNumber | null => {
  const known = remembered.get(text);
  if (known !== undefined) return known;
  const address = parseAddress(text);
  const number = address === null ? null : numberOfBytes(address.toByteArray());
  if (text.length > REMEMBERED_LENGTH_MAX) return number;
  if (remembered.size >= REMEMBERED_MAX) remembered.clear();
  remembered.set(text, number);
  return number;
};
