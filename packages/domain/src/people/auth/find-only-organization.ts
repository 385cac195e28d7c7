import { listProofsElsewhere, type SessionProofs } from '@svc/contract/tables/proofs.ts';

type Session = SessionProofs & { readonly organizationId: string };

/** Returns the organization whose provider vouched for a session that has no proof of the person's own; undefined for any other session. */
export const findOnlyOrganization = ({ organizationId, ...evidence }: Session): string | undefined =>
  listProofsElsewhere(evidence).length === 0 ? organizationId : undefined;
