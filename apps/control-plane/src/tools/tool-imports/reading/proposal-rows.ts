import type { ProposedDeclaration } from '@svc/contract/tools/tool-imports.ts';
import { deriveCanonicalKey } from '@svc/domain/tools/schema/canonical-key.ts';
import { isNotProposed, type ProposedTool, type RejectedOperation } from '@svc/domain/tools/tool-imports/draft/proposal.ts';
import { sha256Hex } from '@svc/keyring/bytes/sha256-hex.ts';

const HASH_CHARACTERS = 24;

/** Hashes each member of a declaration, independent of the order of its content. */
const listHashes = (declaration: ProposedDeclaration): Record<string, string> =>
  Object.fromEntries(
    Object.entries(declaration).map(([member, value]) => [member, sha256Hex(deriveCanonicalKey(value)).slice(0, HASH_CHARACTERS)]),
  );

/** Converts a proposal to its row. */
export const toProposalRow = (each: ProposedTool | RejectedOperation, position: number) => {
  const { key, operation, summary } = each;
  const named = { key, position, operation, summary };
  if (isNotProposed(each)) return { ...named, reason: each.refused };
  const { declaration, credentials, risk_reasons, notes } = each;
  return { ...named, declaration, hashes: listHashes(declaration), credentials, risk_reasons, notes };
};
