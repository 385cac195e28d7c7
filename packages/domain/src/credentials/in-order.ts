import type { CredentialOrder } from '@svc/contract/credentials/credentials.ts';

type Ordered = { readonly id: string; readonly name: string; readonly status: string; readonly last_used_at: string | null };

const byText = (left: string, right: string): number => Number(left > right) - Number(left < right);

const ORDERS: Readonly<Record<CredentialOrder, (left: Ordered, right: Ordered) => number>> = {
  oldest: (left, right) => byText(left.id, right.id),
  newest: (left, right) => byText(right.id, left.id),
  name: (left, right) => byText(left.name.toLowerCase(), right.name.toLowerCase()),
  // A credential without a known use comes first.
  longest_unused: (left, right) => byText(left.last_used_at ?? '', right.last_used_at ?? ''),
};

/** Sorts active ones before revoked ones, and each kind in the requested order; equal ones stay oldest first. */
export const inOrder = <One extends Ordered>(credentials: readonly One[], order: CredentialOrder): readonly One[] =>
  credentials.toSorted((left, right) => byText(left.status, right.status) || ORDERS[order](left, right) || byText(left.id, right.id));
