import { type FlowContext, type FlowSource, SOURCES_MAX, TOOLS_USED_MAX } from './flow-context.ts';

/** The additions of a decision to the context of its agent. */
export type Growth = { readonly labels: readonly string[]; readonly sources: readonly FlowSource[]; readonly tool: string | null };

export type GrownContext = Pick<FlowContext, 'labels' | 'sources' | 'tools_used' | 'is_overflowing'>;

export const EMPTY_CONTEXT: GrownContext = { labels: [], sources: [], tools_used: [], is_overflowing: false };

const isSame = (one: FlowSource, other: FlowSource): boolean =>
  one.label === other.label &&
  one.tool === other.tool &&
  one.host === other.host &&
  one.readers?.join() === other.readers?.join() &&
  one.hosts.join() === other.hosts.join();

const isKnown = ({ sources }: GrownContext, source: FlowSource): boolean => sources.some((known) => isSame(known, source));

/** Adds to a context. Nothing is ever removed: beyond its bounds it only records that there was more. */
export const grow = (context: GrownContext, { labels, sources, tool }: Growth): GrownContext => {
  const added = sources.filter((source) => !isKnown(context, source));
  const all = [...context.sources, ...added];
  return {
    labels: [...new Set([...context.labels, ...labels])].toSorted(),
    sources: all.slice(0, SOURCES_MAX),
    tools_used:
      tool === null || context.tools_used.includes(tool) ? context.tools_used : [...context.tools_used, tool].slice(0, TOOLS_USED_MAX),
    is_overflowing: context.is_overflowing || all.length > SOURCES_MAX,
  };
};

/** Joins contexts whose data counts together; null if there is none. */
export const joinContexts = (contexts: readonly FlowContext[]): FlowContext | null => {
  const [first] = contexts;
  if (first === undefined) return null;
  const joined = contexts.reduce<GrownContext>((sum, { labels, sources, tools_used, is_overflowing }) => {
    const { is_overflowing: isMore, ...grown } = grow(sum, { labels, sources, tool: null });
    const tools = [...new Set([...sum.tools_used, ...tools_used])].slice(0, TOOLS_USED_MAX);
    return { ...grown, tools_used: tools, is_overflowing: isMore || is_overflowing };
  }, EMPTY_CONTEXT);
  const times = (member: 'started_at' | 'last_used_at') => contexts.map((context) => context[member]).toSorted();
  const [started_at = first.started_at] = times('started_at');
  return { id: first.id, name: first.name, ...joined, started_at, last_used_at: times('last_used_at').at(-1) ?? first.last_used_at };
};

/** Returns the part of a growth that a context lacks; null if there is none. */
export const missingGrowth = (context: GrownContext, growth: Growth): Growth | null => {
  const labels = growth.labels.filter((label) => !context.labels.includes(label));
  const sources = context.is_overflowing ? [] : growth.sources.filter((source) => !isKnown(context, source));
  const isNewTool = growth.tool !== null && !context.tools_used.includes(growth.tool) && context.tools_used.length < TOOLS_USED_MAX;
  if (labels.length === 0 && sources.length === 0 && !isNewTool) return null;
  return { labels, sources, tool: isNewTool ? growth.tool : null };
};
