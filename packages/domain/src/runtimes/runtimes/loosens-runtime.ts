import type { RuntimeSettings } from '@svc/contract/runtimes/runtimes/runtime-shapes.ts';
import { ADMIN_ACCESS, type AdminAccess } from '@svc/contract/runtimes/runtimes/vocabulary.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { isWeaker } from './enforcement-order.ts';
import { requiredEnforcement } from './runtime-standing.ts';

/** The settings of a runtime that a change can weaken. */
export type RuntimeSetting = {
  readonly agent_id: string | null;
  readonly fail_closed: boolean;
  readonly admin_access: AdminAccess;
  readonly settings: RuntimeSettings;
};

const { defaultGraceSeconds, defaultIntervalSeconds } = LIMITS.runtimes;

const adds = (before: readonly string[] = [], after: readonly string[] = []): boolean => after.some((each) => !before.includes(each));

const loosensSettings = (before: RuntimeSettings, after: RuntimeSettings): boolean =>
  adds(before.allowed_hosts, after.allowed_hosts) ||
  adds(before.model_hosts, after.model_hosts) ||
  adds(before.governed_node_types, after.governed_node_types) ||
  (after.grace_seconds ?? defaultGraceSeconds) > (before.grace_seconds ?? defaultGraceSeconds) ||
  (after.interval_seconds ?? defaultIntervalSeconds) > (before.interval_seconds ?? defaultIntervalSeconds) ||
  isWeaker(requiredEnforcement(after), requiredEnforcement(before));

/** Returns true if a change weakens enforcement or lets the service do more at the instance. */
export const loosensRuntime = (before: RuntimeSetting, after: RuntimeSetting): boolean =>
  (before.fail_closed && !after.fail_closed) ||
  (before.fail_closed && before.agent_id !== null && before.agent_id !== after.agent_id) ||
  ADMIN_ACCESS.indexOf(after.admin_access) > ADMIN_ACCESS.indexOf(before.admin_access) ||
  loosensSettings(before.settings, after.settings);
