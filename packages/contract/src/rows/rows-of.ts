import type { Area } from '../tables/areas.ts';
import type { Endpoint } from './endpoint.ts';

/** What an area joins: rows that name no other area. */
export type RowsOf<A extends Area> = Readonly<Record<string, Endpoint & { readonly area: A }>>;
