import type { OperationTypes } from '@svc/client/client.ts';
import { resolveId } from '../calls/resolve-name.ts';
import { formatAmount } from '../output/money.ts';
import { getRelativeTime, printResult } from '../output/print.ts';
import type { Cli } from '../session/cli.ts';
import type { RunCommand } from '../session/hand-command.ts';
import { escapeControlCharacters } from '../terminal/io.ts';

type Graph = OperationTypes['getDelegationGraph']['result'];
type Edge = Graph['edges'][number];

const EDGES_MAX = 5_000;

const readGraph = async (cli: Cli, query: object): Promise<Graph> => {
  const { client } = await cli.connect();
  const edges: Edge[] = [];
  const nodes = new Map<string, Graph['nodes'][number]>();
  let cursor: string | undefined = '';
  while (cursor !== undefined && edges.length < EDGES_MAX) {
    const page: Graph = await client.getDelegationGraph({ query: { ...query, ...(cursor === '' ? {} : { cursor }) } });
    edges.push(...page.edges);
    for (const node of page.nodes) nodes.set(node.id, node);
    cursor = page.page.has_more ? page.page.next_cursor : undefined;
  }
  return { nodes: [...nodes.values()], edges, page: { next_cursor: '', has_more: cursor !== undefined } };
};

const describeBounds = ({ ceiling, expires_at }: Edge): string => {
  const limits = ceiling as Readonly<Record<string, unknown>>;
  const amount =
    typeof limits.max_amount === 'number'
      ? `up to ${formatAmount(limits.max_amount, typeof limits.currency === 'string' ? limits.currency : null)}`
      : '';
  return [amount, expires_at === null ? '' : `ends ${getRelativeTime(expires_at)}`].filter((part) => part !== '').join(', ');
};

const printTree = (cli: Cli, { nodes, edges }: Graph): void => {
  const names = new Map(nodes.map(({ id, name }) => [id, escapeControlCharacters(name)]));
  const known = new Set(edges.map(({ id }) => id));
  const roots = edges.filter(({ parent_id }) => parent_id === null || !known.has(parent_id));
  const show = (edge: Edge, indent: string, isLast: boolean): void => {
    const bounds = describeBounds(edge);
    const status = edge.status === 'ACTIVE' ? '' : `  ${cli.io.paint('red', edge.status)}`;
    cli.io.out(
      `${indent}${isLast ? '└─' : '├─'} ${names.get(edge.to) ?? edge.to}  ${edge.id}${status}${bounds === '' ? '' : `  ${cli.io.paint('dim', bounds)}`}`,
    );
    const below = edges.filter(({ parent_id }) => parent_id === edge.id);
    for (const each of below) show(each, `${indent}${isLast ? '   ' : '│  '}`, each === below.at(-1));
  };
  for (const from of new Set(roots.map((edge) => edge.from))) {
    cli.io.out(cli.io.paint('bold', names.get(from) ?? from));
    const own = roots.filter((edge) => edge.from === from);
    for (const edge of own) show(edge, '', edge === own.at(-1));
  }
  if (edges.length === 0) cli.io.note('No delegations.');
};

const quoted = (text: string): string => JSON.stringify(text);

/** The graph for Graphviz or Mermaid. */
const drawGraph = ({ nodes, edges }: Graph, isDot: boolean): readonly string[] =>
  isDot
    ? [
        'digraph delegations {',
        ...nodes.map(({ id, name }) => `  ${quoted(id)} [label=${quoted(name)}];`),
        ...edges.map(({ from, to, id }) => `  ${quoted(from)} -> ${quoted(to)} [label=${quoted(id)}];`),
        '}',
      ]
    : [
        'flowchart LR',
        ...nodes.map(({ id, name }) => `  ${id}[${quoted(name)}]`),
        ...edges.map(({ from, to, status }) => `  ${from} -->|${status}| ${to}`),
      ];

/** Prints delegations as a tree, from the person to the last agent. */
export const printDelegationTree: RunCommand = async (cli, _, options) => {
  const query = {
    ...(options.every === true ? {} : { status: 'ACTIVE' }),
    ...(typeof options.agent === 'string' ? { agent_id: await resolveId(cli, 'agentId', options.agent) } : {}),
  };
  const graph = await readGraph(cli, query);
  printResult(cli, { nodes: graph.nodes, edges: graph.edges }, () => {
    if (options.dot !== true && options.mermaid !== true) printTree(cli, graph);
    else for (const line of drawGraph(graph, options.dot === true)) cli.io.out(line);
  });
};
