import type { FieldCondition } from '@svc/contract/policies/language.ts';
import ipaddr from 'ipaddr.js';
import { type Address, parseAddress } from '../values/address.ts';
import { type Network, parseNetwork } from '../values/network.ts';

const toNumber = (address: Address): bigint => address.toByteArray().reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);

const toText = (value: bigint, bytes: number): string => {
  const parts = Array.from({ length: bytes }, (_, index) => Number((value >> BigInt(8 * (bytes - 1 - index))) & 255n));
  const address = ipaddr.fromByteArray(parts);
  return address.kind() === 'ipv4' ? address.toString() : (address as ipaddr.IPv6).toRFC5952String();
};

/** Returns both ends of a network and the addresses just outside. */
const listEdges = ({ address, bits }: Network): string[] => {
  const bytes = address.toByteArray().length;
  const size = 1n << BigInt(8 * bytes - bits);
  const first = toNumber(address);
  const all = 1n << BigInt(8 * bytes);
  return [first - 1n, first, first + size - 1n, first + size]
    .filter((value) => value >= 0n && value < all)
    .map((value) => toText(value, bytes));
};

const getNetwork = (text: string): Network | null => {
  const address = parseAddress(text);
  if (address !== null) return { address, bits: 8 * address.toByteArray().length };
  const network = parseNetwork(text);
  return 'fault' in network ? null : network;
};

/** The first addresses after those that are read as IPv4, at which a network may begin without an edge of its own. */
const BEHIND_WRAPPED = ['::1:0:0:0', '64:ff9b::1:0:0'];

/** Returns representative addresses, one for each class that the conditions distinguish: the edges of the named networks and addresses. */
export const listAddressCandidates = (conditions: readonly FieldCondition[]): string[] => {
  const named = conditions.flatMap(({ value }) =>
    [value].flat().flatMap((one) => (typeof one === 'string' ? (getNetwork(one) ?? []) : [])),
  );
  const everywhere = ['0.0.0.0/0', '::/0'].flatMap((text) => getNetwork(text) ?? []);
  return [...new Set([...[...named, ...everywhere].flatMap(listEdges), ...BEHIND_WRAPPED])];
};
