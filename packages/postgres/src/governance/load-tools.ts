import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { CredentialSnapshot, EnvironmentSnapshot, ToolSnapshot } from '@svc/enforcement/facts/snapshots.ts';
import { sql } from 'kysely';
import type { TenantTransaction } from '../connection/in-tenant.ts';
import { DECLARED_BYTES } from '../tools/measure-tools.ts';
import { type CredentialRow, fitCredential } from './fit-credential.ts';
import type { ToolRow } from './fit-tool.ts';
import { type A2aTools, readA2aTools } from './load-a2a-tools.ts';
import { type McpTools, readMcpTools } from './load-mcp-tools.ts';
import { prepareTool } from './prepare-tool.ts';
import type { newTurns } from './take-turns.ts';
import { DECLARED_HASH, type Declared, type DeclaredHead, readDeclarations } from './tool-declarations.ts';
import { UnfitRow } from './unfit-row.ts';

type Place = { readonly organization_id: string; readonly environment_id: string };

/** Returns credentials of the environment by their id, if any tool names one. */
const readCredentials = async (
  tx: TenantTransaction,
  place: Place,
  tools: readonly ToolRow[],
  served: readonly { readonly credential_id: string | null }[],
): Promise<ReadonlyMap<string, CredentialSnapshot>> => {
  const ofServers = served.flatMap(({ credential_id }) => credential_id ?? []);
  const named = [...tools.flatMap(({ execution }) => execution?.credential_id ?? []), ...ofServers];
  if (named.length === 0) return new Map();
  const { rows } = await sql<CredentialRow>`
    select c.id, c.workspace_id, c.environment_id, c.scheme, c.placement, c.extras, c.tools, c.servers, c.destinations, c.oauth, c.generation, c.sealed_secret,
           c.sealed_previous_secret, c.previous_ends_at, k.wrapped_key
      from credentials c join data_keys k on k.organization_id = c.organization_id
     where c.organization_id = ${place.organization_id} and c.environment_id = ${place.environment_id} and c.id = any(${named}::text[])`.execute(
    tx,
  );
  return new Map(rows.flatMap((row) => fitCredential(row) ?? []).map((each) => [each.id, each]));
};

type SizedTool = ToolRow & { readonly bytes: number };
export type ReadTools = {
  readonly rows: readonly SizedTool[];
  readonly credentials: ReadonlyMap<string, CredentialSnapshot>;
  readonly mcp: McpTools;
  readonly a2a: A2aTools;
};

/** Maximum loaded: twice what is accepted, since concurrent registrations do not count each other. */
const LOADED_MAX = { tools: 2 * LIMITS.tools.perEnvironmentMax, bytes: 2 * LIMITS.tools.bytesPerEnvironmentMax };

/** Reads nothing of an environment that exceeds the capacity of a process: nothing is decided in it. */
export const readTools = async (tx: TenantTransaction, place: Place): Promise<ReadTools> => {
  const own = sql`tools where organization_id = ${place.organization_id} and environment_id = ${place.environment_id}`;
  const { rows: heads } = await sql<Omit<SizedTool, keyof Declared> & DeclaredHead>`
    with own as materialized (
      select id, name, description, required_capability, kind, risk_rating, dangerous, status, disabled_reason, amount_from, currency_from,
             destination_from, narrowable, destination_allowlist, declaration_version, declared_at, flow, requires_trust, routes,
             ${DECLARED_BYTES} as bytes, ${DECLARED_HASH} as declared_hash
        from ${own})
    select * from own
     where (select count(*) <= ${LOADED_MAX.tools} and coalesce(sum(bytes), 0) <= ${LOADED_MAX.bytes} from own)`.execute(tx);
  if (heads.length === 0 && (await sql`select from ${own} limit 1`.execute(tx)).rows.length > 0)
    throw new UnfitRow('environments', place.environment_id, 'tools, which are too many or too large');
  const declarations = await readDeclarations(tx, place.organization_id, heads);
  const rows = heads.flatMap(({ declared_hash: _, ...head }) => {
    const declared = declarations.get(head.id);
    return declared === undefined ? [] : [{ ...head, ...declared }];
  });
  const mcp = await readMcpTools(tx, place);
  const a2a = await readA2aTools(tx, place);
  return { rows, credentials: await readCredentials(tx, place, rows, [...mcp.values(), ...a2a.values()]), mcp, a2a };
};

/** Prepares in time slices. */
export const prepareTools = async (
  { rows, credentials, mcp, a2a }: ReadTools,
  turn: ReturnType<typeof newTurns>,
): Promise<EnvironmentSnapshot['tools']> => {
  const tools = new Map<string, ToolSnapshot>();
  for (const { bytes: _, ...row } of rows) {
    const served = mcp.get(row.id);
    const connected = a2a.get(row.id);
    const id = served?.credential_id ?? connected?.credential_id ?? row.execution?.credential_id;
    const tool = {
      ...prepareTool(row),
      credential: id === undefined ? null : credentials.get(id),
      mcp: served?.snapshot ?? null,
      a2a: connected?.snapshot ?? null,
    };
    tools.set(tool.name, tool);
    tools.set(tool.id, tool);
    await turn();
  }
  return tools;
};

const BYTES_PER_TOOL = 20_000;
/** For each byte of a declaration as JSON. */
const BYTES_PER_BYTE = 3;

/** Returns the approximate memory they take. */
export const heldByTools = ({ rows, mcp }: ReadTools): number =>
  rows.reduce((sum, { id, bytes }) => {
    const definitionBytes = 2 * (mcp.get(id)?.snapshot.definition.length ?? 0);
    return sum + BYTES_PER_TOOL + bytes * BYTES_PER_BYTE + definitionBytes;
  }, 0);
