import type { KeyObject } from 'node:crypto';
import type { McpListingFailure } from '@svc/contract/peers/mcp/mcp-servers.ts';
import { buildRefusal, isRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { type AllowlistEntry, parseAllowlistEntry } from '@svc/domain/tools/destinations/allowlist.ts';
import type { Egress } from '@svc/egress/create-egress.ts';
import type { EgressCredential, EgressRequest, EgressResult, OpenedSecret } from '@svc/egress/requests/egress-request.ts';
import { CredentialKeyError } from '@svc/keyring/sealed/credential-key-error.ts';
import { openCredentialSecret } from '@svc/keyring/sealed/credential-secret.ts';
import { type Listing, takeListing } from '@svc/peers/mcp/upstream/listing.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { type LockedCredential, lockCredential } from '@svc/postgres/credentials/credentials.ts';
import { lockMcpServer, type McpServerRow, updateMcpServerRow } from '@svc/postgres/peers/mcp/mcp-servers.ts';
import { newId } from '@svc/program/ids/new-id.ts';
import { haveAccessToken } from '../../credentials/tokens/have-access-token.ts';
import { openAccess } from '../../credentials/tokens/open-access.ts';
import type { TokenDesk } from '../../credentials/tokens/token-desk.ts';
import type { CallContext } from '../../people/auth/acting.ts';
import { readDataKey } from '../../service/keys/open-data-key.ts';
import { findServerCredentialRefusal } from './server-credential-refusal.ts';
import { failListing, type SettledListing, settleListing } from './settle-listing.ts';

/** Name and version in requests to MCP servers. */
export const CLIENT_INFO = { name: 'agent-governance-gateway', version: '0.2.0' } as const;

/** Dependencies of a listing. */
export type DiscoveryDeps = {
  readonly egress: Egress;
  readonly tokens: TokenDesk;
  readonly credentialKey: KeyObject;
};

/** Time for which one process holds a server for a scheduled listing. */
const LEASE_MS = 60_000;

type Emitted = 'mcp.tools_discovered' | 'mcp.server_quarantined' | 'credential.issued';

/** Runs work in a transaction of its own, with its events. */
export type RunListingChange = <Result>(work: (change: Change<Emitted>) => Promise<Result>) => Promise<Result | Refusal>;

type Discovering = CallContext & { readonly serverId: string; readonly isScheduled: boolean };

type Begun = { readonly server: McpServerRow; readonly credential: LockedCredential | null; readonly dataKey: KeyObject | null };

/** Records that the credential of the server is sent, before it is: nothing is sent unrecorded. */
const begin = async (
  { tx, emit }: Change<Emitted>,
  { scope, serverId, now, isScheduled }: Discovering,
  { credentialKey }: DiscoveryDeps,
): Promise<Begun | Refusal<'NOT_FOUND' | 'INVALID_STATE_TRANSITION' | 'INVALID_CREDENTIAL_REFERENCE'>> => {
  const { organization_id } = scope;
  const server = await lockMcpServer(tx, organization_id, serverId);
  if (!server) return buildRefusal('NOT_FOUND');
  if (server.status === 'DISABLED') {
    const details = { operation: 'discover', from: server.status, allowed_from: ['PENDING', 'ACTIVE', 'QUARANTINED'] };
    return buildRefusal('INVALID_STATE_TRANSITION', 'The server is disabled. Release it before you list its tools.', details);
  }
  // Another replica listed it meanwhile.
  if (isScheduled && Date.parse(server.listing_due_at) > now.getTime()) return buildRefusal('NOT_FOUND');
  const leased = new Date(now.getTime() + LEASE_MS);
  if (isScheduled) await updateMcpServerRow(tx, organization_id, serverId, { listing_due_at: leased });
  const { environment_id, slug, credential_id, transport } = server;
  if (credential_id === null) return { server, credential: null, dataKey: null };
  const unusable = await findServerCredentialRefusal(tx, { organization_id, environment_id, slug, url: transport.url, credential_id });
  if (unusable) return unusable;
  const credential = await lockCredential(tx, { organization_id, id: credential_id });
  if (!credential || credential.sealed_secret === null) return buildRefusal('INVALID_CREDENTIAL_REFERENCE');
  const { host } = new URL(transport.url);
  const purpose = { purpose: 'MCP_LISTING', server_id: server.id, destination: host };
  const data = { ...purpose, credential_id, generation: credential.generation, lease_id: newId('credential_lease') };
  emit('credential.issued', { ...about.credential(credential), data });
  return { server, credential, dataKey: await readDataKey(tx, credentialKey, organization_id) };
};

const readEntries = ({ destinations }: LockedCredential): AllowlistEntry[] =>
  destinations.map(parseAllowlistEntry).flatMap((entry) => ('fault' in entry ? [] : [entry]));

const NO_TOKEN: McpListingFailure = {
  kind: 'CREDENTIAL',
  explanation: 'No access token could be obtained for the credential of the server. See the credential for the reason.',
};

/** Returns the authentication of each listing request; null if no access token could be obtained. Throws a CredentialKeyError. */
const openProof = async (begun: Begun, { tokens }: DiscoveryDeps): Promise<EgressCredential | null | undefined> => {
  const { server, credential, dataKey } = begun;
  if (credential === null || dataKey === null || credential.sealed_secret === null) return undefined;
  const { organization_id } = server;
  const { scheme, placement, extras, generation } = credential;
  const held = openCredentialSecret(dataKey, credential.sealed_secret, { ...credential, organization_id, generation });
  const shape = { scheme, placement, extras, destinations: readEntries(credential) };
  if (credential.oauth === null) return { ...shape, open: (): OpenedSecret => ({ ...held, hidden: [] }) };
  const key = { organization_id, credential_id: credential.id };
  const access = await haveAccessToken(tokens, key);
  return access === undefined ? null : { ...shape, open: () => openAccess(tokens, key, access, held) };
};

type Taken = Listing | McpListingFailure;
const isFailure = (taken: Taken): taken is McpListingFailure => 'kind' in taken;

const list = async (begun: Begun, deps: DiscoveryDeps): Promise<Taken> => {
  const { server } = begun;
  const { url } = server.transport;
  const disabled = deps.egress.disabledFor({ url });
  if (disabled !== undefined) return { kind: 'UNREACHABLE', explanation: disabled };
  const proof = await openProof(begun, deps);
  if (proof === null) return NO_TOKEN;
  const credential = proof === undefined ? {} : { credential: proof };
  const send = (request: Omit<EgressRequest, 'tenant'>): Promise<EgressResult> =>
    deps.egress.call({ ...request, ...credential, tenant: server.organization_id });
  const known = server.era === null ? {} : { known: server.era };
  const taken = await takeListing({ send, url, clientInfo: CLIENT_INFO, now: () => performance.now(), ...known });
  if (!('kind' in taken)) return taken;
  if (taken.kind !== 'NEEDS_CREDENTIAL') return taken;
  const { metadataUrl: _, scopes, ...asked } = taken;
  return { ...asked, ...(scopes === undefined ? {} : { scopes: [...scopes] }) };
};

const listingRefusal = ({
  kind,
  explanation,
}: McpListingFailure): Refusal<'EXECUTION_FAILED' | 'EXECUTION_TIMEOUT' | 'CREDENTIAL_SERVICE_UNAVAILABLE'> => {
  if (kind === 'TIMEOUT') return buildRefusal('EXECUTION_TIMEOUT', explanation, { listing_failure: kind });
  if (kind === 'CREDENTIAL') return buildRefusal('CREDENTIAL_SERVICE_UNAVAILABLE', explanation, { listing_failure: kind });
  return buildRefusal('EXECUTION_FAILED', explanation, { listing_failure: kind });
};

/** The result of a discovery. `needsCredential`: the server requires one. */
export type DiscoveredServer = SettledListing & { readonly needsCredential?: McpListingFailure };

const CHANGED = buildRefusal('INVALID_STATE_TRANSITION', 'The server was changed while its tools were listed. List them again.', {
  operation: 'discover',
});

/**
 * Lists the tools of a server and stores the changes: one transaction before anything is sent, none while the server is asked, and one
 * after. A failed listing is stored with the server.
 */
export const discoverMcpServer = async (
  changing: RunListingChange,
  discovering: Discovering,
  deps: DiscoveryDeps,
): Promise<DiscoveredServer | Refusal> => {
  const begun = await changing((change) => begin(change, discovering, deps));
  if (isRefusal(begun)) return begun;
  const taken = await list(begun, deps).catch((error: unknown): Refusal => {
    if (error instanceof CredentialKeyError) return buildRefusal('CREDENTIAL_SERVICE_UNAVAILABLE');
    throw error;
  });
  if (isRefusal(taken)) return taken;
  const settling = { ...discovering, asked: begun.server };
  if (!isFailure(taken)) return (await changing((change) => settleListing(change, settling, taken, discovering))) ?? CHANGED;
  const server = await changing((change) => failListing(change, settling, taken));
  if (isRefusal(server)) return server;
  if (server === null) return CHANGED;
  return taken.kind === 'NEEDS_CREDENTIAL' ? { server, compared: [], needsCredential: taken } : listingRefusal(taken);
};
