import type { ListedChange, McpListingFailure, McpServer } from '@svc/contract/peers/mcp/mcp-servers.ts';
import type { McpFinding, McpOfferKind } from '@svc/contract/peers/mcp/mcp-tool-shapes.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { type ComparedTool, compareListing, movedTools, nameOffer } from '@svc/domain/peers/mcp/compare-listing.ts';
import { isDefinitionFault, type ToolDefinition } from '@svc/peers/mcp/definitions/definition.ts';
import { digestText } from '@svc/peers/mcp/definitions/digest.ts';
import { getOfferPointer, offerPin, readOffer } from '@svc/peers/mcp/definitions/offers.ts';
import { serverPin } from '@svc/peers/mcp/definitions/pin.ts';
import { findFindings } from '@svc/peers/mcp/findings/definition-findings.ts';
import type { ToolContext } from '@svc/peers/mcp/findings/known-tools.ts';
import type { Listing } from '@svc/peers/mcp/upstream/listing.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import {
  findMcpServer,
  keepMcpListing,
  lockMcpServer,
  type McpServerRow,
  updateMcpServerRow,
} from '@svc/postgres/peers/mcp/mcp-servers.ts';
import { allMcpTools, insertMcpTools, listOtherToolNames, type McpToolRow, updateMcpToolRow } from '@svc/postgres/peers/mcp/mcp-tools.ts';
import { newId } from '@svc/program/ids/new-id.ts';
import type { CallContext } from '../../people/auth/acting.ts';

const { listingEveryMs, listingBackoffMaxMs, listingsKeptMax } = LIMITS.mcpServers;
const { listingToolsMax } = LIMITS.mcp;
const OTHER_NAMES_MAX = 2_000;

/** A tool of a listing with what is known of its definition. */
type Listed = {
  readonly kind: McpOfferKind;
  readonly name: string;
  readonly definition: string;
  readonly pin: string;
  readonly findings: readonly McpFinding[];
};

export type ComparedMcpTool = ComparedTool<McpToolRow, Listed>;

/** `asked` is the server when the listing began. */
type Settling = CallContext & { readonly serverId: string; readonly asked: McpServerRow };

/** True if the server has another address or credential than the one that was asked: the response is not about it. */
const isMoved = (server: McpServerRow, asked: McpServerRow): boolean =>
  server.transport.url !== asked.transport.url || server.credential_id !== asked.credential_id;

/** Spreads the listings of many servers over the interval. */
const nextDue = (now: Date, waitMs: number): Date => new Date(now.getTime() + waitMs * (0.9 + Math.random() * 0.2));

/** Keeps an unusable definition as it is, so that a person sees it. */
const unreadable = (fault: string, pointer: string): McpFinding => ({
  ...{ kind: 'UNREADABLE', severity: 'high', stops: true, pointer, start: 0, end: 0, excerpt: '' },
  explanation: `The definition cannot be used: ${pointer === '' ? 'it' : pointer} ${fault}.`,
});

/** Names of resources are titles in any language, which no client calls. */
const OF_CALLED_NAMES: readonly string[] = ['MIXED_SCRIPT_NAME', 'LOOKALIKE_NAME'];

/** Judges a definition. Pointers are into its text. */
const judge = (kind: McpOfferKind, definition: ToolDefinition, context: ToolContext): readonly McpFinding[] => {
  const isCalledByName = kind === 'TOOL' || kind === 'PROMPT';
  return findFindings(definition, context)
    .filter((finding) => isCalledByName || !OF_CALLED_NAMES.includes(finding.kind))
    .map((finding) => ({ ...finding, pointer: getOfferPointer(kind, finding.pointer, definition) }));
};

/** Reads the definitions of a listing. A duplicate name counts once, by its first definition. */
const readListed = async (tx: TenantTransaction, server: McpServerRow, { tools }: Listing): Promise<readonly Listed[]> => {
  const { organization_id, environment_id: environmentId, id: serverId, name: serverName } = server;
  const otherTools = await listOtherToolNames(tx, organization_id, { environmentId, serverId }, OTHER_NAMES_MAX);
  const ownTools = tools.filter(({ kind }) => kind === 'TOOL').map(({ name }) => name);
  const listed = new Map<string, Listed>();
  for (const { kind, name, text } of tools.slice(0, listingToolsMax)) {
    const key = nameOffer({ kind, name });
    if (listed.has(key)) continue;
    const read = readOffer(kind, text);
    if (isDefinitionFault(read)) {
      listed.set(key, { kind, name, definition: text, pin: digestText(text), findings: [unreadable(read.fault, read.pointer)] });
      continue;
    }
    const findings = judge(kind, read, { serverName, ownTools, otherTools });
    listed.set(key, { kind, name, definition: text, pin: offerPin(kind, read), findings });
  }
  return [...listed.values()];
};

const writeTools = async (tx: TenantTransaction, server: McpServerRow, compared: readonly ComparedMcpTool[], now: Date): Promise<void> => {
  const { organization_id, workspace_id, environment_id, id: server_id } = server;
  const added = compared.flatMap(({ known, listed, status }) => {
    if (known !== null || listed === null) return [];
    const { findings, ...rest } = listed;
    const seen = { first_seen_at: now, last_seen_at: now };
    return [
      {
        organization_id,
        workspace_id,
        environment_id,
        server_id,
        id: newId('mcp_tool'),
        ...rest,
        ...seen,
        status,
        findings: JSON.stringify(findings),
      },
    ];
  });
  await insertMcpTools(tx, added);
  for (const { known, listed, status, change } of compared) {
    if (known === null || (change === 'SAME' && status === known.status)) continue;
    const content = listed === null ? {} : { definition: listed.definition, pin: listed.pin, findings: JSON.stringify(listed.findings) };
    await updateMcpToolRow(tx, organization_id, known.id, { ...content, status, last_seen_at: now });
  }
};

const writeServer = async (
  tx: TenantTransaction,
  server: McpServerRow,
  listing: Listing,
  { hash, isQuarantined, now }: { readonly hash: string; readonly isQuarantined: boolean; readonly now: Date },
): Promise<void> => {
  const { era, protocolVersion, serverInfo, instructions, capabilities } = listing;
  await updateMcpServerRow(tx, server.organization_id, server.id, {
    ...{ era, protocol_version: protocolVersion, server_info: JSON.stringify(serverInfo), instructions },
    server_pin: serverPin({ instructions, capabilities, name: serverInfo.name }),
    ...{ listing_hash: hash, listing_checked_at: now, listing_due_at: nextDue(now, listingEveryMs) },
    ...{ listing_failures: 0, listing_failure: null },
    ...(isQuarantined ? { status: 'QUARANTINED' as const, status_reason: QUARANTINED } : {}),
  });
};

const QUARANTINED = 'The definition of an authorized tool changed.';

/** Result of a stored listing. */
export type SettledListing = {
  readonly server: McpServerRow & { readonly tools: McpServer['tools'] };
  readonly compared: readonly ComparedMcpTool[];
};

type Emitted = 'mcp.tools_discovered' | 'mcp.server_quarantined';

const listNames = (compared: readonly ComparedMcpTool[], change: ListedChange): string[] =>
  compared.flatMap((each) => (each.change === change ? [(each.listed ?? each.known)?.name ?? ''] : []));

const emitDiscovered = (
  emit: Change<Emitted>['emit'],
  server: McpServerRow,
  listing: Listing,
  compared: readonly ComparedMcpTool[],
): void => {
  const changes = {
    added: listNames(compared, 'NEW'),
    changed: listNames(compared, 'CHANGED'),
    gone: listNames(compared, 'GONE'),
    back: listNames(compared, 'BACK'),
  };
  const data = { name: server.name, listed: listing.tools.length, ...changes, era: listing.era, protocol_version: listing.protocolVersion };
  emit('mcp.tools_discovered', { ...about.mcp_server(server), data });
};

/**
 * Stores a listing: adds new tools, marks changed and missing ones, and quarantines the server if the definition of an authorized tool
 * differs from the authorized one. Null if the server was removed, disabled or got another address or credential meanwhile.
 */
export const settleListing = async (
  { tx, emit }: Change<Emitted>,
  { scope, actor, now, serverId, asked }: Settling,
  listing: Listing,
  { isScheduled }: { readonly isScheduled: boolean },
): Promise<SettledListing | null> => {
  const { organization_id } = scope;
  const server = await lockMcpServer(tx, organization_id, serverId);
  if (!server || server.status === 'DISABLED' || isMoved(server, asked)) return null;
  const listed = await readListed(tx, server, listing);
  const compared = compareListing(await allMcpTools(tx, organization_id, serverId), listed);
  const moved = movedTools(compared);
  await writeTools(tx, server, compared, now);
  const definitions = listed.map(({ name, pin }) => ({ name, pin })).toSorted((one, other) => (one.name < other.name ? -1 : 1));
  const hash = digestText(JSON.stringify(definitions));
  await writeServer(tx, server, listing, { hash, isQuarantined: moved.length > 0, now });
  const { workspace_id, environment_id } = server;
  const taken = { taken_by_type: actor.type, taken_by_id: actor.id, first_taken_at: now, last_taken_at: now };
  const kept = {
    organization_id,
    workspace_id,
    environment_id,
    server_id: serverId,
    hash,
    definitions: JSON.stringify(definitions),
    ...taken,
  };
  await keepMcpListing(tx, kept, listingsKeptMax);
  // A scheduled listing without changes is no event: there would be one every five minutes.
  if (!isScheduled || compared.some(({ change }) => change !== 'SAME')) emitDiscovered(emit, server, listing, compared);
  if (moved.length > 0) {
    const tools = moved.map(({ known, listed: now_ }) => ({ name: known?.name, authorized_pin: known?.authorized_pin, pin: now_?.pin }));
    const data = { name: server.name, before: { status: server.status }, after: { status: 'QUARANTINED' }, reason: QUARANTINED, tools };
    emit('mcp.server_quarantined', { ...about.mcp_server(server), data });
  }
  const settled = await findMcpServer(tx, organization_id, serverId);
  return settled ? { server: settled, compared } : null;
};

/**
 * Stores that a listing failed. Authorizations do not change until the newest complete listing is too old. Null if the server was removed
 * or got another address or credential meanwhile.
 */
export const failListing = async (
  { tx }: Pick<Change<never>, 'tx'>,
  { scope, now, serverId, asked }: Settling,
  failure: McpListingFailure,
): Promise<(McpServerRow & { readonly tools: McpServer['tools'] }) | null> => {
  const { organization_id } = scope;
  const server = await lockMcpServer(tx, organization_id, serverId);
  if (!server || isMoved(server, asked)) return null;
  const listing_failures = server.listing_failures + 1;
  const waitMs = Math.min(listingEveryMs * 2 ** (listing_failures - 1), listingBackoffMaxMs);
  const listing_due_at = nextDue(now, waitMs);
  await updateMcpServerRow(tx, organization_id, serverId, { listing_failures, listing_failure: JSON.stringify(failure), listing_due_at });
  return (await findMcpServer(tx, organization_id, serverId)) ?? null;
};
