import { EVIDENCE_KINDS } from '@svc/contract/risk/trust/vocabulary.ts';
import { ENFORCEMENT_STATUSES, RUNTIME_STATUSES } from '@svc/contract/runtimes/runtimes/vocabulary.ts';
import { AGENT_STATUSES, DELEGATION_BACKINGS, DELEGATION_STATUSES } from '@svc/contract/tables/vocabulary.ts';
import { parseAllowlistEntry } from '@svc/domain/tools/destinations/allowlist.ts';
import type { AgentSnapshot } from '@svc/enforcement/facts/snapshots.ts';
import type { StoredChains } from './read-chains.ts';
import { type Fits, isCurrency, isFlag, isText, isTextList, isTime, isWhole, matchWords, mustFit, orNull, UnfitRow } from './unfit-row.ts';

const isLabels: Fits = (value) =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.values(value).every((label) => typeof label === 'string');

const isKey = (key: unknown): boolean => {
  const { generation, public_key } = (key ?? {}) as Partial<AgentSnapshot['keys'][number]>;
  return isWhole(1)(generation) && isText(public_key);
};

const isDestinations: Fits = (value) =>
  isTextList(value) && (value as readonly string[]).every((text) => !('fault' in parseAllowlistEntry(text)));

const LINK_COLUMNS = {
  capabilities: orNull(isTextList),
  tools: orNull(isTextList),
  environments: orNull(isTextList),
  destinations: orNull(isDestinations),
  max_amount: orNull(isWhole(0)),
  currency: orNull(isCurrency),
  max_calls: orNull(isWhole(0)),
  window_seconds: orNull(isWhole(1)),
  can_redelegate: isFlag,
  max_depth: isWhole(0),
  status: matchWords(DELEGATION_STATUSES),
  backing: matchWords(DELEGATION_BACKINGS),
} as const satisfies Partial<Record<keyof StoredChains['links'][number], Fits>>;

type StoredLink = StoredChains['links'][number];

/** Throws if a chain is broken: skipping it would remove a bound, and the agent would use its own grants. */
const mustHangTogether = ({ own, links }: StoredChains): void => {
  const there = new Set(links.map(({ id }) => id));
  const lost = own.find((id) => !there.has(id));
  if (lost !== undefined) throw new UnfitRow('delegations', lost, 'path');
  const isGiven = ({ delegator_user_id, delegator_agent_id }: StoredLink): boolean =>
    isText(delegator_user_id ?? delegator_agent_id) && (delegator_user_id === null || delegator_agent_id === null);
  for (const link of links) {
    if (!isGiven(link)) throw new UnfitRow('delegations', link.id, 'delegator_user_id');
    if (link.parent_id !== null && !there.has(link.parent_id)) throw new UnfitRow('delegations', link.id, 'parent_id');
  }
};

/** Throws at a delegation, or at an agent in its chain, that is not as the service writes it. */
export const mustFitChains = (stored: StoredChains): void => {
  const { links, holders } = stored;
  mustHangTogether(stored);
  for (const link of links) {
    mustFit('delegations', link.id, link, LINK_COLUMNS);
    if (link.expires_at !== null && !Number.isFinite(Date.parse(link.expires_at))) throw new UnfitRow('delegations', link.id, 'expires_at');
    if ((link.max_amount === null) !== (link.currency === null)) throw new UnfitRow('delegations', link.id, 'currency');
  }
  for (const holder of holders) mustFit('agents', holder.id, holder, { status: matchWords(AGENT_STATUSES), capabilities: isTextList });
};

type AgentRow = Pick<
  AgentSnapshot,
  | 'agent_id'
  | 'environment_id'
  | 'name'
  | 'status'
  | 'expires_at'
  | 'require_dpop'
  | 'labels'
  | 'created_at'
  | 'key_generation'
  | 'passport_version'
  | 'session_series'
> &
  Pick<AgentSnapshot, 'epoch' | 'passport_expires_at' | 'keys' | 'capability_names' | 'runtimes' | 'evidence'> & {
    readonly tool_ids: readonly string[];
  };

const isForecast: Fits = (value) =>
  Array.isArray(value) && value.every(({ from, status }) => isTime(from) && matchWords(ENFORCEMENT_STATUSES)(status));

/** Throws at a runtime that is not as the service writes it: what it refuses would be let through. */
const mustFitRuntimes = (runtimes: AgentSnapshot['runtimes']): void => {
  for (const runtime of runtimes) {
    mustFit('runtimes', runtime.runtime_id, runtime, {
      status: matchWords(RUNTIME_STATUSES),
      fail_closed: isFlag,
      enforcement_forecast: isForecast,
    });
  }
};

/** Throws at evidence that is not as the service writes it. */
const mustFitEvidence = (evidence: AgentSnapshot['evidence']): void => {
  for (const piece of evidence) {
    mustFit('trust_evidence', piece.id, piece, {
      provider_id: isText,
      kind: matchWords(EVIDENCE_KINDS),
      level: (value) => isWhole(0)(value) && (value as number) <= 4,
      is_lowering: isFlag,
      is_bound: isFlag,
      issued_at: isTime,
      expires_at: isTime,
    });
  }
};

/** Throws at an agent that is not as the service writes it, its keys, passport and grants included. */
export const mustFitAgent = (row: AgentRow): void => {
  mustFit('agents', row.agent_id, row, {
    environment_id: isText,
    name: isText,
    status: matchWords(AGENT_STATUSES),
    expires_at: orNull(isTime),
    labels: isLabels,
    require_dpop: isFlag,
    created_at: isTime,
    key_generation: isWhole(1),
    passport_version: isWhole(1),
    session_series: isWhole(1),
    epoch: isWhole(1),
    capability_names: isTextList,
    tool_ids: isTextList,
  });
  mustFit('passports', row.agent_id, { expires_at: row.passport_expires_at }, { expires_at: orNull(isTime) });
  mustFitRuntimes(row.runtimes);
  mustFitEvidence(row.evidence);
  if (!row.keys.every(isKey)) throw new UnfitRow('agent_keys', row.agent_id, 'public_key');
};
