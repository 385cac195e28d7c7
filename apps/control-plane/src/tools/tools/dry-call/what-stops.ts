import { isIP } from 'node:net';
import type { DryCall } from '@svc/contract/tools/dry-call.ts';
import type { Tool } from '@svc/contract/tools/tools.ts';
import { isAllowed, parseAllowlistEntry } from '@svc/domain/tools/destinations/allowlist.ts';
import {
  type Destination,
  type DestinationFault,
  isDestinationFault,
  parseDestination,
} from '@svc/domain/tools/destinations/parse-destination.ts';
import { type AddressRules, isPrivateAddress } from '@svc/egress/names/address-rules.ts';
import { admitAddress } from '@svc/egress/names/resolve-host.ts';
import type { StoredCredential } from '@svc/postgres/credentials/credentials.ts';

export type Stops = { readonly destination: DryCall['destination']; readonly usable: boolean; readonly stoppedBy: readonly string[] };

const PLAIN = 'A credential goes without TLS to private networks alone, and only where the operator says so.';

const covers = (entries: readonly string[], destination: Destination): boolean =>
  isAllowed(
    entries.map(parseAllowlistEntry).flatMap((entry) => ('fault' in entry ? [] : [entry])),
    destination,
  );

/** Returns why the credential would not be added to a call; undefined if it would, or none is needed. */
const credentialFault = ({ name, environment_id, execution }: Tool, credential: StoredCredential | undefined): string | undefined => {
  if (execution?.credential_id === undefined) return undefined;
  if (credential === undefined || credential.environment_id !== environment_id) return `The credential of ${name} is not there.`;
  if (credential.status === 'REVOKED') return `The credential of ${name} is revoked.`;
  return credential.tools.includes(name) ? undefined : `The credential of ${name} may not serve it.`;
};

/**
 * Allowed destinations: addresses, the built-in receiver at any address, and whether credentials may be sent without TLS to private
 * networks.
 */
export type MayCall = {
  readonly address: AddressRules;
  readonly sandboxOrigin: string | undefined;
  readonly showsCredentials: boolean;
};

const bare = (host: string): string => host.replace(/^\[|\]$/g, '');

const isSandbox = ({ origin }: URL, { sandboxOrigin }: MayCall): boolean =>
  sandboxOrigin !== undefined && origin === new URL(sandboxOrigin).origin;

/** True if the credential would be sent in plain text, as far as the address is known. */
const isPlain = (url: URL, mayCall: MayCall): boolean => {
  if (url.protocol !== 'http:' || isSandbox(url, mayCall)) return false;
  const host = bare(url.hostname);
  return !mayCall.showsCredentials || (isIP(host) !== 0 && !isPrivateAddress(host));
};

const getAddress = (url: URL, mayCall: MayCall): DryCall['destination']['address'] => {
  if (isSandbox(url, mayCall)) return 'ALLOWED';
  const admitted = admitAddress(bare(url.hostname), mayCall.address);
  if (admitted === undefined) return 'LOOKED_UP_WHEN_CALLED';
  return admitted.kind === 'resolved' ? 'ALLOWED' : 'FORBIDDEN';
};

/** Returns what prevents a call from being sent, as far as known without resolving a name: the same checks in the same order. */
export const findCallBlockers = (
  tool: Tool,
  credential: StoredCredential | undefined,
  url: URL,
  mayCall: MayCall,
): Stops | DestinationFault => {
  const destination = parseDestination(url.href);
  if (isDestinationFault(destination)) return destination;
  const { host, port } = destination;
  const address = getAddress(url, mayCall);
  const inTool = covers(tool.destination_allowlist, destination);
  const fault = credentialFault(tool, credential);
  const inCredential = credential === undefined || covers(credential.destinations, destination);
  const stoppedBy = [
    tool.status === 'DISABLED' ? `${tool.name} is disabled.` : undefined,
    inTool ? undefined : `${host} is not among the destinations allowed for ${tool.name}.`,
    fault,
    inCredential ? undefined : `The credential of ${tool.name} does not go to that destination.`,
    credential !== undefined && isPlain(url, mayCall) ? PLAIN : undefined,
    address === 'FORBIDDEN' ? 'The address is private or reserved, and the allowed networks do not name it.' : undefined,
  ].filter((sentence) => sentence !== undefined);
  return {
    destination: { host, port, allowed: inTool && inCredential && address !== 'FORBIDDEN', address },
    usable: fault === undefined && inCredential,
    stoppedBy,
  };
};
