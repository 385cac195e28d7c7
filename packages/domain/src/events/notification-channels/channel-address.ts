import { LIMITS } from '@svc/contract/tables/limits.ts';
import { type Destination, isDestinationFault, parseDestination } from '../../tools/destinations/parse-destination.ts';
import { urlFault } from '../webhooks/url-fault.ts';
import type { Receiver } from './kinds/receiver.ts';

export type ChannelRules = {
  /** Whether receivers may be called without TLS, as those within the networks that the operator allows. */
  readonly allowsHttp: boolean;
  /** Those besides the kind's own, `host` or `host:port`. */
  readonly hosts: readonly string[];
};

const isSame = (one: Destination, entry: string): boolean => {
  const other = parseDestination(entry);
  return !isDestinationFault(other) && other.host === one.host && other.port === one.port;
};

/** Whether each % of it begins an escape: a part that is none could be told by nobody who reads what a receiver repeats. */
const isDecodable = (url: string): boolean => {
  try {
    decodeURI(url);
    return true;
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    return false;
  }
};

/** Why nothing is sent to a URL, if so. Where its host leads is looked at when it is called, and each time anew. */
export const channelUrlFault = (receiver: Receiver, url: string, { allowsHttp, hosts }: ChannelRules): string | undefined => {
  if (url.length > LIMITS.channels.urlLengthMax) return `Must be at most ${LIMITS.channels.urlLengthMax} characters long.`;
  const destination = parseDestination(url);
  const isOwn = !isDestinationFault(destination) && receiver.hosts.some((entry) => isSame(destination, entry));
  const fault = urlFault(url, { allowsHttp: allowsHttp && !isOwn });
  if (fault !== undefined || isDestinationFault(destination)) return fault;
  if (!isDecodable(url)) return 'Must contain % only at the start of a UTF-8 escape, such as %C3%A9. Copy the URL again as displayed.';
  if (isOwn || hosts.some((entry) => isSame(destination, entry))) return undefined;
  return `Must be an incoming webhook of ${receiver.hosts.join(', ')}, or of a host in SVC_NOTIFICATION_HOSTS, which the operator of the service sets.`;
};

/** What of a path tells one webhook from another, and lets nobody guess the rest of it. */
const TAIL = /(?<![\w-])[\w-]{16,}$/;

/** A URL as people are shown it: its host, and its last four characters where many stand before them. */
export const shownAddress = (url: string): string => {
  const { host, port } = parseDestination(url) as Destination;
  const tail = TAIL.test(url) ? url.slice(-4) : '';
  return `${host}${port === 443 ? '' : `:${port}`}/…${tail}`;
};
