import { markText } from '@svc/domain/risk/conduct/mark.ts';
import { findPeople, mailHost } from '@svc/domain/risk/contexts/find-people.ts';
import { type FlowSource, type Reach, UNTRUSTED } from '@svc/domain/risk/contexts/flow-context.ts';
import { EMPTY_CONTEXT, type GrownContext, type Growth, missingGrowth } from '@svc/domain/risk/contexts/growth.ts';
import { isOutgoing, labelsLeaving, type Outgoing } from '@svc/domain/risk/contexts/labels-leaving.ts';
import { findStoreKey } from '@svc/domain/risk/contexts/store-key.ts';
import { isAllowed } from '@svc/domain/tools/destinations/allowlist.ts';
import type { Facts, Learned } from './facts.ts';
import type { ToolSnapshot } from './snapshots.ts';

/** The data that a request may carry, and what its result adds to the context of the agent. */
export type Flow = {
  readonly context: GrownContext;
  readonly minutes: number;
  readonly reach: Reach;
  readonly isOutgoing: boolean;
  readonly leaving: readonly string[];
  /** Null if the context already contains it. The record fills in the action and time of new sources. */
  readonly growth: Growth | null;
  /** Null if the request stores nothing, or no data that may have labels. */
  readonly stores: StoredKey | null;
  /** Null if the request reads no key of a store. */
  readonly loads: StoredKey | null;
};

/** Mark of the key of a store; null if the request has no key that can be read. */
export type StoredKey = { readonly mark: string | null };

/** Returns the declared reach, or that of the destination: without a destination nothing leaves. */
const reachOf = ({ flow, kind }: ToolSnapshot, { environment }: Facts, { derived }: Learned): Reach => {
  const destination = derived?.destination ?? null;
  if (flow.reach !== null) return flow.reach;
  if (destination === null) return kind === 'MCP' ? 'EXTERNAL' : 'INTERNAL';
  return isAllowed(environment.risk.internal, destination) ? 'INTERNAL' : 'EXTERNAL';
};

const getPeople = ({ flow }: ToolSnapshot, { derived }: Learned, which: 'about' | 'all') => {
  const pointers = which === 'all' && flow.recipient_from !== null ? [flow.recipient_from, ...flow.readers_from] : flow.readers_from;
  return findPeople(derived?.parameters, pointers);
};

const listMarks = ({ marks }: Facts, people: readonly string[]): string[] => people.map((person) => markText(marks('person', person)));

const isOwn =
  ({ environment }: Facts) =>
  (person: string): boolean => {
    const host = mailHost(person);
    return host !== null && isAllowed(environment.risk.internal, { host, port: 443 });
  };

const getOutgoing = (facts: Facts, learned: Learned, tool: ToolSnapshot): Outgoing => {
  const { people, isPartial } = getPeople(tool, learned, 'all');
  const destination = learned.derived?.destination ?? null;
  // A value that cannot be read as a person is no known reader.
  const marks = isPartial ? [] : listMarks(facts, people);
  const isForOwnPeople = !isPartial && people.length > 0 && people.every(isOwn(facts));
  return { reach: reachOf(tool, facts, learned), destination, people: isPartial ? ['partial'] : marks, isForOwnPeople };
};

/** Returns the labels of the result. A tool without any counts as untrusted if the settings require it and its data comes from outside. */
const listLabels = ({ flow }: ToolSnapshot, { environment }: Facts, isOutside: boolean): readonly string[] =>
  flow.labels.length === 0 && environment.risk.unlabelled_tools === 'UNTRUSTED_IF_EXTERNAL' && isOutside ? [UNTRUSTED] : flow.labels;

const getGrowth = (facts: Facts, learned: Learned, tool: ToolSnapshot, isOutside: boolean): Growth => {
  const labels = listLabels(tool, facts, isOutside);
  const { people, isPartial } = getPeople(tool, learned, 'about');
  const readers = tool.flow.readers_from.length === 0 ? null : isPartial ? [] : listMarks(facts, people);
  const host = learned.derived?.destination?.host ?? null;
  const sources = labels.map(
    (label): FlowSource => ({ label, tool: tool.name, host, readers, hosts: tool.flow.readers, action_id: '', at: '' }),
  );
  const tracksTools = facts.environment.policies.reads.has('session.tools_used');
  return { labels, sources, tool: tracksTools ? tool.name : null };
};

const findKey = (facts: Facts, { derived }: Learned, pointer: string | null): StoredKey | null => {
  if (pointer === null) return null;
  const key = findStoreKey(derived?.parameters, pointer);
  return { mark: key === null ? null : markText(facts.marks('store_key', key)) };
};

/** Returns the flow of a request whose tool is known. */
export const getFlow = (facts: Facts, learned: Learned): Flow | undefined => {
  const { tool } = learned;
  if (tool === undefined) return undefined;
  const { held, own } = facts.contexts;
  const context = held ?? EMPTY_CONTEXT;
  const request = getOutgoing(facts, learned, tool);
  const isOutside = isOutgoing(request, facts.environment.risk);
  // Data of another context does not count: that context may end earlier.
  const growth = missingGrowth(own, getGrowth(facts, learned, tool, isOutside));
  const loads = findKey(facts, learned, tool.flow.load_key_from);
  return {
    context,
    minutes: held === null ? 0 : Math.max(0, Math.floor((facts.now.getTime() - Date.parse(held.started_at)) / 60_000)),
    reach: request.reach,
    isOutgoing: isOutside,
    leaving: context.labels.length === 0 ? [] : labelsLeaving(context, request, facts.environment.risk),
    growth,
    stores: context.labels.length === 0 && growth === null && loads === null ? null : findKey(facts, learned, tool.flow.store_key_from),
    loads,
  };
};
