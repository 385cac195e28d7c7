import type { DryCall } from '@svc/contract/tools/dry-call.ts';
import type { Tool } from '@svc/contract/tools/tools.ts';
import { isAllowed, parseAllowlistEntry } from '@svc/domain/tools/destinations/allowlist.ts';
import type { Destination } from '@svc/domain/tools/destinations/parse-destination.ts';
import type { AddressRules } from '@svc/egress/names/address-rules.ts';
import { admitAddress } from '@svc/egress/names/resolve-host.ts';
import type { StoredCredential } from '@svc/postgres/credentials/credentials.ts';

export type Stops = { readonly destination: DryCall['destination']; readonly usable: boolean; readonly stoppedBy: readonly string[] };

const covers = (entries: readonly string[], destination: Destination): boolean =>
  isAllowed(
    entries.map(parseAllowlistEntry).flatMap((entry) => ('fault' in entry ? [] : [entry])),
    destination,
  );

/** Why the credential would not be put on a call; undefined where it would, or none is needed. */
const credentialFault = ({ name, environment_id, execution }: Tool, credential: StoredCredential | undefined): string | undefined => {
  if (execution?.credential_id === undefined) return undefined;
  if (credential === undefined || credential.environment_id !== environment_id) return `The credential of ${name} is not there.`;
  if (credential.status === 'REVOKED') return `The credential of ${name} is revoked.`;
  return credential.tools.includes(name) ? undefined : `The credential of ${name} may not serve it.`;
};

const addressOf = (host: string, mayCall: AddressRules): DryCall['destination']['address'] => {
  const admitted = admitAddress(host.replace(/^\[|\]$/g, ''), mayCall);
  if (admitted === undefined) return 'LOOKED_UP_WHEN_CALLED';
  return admitted.kind === 'resolved' ? 'ALLOWED' : 'FORBIDDEN';
};

/** What keeps a call of a tool from leaving, as far as it is known without looking a name up: the same checks in the same order. */
export const whatStops = (tool: Tool, credential: StoredCredential | undefined, destination: Destination, mayCall: AddressRules): Stops => {
  const { host, port } = destination;
  const address = addressOf(host, mayCall);
  const inTool = covers(tool.destination_allowlist, destination);
  const fault = credentialFault(tool, credential);
  const inCredential = credential === undefined || covers(credential.destinations, destination);
  const stoppedBy = [
    tool.status === 'DISABLED' ? `${tool.name} is disabled.` : undefined,
    inTool ? undefined : `${host} is not among the destinations allowed for ${tool.name}.`,
    fault,
    inCredential ? undefined : `The credential of ${tool.name} does not go to that destination.`,
    address === 'FORBIDDEN' ? 'The address is private or reserved, and the allowed networks do not name it.' : undefined,
  ].filter((sentence) => sentence !== undefined);
  return {
    destination: { host, port, allowed: inTool && inCredential && address !== 'FORBIDDEN', address },
    usable: fault === undefined && inCredential,
    stoppedBy,
  };
};
