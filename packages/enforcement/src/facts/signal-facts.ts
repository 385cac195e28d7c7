import { findPeople } from '@svc/domain/risk/contexts/find-people.ts';
import type { RecentCalls, SignalFacts } from '@svc/domain/risk/risk-signals/signal.ts';
import { sourceNetwork } from '@svc/domain/risk/risk-signals/source-network.ts';
import { isAllowed } from '@svc/domain/tools/destinations/allowlist.ts';
import type { Destination } from '@svc/domain/tools/destinations/parse-destination.ts';
import { localTime } from '@svc/policy/values/local-time.ts';
import type { Facts, Learned } from './facts.ts';

const NOTHING_RECENT: RecentCalls = { calls: 0, refusedInRow: 0, refusedNames: 0, contexts: new Set() };
const WEEKEND: readonly string[] = ['SAT', 'SUN'];

const isInternal = ({ environment }: Pick<Facts, 'environment'>, destination: Destination): boolean =>
  environment.risk.internal.length > 0 && isAllowed(environment.risk.internal, destination);

/** The time is computed only if the settings name hours. */
const timeFacts = ({ environment, now }: Facts): Pick<SignalFacts, 'localHour' | 'isWeekend'> => {
  if (environment.risk.hours === null) return { localHour: 0, isWeekend: false };
  const { hour, weekday } = localTime(now, environment.time_zone);
  return { localHour: hour, isWeekend: WEEKEND.includes(weekday) };
};

const networkFacts = ({ source, environment, marks }: Facts): SignalFacts['network'] => {
  const name = source === null ? null : sourceNetwork(source.ip);
  if (name === null || source === null) return null;
  return { name, mark: marks('network', name), isNamed: environment.risk.isNamedNetwork(source.ip) };
};

const amountFacts = ({ environment: { base_currency } }: Facts, { derived, amounts }: Learned): SignalFacts['amount'] => {
  const converted = amounts?.find(({ currency }) => currency === base_currency)?.amount;
  const value = converted ?? (derived?.currency === base_currency ? derived.amount : null);
  return value === null || value === undefined ? null : { value, currency: base_currency };
};

const toolFacts = ({ marks }: Facts, { tool }: Learned): SignalFacts['tool'] =>
  tool === undefined
    ? null
    : { name: tool.name, mark: marks('tool', tool.name), kind: tool.kind, risk_rating: tool.risk_rating, changedAt: tool.declared_at };

/** The record that the request reads, where the tool declares which parameter names it. Only its mark is kept. */
const recordFacts = ({ marks }: Facts, { tool, derived }: Learned): SignalFacts['record'] => {
  const pointer = tool?.flow.record_from ?? null;
  if (tool === undefined || pointer === null) return null;
  const name = findPeople(derived?.parameters, [pointer]).people.join(',');
  return name === '' ? null : { name, mark: marks('record', `${tool.name} ${name}`) };
};

const DAY_MS = 86_400_000;

const isNewlyAuthorized = ({ agent, now }: Facts, { tool }: Learned): boolean => {
  const at = tool === undefined ? undefined : agent.new_tools?.[tool.id];
  return at !== undefined && now.getTime() - Date.parse(at) < DAY_MS;
};

/** Returns a request in the form that risk signals read. */
export const getSignalFacts = (facts: Facts, learned: Learned): SignalFacts => {
  const { agent, environment, history, now, request } = facts;
  const place = learned.derived?.destination ?? null;
  const name = place === null ? '' : `${place.host}:${place.port}`;
  const destination = place === null ? null : { name, mark: facts.marks('destination', name), isInternal: isInternal(facts, place) };
  return {
    nowMs: now.getTime(),
    ...timeFacts(facts),
    rules: environment.risk,
    conduct: history?.conduct ?? null,
    recent: history?.recent ?? NOTHING_RECENT,
    tool: toolFacts(facts, learned),
    isNewlyAuthorized: isNewlyAuthorized(facts, learned),
    isOutgoing: learned.flow?.isOutgoing ?? (destination !== null && !destination.isInternal),
    destination,
    network: networkFacts(facts),
    record: recordFacts(facts, learned),
    amount: amountFacts(facts, learned),
    key: agent.key_created_at === null ? null : { generation: agent.key_generation, createdAt: agent.key_created_at },
    parameters: learned.derived?.parameters ?? request.parameters ?? null,
    parametersSchema: learned.tool?.parameters_schema ?? {},
  };
};
