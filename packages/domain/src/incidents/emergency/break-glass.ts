import type { BreakGlassMode, BreakGlassStatus } from '@svc/contract/incidents/emergency/break-glass.ts';
import { getBuiltInRole } from '@svc/contract/tables/built-in-roles.ts';
import type { Permission } from '@svc/contract/tables/permissions.ts';

/** Permissions that break-glass access never includes: those by which a user would extend their time, or hide their actions. */
const NEVER = /^(member:|role:|apikey:(create|update)|sso:|organization:|audit:update_retention)/;

/** Permissions of a person under a grant, in addition to their own. Decisions about actions of agents are not affected. */
export const BREAK_GLASS_PERMISSIONS: readonly Permission[] = getBuiltInRole('security').permissions.filter(
  (permission) => permission.endsWith(':read') || !NEVER.test(permission),
);

/** A grant as it is stored. */
export type StoredGrant = {
  readonly status: string;
  readonly request_expires_at: string;
  readonly expires_at: string | null;
};

/** The status of a grant at a time. Nothing has to run for a grant to expire. */
export const getBreakGlassStatus = ({ status, request_expires_at, expires_at }: StoredGrant, nowMs: number): BreakGlassStatus => {
  if (status === 'PENDING') return Date.parse(request_expires_at) > nowMs ? 'PENDING' : 'EXPIRED';
  if (status === 'ACTIVE') return isGrantInForce(expires_at, nowMs) ? 'ACTIVE' : 'EXPIRED';
  return status as BreakGlassStatus;
};

/** Returns true before the end of a grant. An invalid end counts as passed. */
export const isGrantInForce = (expiresAt: string | null, nowMs: number): boolean => expiresAt !== null && Date.parse(expiresAt) > nowMs;

/** Minutes that a grant lasts at most. */
export const minutesAllowed = (mode: BreakGlassMode, limits: { readonly minutesMax: number; readonly aloneMinutesMax: number }): number =>
  mode === 'SELF_WITH_NOTICE' ? limits.aloneMinutesMax : limits.minutesMax;
