import { type ReactNode, useMemo } from 'react';
import { layOutWorkflow, NODE_BOX } from './lay-out-workflow.ts';

export type GraphNode = { readonly id: string; readonly name: string; readonly detail: string; readonly isFound: boolean };
type GraphProps = {
  readonly label: string;
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly { readonly from: string; readonly to: string; readonly type: string }[];
};

const NAME_MAX = 26;
const MARGIN = 4;
const short = (text: string): string => (text.length > NAME_MAX ? `${text.slice(0, NAME_MAX - 1)}…` : text);

/** A workflow as a drawing: who runs whom. The table below it has the same content. */
export const WorkflowGraph = ({ label, nodes, edges }: GraphProps): ReactNode => {
  const {
    nodes: boxes,
    width,
    height,
  } = useMemo(
    () =>
      layOutWorkflow(
        nodes.map(({ id }) => id),
        edges,
      ),
    [nodes, edges],
  );
  const boxOf = new Map(boxes.map((box) => [box.id, box]));
  const facts = new Map(nodes.map((node) => [node.id, node]));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reached by the keyboard (WCAG 2.1.1)
    <section className="graph-scroll" aria-label={label} tabIndex={0}>
      <svg
        className="graph"
        role="img"
        aria-label={label}
        width={width + 2 * MARGIN}
        height={height + 2 * MARGIN}
        viewBox={`${-MARGIN} ${-MARGIN} ${width + 2 * MARGIN} ${height + 2 * MARGIN}`}
      >
        {edges.map(({ from, to, type }) => {
          const [one, other] = [boxOf.get(from), boxOf.get(to)];
          if (one === undefined || other === undefined) return null;
          const [x1, y1] = [one.x + NODE_BOX.width, one.y + NODE_BOX.height / 2];
          const [x2, y2] = [other.x, other.y + NODE_BOX.height / 2];
          const middle = (x1 + x2) / 2;
          return <path key={`${from} ${to} ${type}`} d={`M${x1},${y1}C${middle},${y1} ${middle},${y2} ${x2},${y2}`} />;
        })}
        {boxes.map(({ id, x, y }) => {
          const node = facts.get(id);
          return (
            <g key={id} data-ending={node?.isFound || undefined} transform={`translate(${x} ${y})`}>
              <rect width={NODE_BOX.width} height={NODE_BOX.height} rx={6} />
              <text x={12} y={18}>
                {short(node?.name ?? id)}
              </text>
              <text x={12} y={35} className="detail">
                {short(node?.detail ?? '')}
              </text>
            </g>
          );
        })}
      </svg>
    </section>
  );
};
