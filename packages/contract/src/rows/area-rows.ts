import type { Area } from '../tables/areas.ts';
import type { Endpoint } from './endpoint.ts';

/** Rows that an area joins; they name no other area. */
export type AreaEndpoints<A extends Area> = Readonly<Record<string, Endpoint & { readonly area: A }>>;
