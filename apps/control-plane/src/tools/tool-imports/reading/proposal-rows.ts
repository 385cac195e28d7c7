import { createHash } from 'node:crypto';
import type { ProposedDeclaration } from '@svc/contract/tools/tool-imports.ts';
import { canonicalKey } from '@svc/domain/tools/schema/canonical-key.ts';
import { isNotProposed, type NotProposed, type Proposed } from '@svc/domain/tools/tool-imports/draft/proposal.ts';

const HASH_CHARACTERS = 24;

/** Of each member of a declaration, the same whatever the order of what lies in it. */
const hashesOf = (declaration: ProposedDeclaration): Record<string, string> =>
  Object.fromEntries(
    Object.entries(declaration).map(([member, value]) => [
      member,
      createHash('sha256').update(canonicalKey(value)).digest('hex').slice(0, HASH_CHARACTERS),
    ]),
  );

/** A proposal as the row that is kept of it. */
export const rowOf = (each: Proposed | NotProposed, position: number) => {
  const { key, operation, summary } = each;
  const named = { key, position, operation, summary };
  if (isNotProposed(each)) return { ...named, reason: each.refused };
  const { declaration, credentials, risk_reasons, notes } = each;
  return { ...named, declaration, hashes: hashesOf(declaration), credentials, risk_reasons, notes };
};
