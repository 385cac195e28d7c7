import { type Static, Type } from 'typebox';
import { defineEndpoint } from '../rows/endpoint.ts';
import { boundedListQuery, closedObject, id, name, timestamp } from '../rows/schema.ts';
import { AuditSearch } from './audit-events.ts';

/** Criteria of a search, without its page. */
export const SavedFilter = closedObject(
  { ...Type.Omit(AuditSearch, ['cursor', 'limit']).properties },
  'Filter, with the parameters of GET /v1/audit-events.',
);
export type SavedFilter = Static<typeof SavedFilter>;

export const SavedSearch = closedObject({
  id: id('Saved search id (asr_).'),
  name: Type.String(),
  filter: SavedFilter,
  query: Type.String({ description: 'Filter as the query string of GET /v1/audit-events, without the question mark.' }),
  shared: Type.Boolean({ description: 'True if all users with access to the audit log of the whole organization see it.' }),
  owner: closedObject({ type: Type.String(), id: Type.String() }, 'User who created the search. Only this user can change it.'),
  created_at: timestamp,
  updated_at: timestamp,
});
export type SavedSearch = Static<typeof SavedSearch>;

const row = {
  plane: 'control',
  area: 'events',
  credential: 'caller',
  budget: 'caller',
  wire: 'json',
  permissions: ['audit:read'],
} as const;
const shared = Type.Boolean({ description: 'Share the search with all users who have access to the audit log of the whole organization.' });

export const auditSearchEndpoints = {
  listAuditSearches: defineEndpoint({
    ...row,
    method: 'GET',
    path: '/v1/audit-events/searches',
    summary: 'List the saved searches of the caller and shared ones, by name.',
    query: boundedListQuery,
    result: Type.Array(SavedSearch),
    emits: [],
    refuses: [],
  }),
  createAuditSearch: defineEndpoint({
    ...row,
    method: 'POST',
    path: '/v1/audit-events/searches',
    summary: 'Save a search under a name.',
    idempotent: true,
    body: closedObject({ name: name('Name, unique per user.'), filter: SavedFilter, shared: Type.Optional(shared) }),
    result: SavedSearch,
    status: 201,
    emits: [],
    refuses: ['VALIDATION_FAILED', 'ALREADY_EXISTS', 'PERMISSION_DENIED'],
    automation: 'ALLOWED',
  }),
  updateAuditSearch: defineEndpoint({
    ...row,
    method: 'PATCH',
    path: '/v1/audit-events/searches/{searchId}',
    summary: 'Change a saved search of the caller.',
    body: closedObject({
      name: Type.Optional(name('Name of the search.')),
      filter: Type.Optional(SavedFilter),
      shared: Type.Optional(shared),
    }),
    result: SavedSearch,
    emits: [],
    refuses: ['NOT_FOUND', 'VALIDATION_FAILED', 'ALREADY_EXISTS', 'PERMISSION_DENIED'],
    automation: 'ALLOWED',
  }),
  deleteAuditSearch: defineEndpoint({
    ...row,
    method: 'DELETE',
    path: '/v1/audit-events/searches/{searchId}',
    summary: 'Delete a saved search of the caller. A shared search can also be deleted by users who may change the organization.',
    mayNeed: ['organization:update'],
    result: SavedSearch,
    emits: [],
    refuses: ['NOT_FOUND'],
    automation: 'ALLOWED',
  }),
};
