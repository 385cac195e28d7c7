import { LIMITS } from '@svc/contract/tables/limits.ts';
import { newKeptByBytes } from '@svc/policy/values/kept-by-bytes.ts';
import { sql } from 'kysely';
import type { TenantTransaction } from '../connection/in-tenant.ts';
import type { ToolRow } from './fit-tool.ts';
import { inBatches } from './in-batches.ts';
import { newTurns } from './take-turns.ts';

/** The large parts of a tool. */
export type Declared = Pick<ToolRow, 'parameters_schema' | 'execution'>;

/** `declared_hash` distinguishes declarations that were changed in the database without a new version. */
export type DeclaredHead = {
  readonly id: string;
  readonly declaration_version: number;
  readonly declared_hash: string;
  readonly bytes: number;
};

export const DECLARED_HASH = sql<string>`hashtextextended(parameters_schema::text || coalesce(execution::text, ''), 0)::text`;

const BYTES_PER_BYTE = 4;
const BYTES_PER_DECLARATION = 2_048;

/** Declarations as they were read, for every environment that is loaded again because something else of it changed. */
const kept = newKeptByBytes<Declared>(LIMITS.snapshots.declarationBytesMax);

const getKey = (organizationId: string, { id, declaration_version, declared_hash }: DeclaredHead): string =>
  `${organizationId}/${id}/${declaration_version}/${declared_hash}`;

/** Reads declarations by the id of the tool, in parts, so that no one waits for the whole. Missing ones are omitted. */
export const readDeclarations = async (
  tx: TenantTransaction,
  organizationId: string,
  heads: readonly DeclaredHead[],
): Promise<ReadonlyMap<string, Declared>> => {
  const found = new Map<string, Declared>();
  const missing: DeclaredHead[] = [];
  for (const head of heads) {
    const known = kept.get(getKey(organizationId, head));
    if (known === undefined) missing.push(head);
    else found.set(head.id, known);
  }
  const turn = newTurns();
  for (const batch of inBatches(missing, ({ bytes }) => bytes)) {
    const ids = batch.map(({ id }) => id);
    const { rows } = await sql<Declared & Omit<DeclaredHead, 'bytes'>>`
      select id, declaration_version, parameters_schema, execution, ${DECLARED_HASH} as declared_hash
        from tools where organization_id = ${organizationId} and id = any(${ids})`.execute(tx);
    const sizes = new Map(batch.map(({ id, bytes }) => [id, bytes]));
    for (const { parameters_schema, execution, ...read } of rows) {
      const bytes = sizes.get(read.id) ?? 0;
      const declared = { parameters_schema, execution };
      found.set(read.id, declared);
      // Keyed by what was read now: it may have changed since its head was read.
      kept.keep(getKey(organizationId, { ...read, bytes }), declared, bytes * BYTES_PER_BYTE + BYTES_PER_DECLARATION);
    }
    await turn();
  }
  return found;
};
