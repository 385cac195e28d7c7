import type { ConnectionHealth } from '@svc/contract/runtimes/runtimes/vocabulary.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { isObject, listAt, objectAt } from '../../digest/json.ts';
import type { InspectionTerms, InstanceAnswer, NewEvidence, SendToInstance, TestedConnection } from '../../kind.ts';

const READ_SCOPES = [
  ...['workflow:read', 'workflow:list', 'credential:list', 'user:list', 'execution:read', 'execution:list', 'securityAudit:generate'],
] as const;
const OPERATE_SCOPES = ['workflow:activate', 'workflow:deactivate', 'execution:stop', 'workflow:create', 'workflow:delete'] as const;
/** Scopes that change something. A key that has them although the service may only read is wider than it has to be. */
const WRITES = /:(?:create|update|delete|activate|deactivate|stop|retry|move|execute|publish)$/;

const { slowMs, clockDifferenceMaxMs } = LIMITS.runtimes;
const DISCOVER_MS = 20_000;
const DISCOVER = 'GET /api/v1/discover';

const REMEDIES = {
  DISABLED: 'Outbound calls are disabled in this installation. Set GATEWAY_ALLOW_REAL_EGRESS.',
  UNREACHABLE: 'Check base_url, and that the service may call its network (SVC_EGRESS_ALLOW_CIDRS).',
  UNAUTHORIZED: 'Create an API key with read scopes at the instance, and replace it with PUT /v1/runtimes/{runtimeId}/api-key.',
  NOT_THE_PRODUCT: 'The address answers, but not as n8n does. Check base_url.',
  SCOPES: 'Create an API key with the missing scopes at the instance, and replace it.',
} as const;

const observed = (name: NewEvidence['name'], holds: boolean | null, source: string, detail: string): NewEvidence => ({
  name,
  holds,
  source,
  detail,
});

const tested = (
  health: ConnectionHealth,
  detail: string,
  evidence: readonly NewEvidence[],
  remedy: string | null,
  key: TestedConnection['key'] = null,
): TestedConnection => ({ health, detail, evidence, remedy, key });

const failed = (answer: InstanceAnswer & { kind: 'failed' }, source: string): TestedConnection => {
  const isOff = answer.why === 'DISABLED';
  const evidence = [observed('REACHED', isOff ? null : false, source, answer.detail)];
  return tested(isOff ? 'UNKNOWN' : 'UNREACHABLE', answer.detail, evidence, isOff ? REMEDIES.DISABLED : REMEDIES.UNREACHABLE);
};

const scopesIn = (json: unknown): string[] | undefined => {
  const data = objectAt(json, 'data');
  if (!isObject(data.resources)) return undefined;
  return listAt(data, 'scopes').filter((scope): scope is string => typeof scope === 'string');
};

/** Reads how far the clock of the instance is from ours. */
const clockDifference = (date: string | null, now: Date): number => {
  const at = date === null ? Number.NaN : Date.parse(date);
  return Number.isNaN(at) ? 0 : Math.abs(at - now.getTime());
};

const ofScopes = (answer: InstanceAnswer & { kind: 'answered' }, scopes: string[], terms: InspectionTerms, now: Date): TestedConnection => {
  const needed = terms.admin_access === 'OPERATE' ? [...READ_SCOPES, ...OPERATE_SCOPES] : READ_SCOPES;
  const missing = needed.filter((scope) => !scopes.includes(scope));
  const key = {
    scopes,
    missing,
    too_wide: terms.admin_access !== 'OPERATE' && scopes.some((scope) => WRITES.test(scope)),
    expires_at: null,
  };
  const evidence = [
    observed('REACHED', true, DISCOVER, `Answered with ${scopes.length} scopes in ${answer.ms} ms.`),
    observed(
      'KEY_SCOPES',
      missing.length === 0,
      DISCOVER,
      missing.length === 0 ? 'The key has every scope that is needed.' : `Missing: ${missing.join(', ')}.`,
    ),
  ];
  if (missing.length > 0) return tested('DEGRADED', `The key lacks ${missing.length} scopes.`, evidence, REMEDIES.SCOPES, key);
  if (answer.ms > slowMs) return tested('DEGRADED', `The instance took ${answer.ms} ms.`, evidence, null, key);
  if (clockDifference(answer.date, now) > clockDifferenceMaxMs)
    return tested('DEGRADED', 'The clock of the instance is wrong.', evidence, null, key);
  return tested('HEALTHY', 'The instance answers, and the key has every scope that is needed.', evidence, null, key);
};

/** Tests the connection: that the instance is ready, that it is n8n, and what the key may do. Stops at the first failure. */
export const testConnection = async (send: SendToInstance, terms: InspectionTerms, now: Date): Promise<TestedConnection> => {
  const ready = await send({ method: 'GET', path: '/healthz/readiness', isAnonymous: true });
  if (ready.kind === 'failed') return failed(ready, 'GET /healthz/readiness');
  if (ready.status !== 200) {
    const detail = `Its readiness check answered ${ready.status}.`;
    return tested('UNREACHABLE', detail, [observed('REACHED', false, 'GET /healthz/readiness', detail)], REMEDIES.NOT_THE_PRODUCT);
  }
  const answer = await send({ method: 'GET', path: '/api/v1/discover', timeoutMs: DISCOVER_MS });
  if (answer.kind === 'failed') return failed(answer, DISCOVER);
  if (answer.status === 401 || answer.status === 403) {
    const detail = `The instance refused the key with ${answer.status}.`;
    return tested('UNAUTHORIZED', detail, [observed('REACHED', false, DISCOVER, detail)], REMEDIES.UNAUTHORIZED);
  }
  const scopes = answer.status === 200 ? scopesIn(answer.json) : undefined;
  if (scopes === undefined) {
    const detail = `It answered ${answer.status} without the list of endpoints of n8n.`;
    return tested('UNREACHABLE', detail, [observed('REACHED', false, DISCOVER, detail)], REMEDIES.NOT_THE_PRODUCT);
  }
  return ofScopes(answer, scopes, terms, now);
};
