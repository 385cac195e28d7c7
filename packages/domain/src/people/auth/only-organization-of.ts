import { type Proof, proofsElsewhere } from '@svc/contract/tables/proofs.ts';

type Seeing = { readonly amr: readonly Proof[]; readonly organizationId: string };

/** The one organization that a session sees of its person's; undefined where it sees all. One that rests on the word of an organization's provider sees that organization alone. */
export const onlyOrganizationOf = ({ amr, organizationId }: Seeing): string | undefined =>
  proofsElsewhere(amr).length === 0 ? organizationId : undefined;
