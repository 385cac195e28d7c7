/** A node of a workflow as it is drawn. */
export type DrawnNode = { readonly id: string; readonly x: number; readonly y: number };
type EdgeOf = { readonly from: string; readonly to: string };

export const NODE_BOX = { width: 210, height: 46, gapX: 48, gapY: 18 } as const;
/** Larger workflows are shown as a table alone. */
export const DRAWN_NODES_MAX = 200;

/** Returns the number of steps from a start to each node. Edges of cycles are followed once. */
const findDepths = (ids: readonly string[], edges: readonly EdgeOf[]): ReadonlyMap<string, number> => {
  const depths = new Map<string, number>();
  const incoming = new Set(edges.filter(({ from, to }) => from !== to).map(({ to }) => to));
  const visit = (start: string): void => {
    const queue: string[] = [start];
    depths.set(start, depths.get(start) ?? 0);
    for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
      for (const { from, to } of edges) {
        if (from !== id || depths.has(to)) continue;
        depths.set(to, (depths.get(id) ?? 0) + 1);
        queue.push(to);
      }
    }
  };
  for (const id of ids) if (!incoming.has(id)) visit(id);
  // Nodes of a cycle that nothing starts.
  for (const id of ids) if (!depths.has(id)) visit(id);
  return depths;
};

/** Places the nodes of a workflow in columns by their distance from a start. */
export const layOutWorkflow = (
  ids: readonly string[],
  edges: readonly EdgeOf[],
): { readonly nodes: readonly DrawnNode[]; readonly width: number; readonly height: number } => {
  const depths = findDepths(ids, edges);
  const rows = new Map<number, number>();
  const nodes = ids.map((id) => {
    const column = depths.get(id) ?? 0;
    const row = rows.get(column) ?? 0;
    rows.set(column, row + 1);
    return { id, x: column * (NODE_BOX.width + NODE_BOX.gapX), y: row * (NODE_BOX.height + NODE_BOX.gapY) };
  });
  return {
    nodes,
    width: Math.max(0, ...nodes.map(({ x }) => x + NODE_BOX.width)),
    height: Math.max(0, ...nodes.map(({ y }) => y + NODE_BOX.height)),
  };
};
