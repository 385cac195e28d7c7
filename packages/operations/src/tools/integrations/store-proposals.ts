import type { Refusal } from '@svc/contract/rows/refusal.ts';
import type { CatalogueEntry } from '@svc/contract/tools/catalogue-entry.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import type { ImportRow } from '@svc/postgres/tools/tool-imports/tool-imports.ts';
import type { CallContext } from '../../people/auth/acting.ts';
import { storeImport } from '../tool-imports/store-import.ts';

/** Proposals of an entry as a JSON array of rows, with the digest of the entry. */
export type ProposalRows = { readonly rows: string; readonly hash: string };

type Place = { readonly workspace_id: string; readonly environment_id: string; readonly source: string };

/** Stores the proposals of an entry as an import, which later versions are compared with. */
export const storeProposals = (
  tx: TenantTransaction,
  { scope, actor, now }: CallContext,
  { format, name, version }: CatalogueEntry,
  { workspace_id, environment_id, source }: Place,
  { rows, hash }: ProposalRows,
): Promise<ImportRow | Refusal<'CONFLICT'>> => {
  const placed = { workspace_id, environment_id, source, origin: 'CATALOGUE' as const, address: null, base_url: null };
  const about = { format, title: name, version: String(version), document_hash: hash, created_by: actor.id };
  return storeImport(tx, { scope, now }, { ...placed, ...about }, [rows]);
};
