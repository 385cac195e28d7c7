import type { SavedSearch } from '@svc/contract/events/audit-searches.ts';
import type { SavedRow } from '@svc/postgres/events/audit-searches.ts';

export const formatSearch = ({ id, name, filter, shared, owner_type, owner_id, created_at, updated_at }: SavedRow): SavedSearch => ({
  id,
  name,
  filter: filter as SavedSearch['filter'],
  query: new URLSearchParams(filter).toString(),
  shared,
  owner: { type: owner_type, id: owner_id },
  created_at,
  updated_at,
});
