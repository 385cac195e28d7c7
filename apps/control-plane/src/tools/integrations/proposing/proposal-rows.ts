import type { CatalogueEntry } from '@svc/contract/tools/catalogue-entry.ts';
import { sha256Hex } from '@svc/keyring/bytes/sha256-hex.ts';
import type { SetUp } from '@svc/operations/tools/integrations/set-up.ts';
import type { ProposalRows } from '@svc/operations/tools/integrations/store-proposals.ts';
import { toProposalRow } from '../../tool-imports/reading/proposal-rows.ts';

/** Returns the proposals of an entry as rows. */
export const listProposalRows = (entry: CatalogueEntry, proposals: SetUp['proposals']): ProposalRows => ({
  rows: JSON.stringify(proposals.map(toProposalRow)),
  hash: sha256Hex(JSON.stringify(entry)),
});
