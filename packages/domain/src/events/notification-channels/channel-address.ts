import { LIMITS } from '@svc/contract/tables/limits.ts';
import { type Destination, isDestinationFault, parseDestination } from '../../tools/destinations/parse-destination.ts';
import { findUrlFault } from '../webhooks/url-fault.ts';
import type { ChannelReceiver } from './kinds/receiver.ts';

export type ChannelRules = {
  /** True if receivers may be called without TLS, as in the networks that the operator allows. */
  readonly allowsHttp: boolean;
  /** Hosts in addition to the kind's own, `host` or `host:port`. */
  readonly hosts: readonly string[];
};

const isSame = (one: Destination, entry: string): boolean => {
  const other = parseDestination(entry);
  return !isDestinationFault(other) && other.host === one.host && other.port === one.port;
};

/** Returns true if each % begins a valid escape: an invalid one could not be recognized in an echoed response. */
const isDecodable = (url: string): boolean => {
  try {
    decodeURI(url);
    return true;
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    return false;
  }
};

/** Returns why nothing may be sent to a URL. The addresses of its host are checked at each call. */
export const findChannelUrlFault = (receiver: ChannelReceiver, url: string, { allowsHttp, hosts }: ChannelRules): string | undefined => {
  if (url.length > LIMITS.channels.urlLengthMax) return `Must be at most ${LIMITS.channels.urlLengthMax} characters long.`;
  const destination = parseDestination(url);
  const isOwn = !isDestinationFault(destination) && receiver.hosts.some((entry) => isSame(destination, entry));
  const fault = findUrlFault(url, { allowsHttp: allowsHttp && !isOwn });
  if (fault !== undefined || isDestinationFault(destination)) return fault;
  if (!isDecodable(url)) return 'Must contain % only at the start of a UTF-8 escape, such as %C3%A9. Copy the URL again as displayed.';
  if (isOwn || hosts.some((entry) => isSame(destination, entry))) return undefined;
  return `Must be an incoming webhook of ${receiver.hosts.join(', ')}, or of a host in SVC_NOTIFICATION_HOSTS, which the operator of the service sets.`;
};

/** The part of a path that identifies a webhook and does not help to guess the rest. */
const TAIL = /(?<![\w-])[\w-]{16,}$/;

/** Returns a URL for display: its host, and its last four characters if enough precede them. */
export const maskChannelUrl = (url: string): string => {
  const { host, port } = parseDestination(url) as Destination;
  const tail = TAIL.test(url) ? url.slice(-4) : '';
  return `${host}${port === 443 ? '' : `:${port}`}/…${tail}`;
};
